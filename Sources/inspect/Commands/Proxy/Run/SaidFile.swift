import Foundation

/// A file without a name for what a program says: unlike a pipe it never makes the program wait, and ends with it, whoever else has it open.
struct SaidFile {
    /// More is an error, for half of it is no answer; a JDK that knows a thousand roots lists 2 MiB.
    private static let limitBytes = 16 << 20

    /// What the program is given.
    let handle: FileHandle

    /// - Throws: `InputError` when it cannot be made.
    init() throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "inspect-said-\(UUID().uuidString)").path
        let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw InputError("cannot write \(path): \(String(cString: strerror(errno)))") }
        unlink(path)
        handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    }

    /// What was said until now.
    ///
    /// - Throws: `InputError` when that is too much; the system's error.
    func text() throws -> String {
        guard try handle.seekToEnd() <= UInt64(SaidFile.limitBytes) else {
            throw InputError("a program said more than \(SaidFile.limitBytes >> 20) MiB")
        }
        try handle.seek(toOffset: 0)
        return String(decoding: try handle.read(upToCount: SaidFile.limitBytes) ?? Data(), as: UTF8.self)
    }
}
