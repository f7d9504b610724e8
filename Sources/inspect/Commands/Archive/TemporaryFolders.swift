import Foundation
import Synchronization

/// The temporary folders of this process, which go with it when a signal ends it.
///
/// There is one value for the whole process, since a signal is the process's.
final class TemporaryFolders: Sendable {
    /// The folders of this process; the signals are listened to from the first use on.
    static let ofProcess = TemporaryFolders()

    private struct State {
        var paths: Set<String> = []
        /// What the next signal does in place of ending the process at once.
        var end: (@Sendable () -> Void)?
        /// Listens for as long as the process runs.
        var request: EndRequest?
    }

    private let state = Mutex(State())

    private init() {
        let request = EndRequest(by: [SIGINT, SIGTERM, SIGHUP]) { number in TemporaryFolders.ofProcess.end(by: number) }
        state.withLock { $0.request = request }
    }

    /// Makes a folder for this user alone, and the first that is in it.
    ///
    /// - Parameter fill: makes what is in the folder, given its path. A signal waits for its end, since what opens a store makes the folders above it.
    /// - Returns: the path, and what was made.
    /// - Throws: when the system's folder for such things cannot be written, and what `fill` throws.
    func make<Content>(_ fill: (String) throws -> Content) throws -> (path: String, content: Content) {
        let path = FileManager.default.temporaryDirectory.appending(path: "inspect-\(UUID().uuidString)").path
        return try state.withLock { state in
            try FileManager.default.createDirectory(
                atPath: path,
                withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700]
            )
            do {
                let content = try fill(path)
                state.paths.insert(path)
                return (path, content)
            } catch {
                TemporaryFolders.delete(path)
                throw error
            }
        }
    }

    /// Removes a folder with all that is in it.
    func remove(_ path: String) {
        state.withLock { state in
            state.paths.remove(path)
            TemporaryFolders.delete(path)
        }
    }

    /// Leaves it to a command to end by itself when the next signal comes; its folders are its own to remove.
    func leaveEnd(to end: @escaping @Sendable () -> Void) { state.withLock { $0.end = end } }

    /// Does what a signal asks for; the signal does again what it did before.
    private func end(by number: Int32) {
        let end = state.withLock { state in
            defer { state.end = nil }
            return state.end
        }
        if let end { return end() }
        state.withLock { state in
            for path in state.paths { TemporaryFolders.delete(path) }
            state.paths = []
        }
        kill(getpid(), number)
    }

    /// Deletes a folder; again where a file came into it meanwhile.
    private static func delete(_ path: String) {
        for _ in 0..<3 where FileManager.default.fileExists(atPath: path) {
            try? FileManager.default.removeItem(atPath: path)
        }
    }
}
