import Foundation

/// Standard output, buffered, with what is known about the reader.
///
/// Every write of a command goes through one of these, so that a closed pipe is noticed at once and ends the command instead of killing it.
final class Console {
    /// Written out when this many bytes have gathered.
    private static let bufferBytes = 64 * 1024

    /// Whether a person reads along on a terminal.
    let isTerminal: Bool
    /// How lines are set: uncut in a pipe, and with colours as `ColourChoice` says.
    private(set) var layout: Layout
    /// Where it goes.
    private let descriptor: Int32
    /// May ask for colours, or for none.
    private let environment: [String: String]
    /// Whether the command goes on where nobody reads any more: its exit status says something too.
    private let outlivesReader: Bool
    private var isUnread = false
    private var buffer: [UInt8] = []

    /// Writes to a descriptor, which stays the caller's.
    ///
    /// - Parameters:
    ///   - descriptor: where it goes.
    ///   - colours: when colours are written.
    ///   - environment: may ask for colours, or for none.
    ///   - outlivesReader: whether what is written once nobody reads is dropped in silence, where it would end the command else.
    ///   - isTerminal: whether a person reads along; what the system says of the descriptor unless given.
    ///   - terminal: the terminal that shows it in the end, where that is not the descriptor itself.
    init(
        descriptor: Int32 = STDOUT_FILENO,
        colours: ColourChoice = .auto,
        environment: [String: String] = ProcessInfo.processInfo.environment,
        outlivesReader: Bool = false,
        isTerminal: Bool? = nil,
        shownOn terminal: Int32? = nil
    ) {
        self.descriptor = descriptor
        self.environment = environment
        self.outlivesReader = outlivesReader
        let isTerminal = isTerminal ?? (isatty(descriptor) == 1)
        self.isTerminal = isTerminal
        let isColoured = colours.isColoured(isTerminal: isTerminal, environment: environment)
        layout = Layout(
            style: Style(isColoured: isColoured),
            width: isTerminal ? Console.columns(terminal ?? descriptor) : nil
        )
    }

    /// Writes colours from now on as a user chose.
    func colour(_ choice: ColourChoice) {
        let isColoured = choice.isColoured(isTerminal: isTerminal, environment: environment)
        layout = Layout(style: Style(isColoured: isColoured), width: layout.width)
    }

    /// How to colour.
    var style: Style { layout.style }

    /// Columns of the terminal; `nil` in a pipe, where lines are never cut.
    var width: Int? { layout.width }

    /// Writes a line.
    func line(_ text: String = "") throws {
        buffer.append(contentsOf: text.utf8)
        buffer.append(UInt8(ascii: "\n"))
        if buffer.count >= Console.bufferBytes { try drain(isWhole: false) }
    }

    /// Writes bytes: as they are, but to a terminal only what shows itself (`TerminalEscape`).
    func write(_ bytes: [UInt8]) throws {
        buffer.append(contentsOf: bytes)
        if buffer.count >= Console.bufferBytes { try drain(isWhole: false) }
    }

    /// Hands everything to the system.
    ///
    /// - Throws: `OutputClosed` when nobody reads any more, `InputError` when it cannot be written.
    func flush() throws { try drain(isWhole: true) }

    /// Hands on what was gathered; of a scalar that is not whole the beginning waits, unless nothing more comes.
    private func drain(isWhole: Bool) throws {
        let count = isWhole || !isTerminal ? buffer.count : TerminalEscape.wholeCount(buffer)
        defer { buffer.removeFirst(count) }
        guard !isUnread else { return }
        let bytes = isTerminal ? TerminalEscape.visible(Array(buffer.prefix(count))) : buffer
        do { try Console.write(bytes, to: descriptor) } catch is OutputClosed where outlivesReader { isUnread = true }
    }

    /// Writes a line to standard error; where nobody reads it, the exit status still says how the command ended.
    ///
    /// This and `status` are the only ways to standard error but the log's. A person reads there in the end, through whatever pipe: what does not show
    /// itself is escaped always, though the callers make visible what others wrote.
    static func remark(_ line: String, to descriptor: Int32 = STDERR_FILENO) {
        try? write(TerminalEscape.visible(Array((line + "\n").utf8)), to: descriptor)
    }

    /// Replaces the status line on the terminal of standard error; an empty line removes it.
    static func status(_ line: String) {
        try? write(Array("\r\u{1B}[K".utf8) + TerminalEscape.visible(Array(line.utf8)), to: STDERR_FILENO)
    }

    /// Writes all bytes, and waits while the reader is slow.
    static func write(_ bytes: [UInt8], to descriptor: Int32) throws {
        var offset = 0
        while offset < bytes.count {
            let written = bytes.withUnsafeBytes { raw in
                raw.baseAddress.map { Foundation.write(descriptor, $0 + offset, raw.count - offset) } ?? 0
            }
            if written >= 0 {
                offset += written
            } else if errno == EPIPE {
                throw OutputClosed()
            } else if errno == EAGAIN {
                var poll = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                _ = Foundation.poll(&poll, 1, -1)
            } else if errno != EINTR {
                throw InputError("cannot write the output: \(String(cString: strerror(errno)))")
            }
        }
    }

    private static func columns(_ descriptor: Int32) -> Int? {
        var size = winsize()
        guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
        return Int(size.ws_col)
    }
}
