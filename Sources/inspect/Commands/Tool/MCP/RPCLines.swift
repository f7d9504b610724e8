import Foundation

/// Reads the lines that another program writes to a descriptor, each up to a length.
struct RPCLines {
    /// A line, or word of a line that was longer than the limit and is lost.
    enum Line {
        case whole([UInt8])
        case tooLong
    }

    private let descriptor: Int32
    private let limitBytes: Int
    private var held: [UInt8] = []
    private var isSkipping = false
    private var isOver = false

    /// - Parameters:
    ///   - descriptor: where they come from; stays the caller's.
    ///   - limitBytes: the longest line that is held.
    init(_ descriptor: Int32, limitBytes: Int) { (self.descriptor, self.limitBytes) = (descriptor, limitBytes) }

    /// Waits for the next line that is not blank, and gives it without its end; `nil` at the end of the input.
    mutating func next() -> Line? {
        while true {
            if let end = held.firstIndex(of: UInt8(ascii: "\n")) {
                let line = Array(held[..<end])
                held.removeFirst(end + 1)
                if isSkipping || line.count > limitBytes {
                    isSkipping = false
                    return .tooLong
                }
                if let whole = RPCLines.whole(line) { return whole }
                continue
            }
            if held.count > limitBytes {
                isSkipping = true
                held.removeAll(keepingCapacity: true)
            }
            if isOver {
                defer { held = [] }
                guard !isSkipping, held.count <= limitBytes else {
                    isSkipping = false
                    return .tooLong
                }
                return RPCLines.whole(held)
            }
            read()
        }
    }

    private static func whole(_ line: [UInt8]) -> Line? {
        line.allSatisfy { $0 == 0x20 || $0 == 0x09 || $0 == 0x0D } ? nil : .whole(line)
    }

    private mutating func read() {
        var piece = [UInt8](repeating: 0, count: 64 << 10)
        let count = piece.withUnsafeMutableBytes { Foundation.read(descriptor, $0.baseAddress, $0.count) }
        if count > 0 {
            held += piece[..<count]
        } else if count < 0, errno == EAGAIN {
            // Whoever shares the descriptor has it so that nobody waits in reading it.
            var poll = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            _ = Foundation.poll(&poll, 1, -1)
        } else if count == 0 || errno != EINTR {
            isOver = true
        }
    }
}
