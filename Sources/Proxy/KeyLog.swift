import Foundation
import Logging
import NIOConcurrencyHelpers
import NIOCore
import NIOPosix

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// The TLS secrets of both sides, appended to a file as `SSLKEYLOGFILE` programs write them, so that Wireshark reads a capture of the wire.
///
/// Lines are gathered and written off the event loops, whole ones in one write.
final class KeyLog: Sendable {
    private struct Pending {
        var lines = ByteBuffer()
        var isWriting = false
        var hasFailed = false
    }

    /// Past this the loop that has a line waits until those before it are written.
    private static let limitBytes = 1 << 20

    private let file: FileHandle
    private let logger: Logger
    private let pending = NIOLockedValueBox(Pending())
    /// Held while writing, so that lines stay in order.
    private let writing = NIOLock()

    /// Opens the file, readable by its owner only.
    ///
    /// - Throws: `ProxyStartError` when it cannot be written.
    init(path: String, logger: Logger) throws {
        let descriptor = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw ProxyStartError(
                "the key log \(path) cannot be written (\(String(cString: strerror(errno)))); name another file with --key-log"
            )
        }
        var status = stat()
        if fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG, fchmod(descriptor, 0o600) != 0 {
            close(descriptor)
            throw ProxyStartError("the key log \(path) belongs to another user; name another file with --key-log")
        }
        file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        self.logger = logger
    }

    /// Takes a line as the TLS library gives it, ended or not.
    func add(_ line: ByteBuffer) {
        let (isFirst, isFull) = pending.withLockedValue { pending -> (Bool, Bool) in
            pending.lines.writeImmutableBuffer(line)
            if line.readableBytesView.last != UInt8(ascii: "\n") { pending.lines.writeStaticString("\n") }
            defer { pending.isWriting = true }
            return (!pending.isWriting, pending.lines.readableBytes > KeyLog.limitBytes)
        }
        if isFull {
            flush()
        } else if isFirst {
            NIOThreadPool.singleton.submit { [self] _ in flush() }
        }
    }

    /// Writes what has come.
    func flush() {
        writing.withLock {
            let lines = pending.withLockedValue { pending in
                defer {
                    pending.lines = ByteBuffer()
                    pending.isWriting = false
                }
                return pending.lines
            }
            guard lines.readableBytes > 0 else { return }
            do {
                try file.write(contentsOf: Data(lines.readableBytesView))
            } catch {
                let isFirst = pending.withLockedValue { pending in
                    defer { pending.hasFailed = true }
                    return !pending.hasFailed
                }
                if isFirst { logger.error("the key log cannot be written: \(error)") }
            }
        }
    }
}
