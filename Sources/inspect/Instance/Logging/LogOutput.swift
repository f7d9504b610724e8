import CoreFoundation
import Foundation
import Logging
import Synchronization
import Traffic

/// Where the log's lines go: standard error or a file, one after the other, off the threads that log.
///
/// A stuck reader delays no thread: beyond a number of waiting lines, further lines are counted and the count is logged.
final class LogOutput: Sendable {
    /// Lines that wait to be written, at most.
    private static let limitCount = 10_000
    /// How long the end waits for the last lines.
    private static let flushSeconds = 1.0
    /// Bytes of a file that is still appended to; a longer file is renamed to `.1` when it is opened.
    private static let fileLimitBytes: off_t = 16 << 20

    private struct State {
        var format: LogFormat
        var level: Logger.Level
        var waiting = 0
        var dropped = 0
        /// Whether standard error leads to the file.
        var isStandardError = false
    }

    private let state: Mutex<State>
    private let queue = DispatchQueue(label: "inspect.log", qos: .utility)
    /// The file's path; `nil` for standard error.
    let path: String?
    private let descriptor: Mutex<Int32>
    /// The user that opens the file.
    private let user: uid_t

    /// Warnings and worse as text on standard error.
    init() {
        path = nil
        user = geteuid()
        state = Mutex(State(format: .text, level: .warning))
        descriptor = Mutex(STDERR_FILENO)
    }

    /// Opens the file, readable by its owner alone.
    ///
    /// - Parameters:
    ///   - path: `nil` for standard error.
    ///   - format: how lines are written.
    ///   - level: the lowest level of lines that are written.
    ///   - user: the user that opens the file.
    /// - Throws: `InputError` when the file cannot be written.
    init(path: String?, format: LogFormat, level: Logger.Level, user: uid_t = geteuid()) throws {
        self.path = path
        self.user = user
        state = Mutex(State(format: format, level: level))
        descriptor = Mutex(try path.map { try Self.open($0, as: user) } ?? STDERR_FILENO)
    }

    deinit { if path != nil { descriptor.withLock { _ = close($0) } } }

    /// The level of loggers that set none of their own.
    var level: Logger.Level { state.withLock { $0.level } }

    /// A logger that writes here.
    func logger(_ label: String) -> Logger { Logger(label: label) { _ in LineLogHandler(output: self) } }

    /// Changes what is logged and how.
    func set(format: LogFormat, level: Logger.Level) {
        state.withLock { ($0.format, $0.level) = (format, level) }
    }

    /// Opens the file anew after it was moved away; standard error stays.
    ///
    /// - Throws: `InputError` when the new file cannot be written; the old one is kept then.
    func reopen() throws {
        guard let path else { return }
        let new = try Self.open(path, as: user)
        descriptor.withLock { old in
            close(old)
            old = new
        }
        // Else a crash would be told in the file that was moved away.
        if state.withLock({ $0.isStandardError }) { dup2(new, STDERR_FILENO) }
    }

    /// Redirects standard error to the file, for code that writes there by itself.
    func adoptStandardError() {
        guard path != nil else { return }
        state.withLock { $0.isStandardError = true }
        descriptor.withLock { _ = dup2($0, STDERR_FILENO) }
    }

    /// Writes a line after the waiting lines.
    func write(_ line: LogLine) {
        let format: LogFormat? = state.withLock { state in
            guard state.waiting < Self.limitCount else {
                state.dropped += 1
                return nil
            }
            state.waiting += 1
            return state.format
        }
        guard let format else { return }
        queue.async { [self] in
            let dropped = state.withLock { state in
                state.waiting -= 1
                defer { state.dropped = 0 }
                return state.dropped
            }
            var bytes = line.bytes(format)
            if dropped > 0 {
                let note = LogLine(line, level: .warning, message: "\(dropped) lines of the log could not be written")
                bytes += note.bytes(format)
            }
            let target = descriptor.withLock { dup($0) }
            guard target >= 0 else { return }
            defer { close(target) }
            try? Console.write(bytes, to: target)
        }
    }

    /// Waits a moment until the lines logged so far are written.
    func flush() {
        let group = DispatchGroup()
        queue.async(group: group) {}
        _ = group.wait(timeout: .now() + Self.flushSeconds)
    }

    private static func open(_ path: String, as user: uid_t) throws -> Int32 {
        let directory = URL(fileURLWithPath: path).deletingLastPathComponent()
        try? FileManager.default.createDirectory(
            at: directory,
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700]
        )
        var status = stat()
        if lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size > fileLimitBytes {
            rename(path, path + ".1")
        }
        let descriptor: Int32
        switch try OutputPlace(path) {
        case .file(let file):
            descriptor = Foundation.open(file, O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW | O_CLOEXEC, 0o600)
        case .stream(let stream): descriptor = Foundation.open(stream, O_WRONLY | O_APPEND | O_NOCTTY | O_CLOEXEC)
        case .open(let number): descriptor = fcntl(number, F_DUPFD_CLOEXEC, 0)
        }
        guard descriptor >= 0 else {
            throw InputError("cannot write the log \(path): \(String(cString: strerror(errno)))")
        }
        var folder = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG, stat(directory.path, &folder) == 0,
            !FileOwnership.isOurs(status, in: folder, user: user)
        else { return descriptor }
        close(descriptor)
        throw InputError(
            "cannot write the log \(path): it belongs to another user (number \(status.st_uid)), in a folder where anybody may put one"
        )
    }
}
