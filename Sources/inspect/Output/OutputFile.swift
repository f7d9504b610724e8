import Foundation

/// A file that appears under its name only when it is whole.
final class OutputFile {
    private let path: String
    private let partialPath: String
    private var descriptor: Int32
    private var isFinished = false

    /// Begins the file beside its name.
    ///
    /// - Parameters:
    ///   - path: the file's name to be.
    ///   - mode: who may read it: its owner alone, unless named otherwise.
    /// - Throws: `InputError` when it cannot be made there.
    init(_ path: String, mode: mode_t = 0o600) throws {
        self.path = path
        partialPath = path + ".partial"
        descriptor = open(partialPath, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode)
        guard descriptor >= 0 else { throw InputError("cannot write \(path): \(String(cString: strerror(errno)))") }
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
        if !isFinished { unlink(partialPath) }
    }

    /// Appends bytes.
    func write(_ bytes: [UInt8]) throws {
        try Console.write(bytes, to: descriptor)
    }

    /// Gives the file its name, replacing what had it.
    func finish() throws {
        let closed = close(descriptor)
        descriptor = -1
        guard closed == 0, rename(partialPath, path) == 0 else {
            throw InputError("cannot write \(path): \(String(cString: strerror(errno)))")
        }
        isFinished = true
    }
}
