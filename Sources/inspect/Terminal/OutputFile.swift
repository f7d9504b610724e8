import Foundation

/// A file that appears under its name only when it is whole.
final class OutputFile {
    /// The name to be, as errors say it.
    private let name: String
    /// The plain file to be; `nil` for what is written straight into.
    private let path: String?
    /// The name that the file has until it is whole; `nil` while it has none.
    private var partial: String?
    private var descriptor: Int32

    #if os(Linux)
    /// Opens a file without a name in a directory: `O_TMPFILE`, a macro of the header that Swift does not import.
    ///
    /// However its process ends, such a file is gone with it (open(2)).
    private static let unnamed: Int32 = 0o20_000_000 | O_DIRECTORY
    #endif

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
            self.path = path
            descriptor = -1
            #if os(Linux)
            let directory = URL(fileURLWithPath: path).deletingLastPathComponent().path
            // Its name is given to it by way of this directory, which some jails lack.
            if access("/proc/self/fd", X_OK) == 0 {
                descriptor = open(directory, O_WRONLY | O_CLOEXEC | Self.unnamed, mode)
            }
            #endif
            if descriptor < 0 {
                // Some file systems know no file without a name.
                let partial = Self.partial(of: path)
                descriptor = open(partial, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode)
                if descriptor >= 0 { self.partial = partial }
            }
        case .stream(let path):
            self.path = nil
            descriptor = open(path, O_WRONLY | O_NOCTTY | O_CLOEXEC)
        case .open(let number):
            path = nil
            descriptor = fcntl(number, F_DUPFD_CLOEXEC, 0)
        }
        guard descriptor >= 0 else { throw OutputPlace.refusal(name, errno) }
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
        if let partial { unlink(partial) }
    }

    /// A name that nobody foresees: another process may write the same file, and another user put something in our way.
    private static func partial(of path: String) -> String {
        "\(path).\(String(UInt64.random(in: .min ... .max), radix: 36)).partial"
    }

    /// Appends bytes.
    ///
    /// - Throws: `InputError`, also where nobody reads a pipe any more: the output is incomplete, so the command must fail.
    func write(_ bytes: [UInt8]) throws {
        do { try Console.write(bytes, to: descriptor) } catch is OutputClosed { throw OutputPlace.refusal(name, EPIPE) }
    }

    /// Gives the file its name, replacing what had it.
    ///
    /// - Parameter isKept: whether it has to be there after a power cut: it is on the disk before it has the name.
    /// - Throws: `InputError` where it cannot have the name, or what was written did not reach the disk.
    func finish(isKept: Bool = false) throws {
        if isKept, fsync(descriptor) != 0 { throw OutputPlace.refusal(name, errno) }
        if let path, partial == nil {
            // No call gives a file without a name one that another file has; a second step replaces it.
            let partial = Self.partial(of: path)
            guard linkat(AT_FDCWD, "/proc/self/fd/\(descriptor)", AT_FDCWD, partial, AT_SYMLINK_FOLLOW) == 0 else {
                throw OutputPlace.refusal(name, errno)
            }
            self.partial = partial
        }
        let closed = close(descriptor)
        descriptor = -1
        guard closed == 0 else { throw OutputPlace.refusal(name, errno) }
        if let path, let partial {
            guard rename(partial, path) == 0 else { throw OutputPlace.refusal(name, errno) }
            self.partial = nil
        }
    }
}
