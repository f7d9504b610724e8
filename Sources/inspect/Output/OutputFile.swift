import Foundation

/// A file that appears under its name only when it is whole.
final class OutputFile {
    /// The name to be, as errors say it.
    private let name: String
    /// Where it is until it is whole, and where it goes then; `nil` for what is written straight into.
    private let move: (from: String, to: String)?
    private var descriptor: Int32
    private var isFinished = false

    /// Begins a file of our own beside its name; whatever has that name is replaced.
    ///
    /// - Parameters:
    ///   - path: the file's name to be.
    ///   - mode: who may read it: its owner alone, unless named otherwise.
    /// - Throws: `InputError` when it cannot be made there.
    convenience init(_ path: String, mode: mode_t = 0o600) throws {
        try self.init(path, at: .file(path), mode: mode)
    }

    /// Begins a file that a user named: a link stays and leads to it, and what is no plain file (a pipe, a device) is written straight into.
    ///
    /// - Parameters:
    ///   - name: as it was given.
    ///   - mode: who may read it where it is a plain file.
    /// - Throws: `InputError` when it cannot be made there.
    convenience init(named name: String, mode: mode_t = 0o600) throws {
        try self.init(name, at: OutputPlace(name), mode: mode)
    }

    private init(_ name: String, at place: OutputPlace, mode: mode_t) throws {
        self.name = name
        switch place {
        case .file(let path):
            // A name that nobody foresees: another process may write the same file, and another user put something in our way.
            let partial = "\(path).\(String(UInt64.random(in: .min ... .max), radix: 36)).partial"
            move = (partial, path)
            descriptor = open(partial, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode)
        case .stream(let path):
            move = nil
            descriptor = open(path, O_WRONLY | O_NOCTTY | O_CLOEXEC)
        case .open(let number):
            move = nil
            descriptor = fcntl(number, F_DUPFD_CLOEXEC, 0)
        }
        guard descriptor >= 0 else { throw OutputPlace.refusal(name, errno) }
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
        if !isFinished, let move { unlink(move.from) }
    }

    /// Appends bytes.
    ///
    /// - Throws: `InputError`, also where nobody reads a pipe any more: what was asked for is not there, and the command must not end well.
    func write(_ bytes: [UInt8]) throws {
        do { try Console.write(bytes, to: descriptor) } catch is OutputClosed { throw OutputPlace.refusal(name, EPIPE) }
    }

    /// Gives the file its name, replacing what had it.
    func finish() throws {
        let closed = close(descriptor)
        descriptor = -1
        guard closed == 0, move.map({ rename($0.from, $0.to) == 0 }) ?? true else {
            throw OutputPlace.refusal(name, errno)
        }
        isFinished = true
    }
}
