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
        /// Hears for as long as the process runs.
        var signals: HeardSignals?
    }

    private let state = Mutex(State())

    private init() {
        let signals = HeardSignals([SIGINT, SIGTERM, SIGHUP]) { number, before in
            TemporaryFolders.ofProcess.end(by: number, as: before)
        }
        state.withLock { $0.signals = signals }
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

    /// Leaves it to a command to end by itself when the next signal comes; its folders are its own to remove, until a second signal comes.
    func leaveEnd(to end: @escaping @Sendable () -> Void) { state.withLock { $0.end = end } }

    /// Does what a signal asks for: what was left to a command, else the folders go, and the process ends as by what the signal did before.
    private func end(by number: Int32, as before: SignalAction) {
        let end = state.withLock { state -> (@Sendable () -> Void)? in
            if let end = state.end {
                state.end = nil
                return end
            }
            for path in state.paths { TemporaryFolders.delete(path) }
            state.paths = []
            // Under the lock: whoever waits for it would make another folder, or miss what is deleted here.
            before.restore()
            kill(getpid(), number)
            return nil
        }
        end?()
    }

    /// Deletes a folder; again where a file came into it meanwhile.
    private static func delete(_ path: String) {
        for _ in 0..<3 where FileManager.default.fileExists(atPath: path) {
            try? FileManager.default.removeItem(atPath: path)
        }
    }
}
