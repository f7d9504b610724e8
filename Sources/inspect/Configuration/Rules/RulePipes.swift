import Foundation
import Traffic

/// The texts of rules files that are pipes, `<(…)` of a shell or standard input: they are read once, since nothing is left in them then.
struct RulePipes: Sendable {
    private let texts: [String: String]

    /// No pipes.
    static let none = RulePipes(texts: [:])

    private init(texts: [String: String]) { self.texts = texts }

    /// Reads the pipes among some paths to their ends.
    ///
    /// - Parameters:
    ///   - paths: files and directories, as the user named them.
    ///   - limitBytes: bytes of one text.
    /// - Throws: `InputError` when one cannot be read, or is no UTF-8 text of that length.
    init(among paths: [String], limitBytes: Int) throws {
        var texts: [String: String] = [:]
        for path in paths where texts[path] == nil {
            guard let descriptor = RulePipes.descriptor(path) else { continue }
            // One that is a file can be read again.
            guard FileStatus(of: descriptor)?.isRegular == false else { continue }
            var bytes = Data()
            do {
                let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: false)
                while bytes.count <= limitBytes, let piece = try handle.read(upToCount: 64 << 10), !piece.isEmpty {
                    bytes += piece
                }
            } catch {
                throw InputError("the rules file \(path) cannot be read: \(error.localizedDescription)")
            }
            guard bytes.count <= limitBytes, let text = String(validating: bytes, as: UTF8.self) else {
                throw InputError("the rules file \(path) is no UTF-8 text of at most \(limitBytes >> 20) MiB")
            }
            texts[path] = text
        }
        self.texts = texts
    }

    /// The text of a pipe that was read; `nil` for any other path.
    func text(_ path: String) -> String? { texts[path] }

    /// The open file that a path names; `nil` for the path of a file.
    private static func descriptor(_ path: String) -> Int32? {
        if path == "/dev/stdin" { return STDIN_FILENO }
        for place in ["/dev/fd/", "/proc/self/fd/"] where path.hasPrefix(place) {
            let digits = path.dropFirst(place.count)
            return digits.allSatisfy({ $0.isASCII && $0.isNumber }) ? Int32(digits) : nil
        }
        return nil
    }
}
