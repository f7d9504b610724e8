import CNIOLinux
import CoreFoundation
import Foundation
import Logging
import NIOConcurrencyHelpers
import NIOCore
import Traffic

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// The TLS secrets of both sides, appended to a file as `SSLKEYLOGFILE` programs write them, so that Wireshark reads a capture of the wire.
///
/// A thread of its own writes the lines that have gathered, whole lines in one write, and ends when none are left. A slow disk delays no event loop.
final class KeyLog: Sendable {
    private struct Pending {
        var lines = ByteBuffer()
        /// Whether a thread writes, or is about to.
        var isWriting = false
        var hasLost = false
        var hasFailed = false
    }

    /// Bytes of lines that may wait; further lines are left out, which is logged once.
    static let limitBytes = 1 << 20

    private let logger: Logger
    private let write: @Sendable (ByteBuffer) throws -> Void
    private let pending = NIOLockedValueBox(Pending())

    /// - Parameters:
    ///   - logger: is told when lines are left out, or cannot be written any more.
    ///   - write: writes lines; may block.
    init(logger: Logger, write: @escaping @Sendable (ByteBuffer) throws -> Void) {
        self.logger = logger
        self.write = write
    }

    /// Opens the file, readable by its owner only.
    ///
    /// - Parameters:
    ///   - path: the file's path; a pipe is refused at once, without waiting for a reader.
    ///   - logger: is told when the file cannot be written any more.
    ///   - user: the user who has to own the file, unless root does.
    /// - Throws: `ProxyStartError` when the file cannot be written, or another user may have it open.
    convenience init(path: String, logger: Logger, user: uid_t = geteuid()) throws {
        let descriptor = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0o600)
        guard descriptor >= 0 else {
            throw ProxyStartError.keyLog(
                path: path,
                problem: "cannot be written (\(String(cString: strerror(errno))))"
            )
        }
        var status = stat()
        let isKnown = fstat(descriptor, &status) == 0
        let problem = isKnown ? FileOwnership.problem(of: status, others: .mayRead, user: user) : .notAFile
        guard problem == nil, fchmod(descriptor, 0o600) == 0 else {
            close(descriptor)
            throw ProxyStartError.keyLog(
                path: path,
                problem: problem?.description ?? "cannot be closed to other users"
            )
        }
        let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        self.init(logger: logger) { try file.write(contentsOf: Data($0.readableBytesView)) }
    }

    /// Takes a line from the TLS library, with its line feed or without.
    func add(_ line: ByteBuffer) {
        let isFirstLost = pending.withLockedValue { pending in
            guard pending.lines.readableBytes + line.readableBytes < KeyLog.limitBytes else {
                defer { pending.hasLost = true }
                return !pending.hasLost
            }
            pending.lines.writeImmutableBuffer(line)
            if line.readableBytesView.last != UInt8(ascii: "\n") { pending.lines.writeStaticString("\n") }
            return false
        }
        if isFirstLost {
            logger.error("the key log is written too slowly; what has no room meanwhile is left out of it")
        }
        writeOn()
    }

    /// Starts the writing thread where lines wait and none runs.
    ///
    /// - Returns: whether every line is written.
    @discardableResult
    func writeOn() -> Bool {
        let (needsThread, isWritten) = pending.withLockedValue { pending in
            let needsThread = !pending.isWriting && pending.lines.readableBytes > 0
            if needsThread { pending.isWriting = true }
            return (needsThread, !pending.isWriting)
        }
        // Where the system gives no thread, the next line tries again.
        if needsThread, !DetachedThread.start({ self.writeAll() }) { pending.withLockedValue { $0.isWriting = false } }
        return isWritten
    }

    /// Writes the lines that wait, and those that come meanwhile.
    private func writeAll() {
        while let lines = next() {
            do {
                try write(lines)
            } catch {
                let isFirst = pending.withLockedValue { pending in
                    defer { pending.hasFailed = true }
                    return !pending.hasFailed
                }
                if isFirst { logger.error("the key log cannot be written: \(error)") }
            }
        }
    }

    /// Takes the lines to write next; `nil` where there are none, and the thread ends.
    private func next() -> ByteBuffer? {
        pending.withLockedValue { pending in
            guard pending.lines.readableBytes > 0 else {
                pending.isWriting = false
                return nil
            }
            defer { pending.lines = ByteBuffer() }
            return pending.lines
        }
    }
}
