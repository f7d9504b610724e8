import Foundation
import Synchronization

/// The two named pipes over which Chromium is told what to do: each message ends with a zero byte.
final class ChromiumPipe: Sendable {
    /// Where we write; only this process has it open, so that Chromium reads its end when this process is gone.
    private let commands: Int32
    private let answers: Int32
    /// Keeps the answers' pipe from ending before Chromium has opened it.
    private let keeper: Int32
    private let writing = Mutex(())

    /// Makes both pipes.
    ///
    /// - Parameter folder: gets `commands` and `answers`.
    /// - Throws: `POSIXError`.
    init(in folder: String) throws {
        for name in ["commands", "answers"] where mkfifo("\(folder)/\(name)", 0o600) != 0 { throw Self.error }
        commands = open("\(folder)/commands", O_RDWR | O_CLOEXEC)
        keeper = open("\(folder)/answers", O_RDWR | O_CLOEXEC)
        answers = open("\(folder)/answers", O_RDONLY | O_CLOEXEC)
        guard commands >= 0, keeper >= 0, answers >= 0 else { throw Self.error }
    }

    deinit {
        close(commands)
        close(answers)
    }

    /// Writes a message, on the calling thread, which waits while Chromium does not read.
    ///
    /// - Throws: `POSIXError`.
    func write(_ message: Data) throws {
        let bytes = [UInt8](message) + [0]
        try writing.withLock { _ in
            var sent = 0
            while sent < bytes.count {
                let count = bytes.withUnsafeBytes { part in
                    Foundation.write(commands, part.baseAddress.map { $0 + sent }, bytes.count - sent)
                }
                if count < 0 && errno != EINTR { throw Self.error }
                sent += max(0, count)
            }
        }
    }

    /// Reads messages, on the calling thread, until Chromium has ended.
    func readAll(_ take: (Data) -> Void) {
        var held: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 20)
        var isKept = true
        defer { if isKept { close(keeper) } }
        while true {
            let count = read(answers, &buffer, buffer.count)
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { return }
            // Chromium has the pipe open: with it, the pipe ends.
            if isKept { close(keeper) }
            isKept = false
            var rest = buffer[..<count]
            while let end = rest.firstIndex(of: 0) {
                take(Data(held + rest[..<end]))
                held = []
                rest = rest[(end + 1)...]
            }
            held += rest
        }
    }

    private static var error: POSIXError { POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
}
