/// A reader of bodies of `text/event-stream` (WHATWG HTML §9.2.6): the data of their messages.
enum EventStream {
    /// The media type of such bodies.
    static let type = "text/event-stream"
    /// The most messages that are read.
    private static let limit = 100_000

    /// The data of the messages in order; messages without data are left out, and a last message that the body cuts off.
    static func data(_ body: [UInt8]) -> [[UInt8]] {
        var messages: [[UInt8]] = []
        var data: [UInt8]?
        var rest = body[...]
        if rest.starts(with: [0xEF, 0xBB, 0xBF]) { rest = rest.dropFirst(3) }
        while let end = rest.firstIndex(where: { $0 == 0x0A || $0 == 0x0D }), messages.count < limit {
            let line = rest[..<end]
            let isPair = rest[end] == 0x0D && end + 1 < rest.endIndex && rest[end + 1] == 0x0A
            rest = rest[(end + (isPair ? 2 : 1))...]
            if line.isEmpty {
                if let data { messages.append(data) }
                data = nil
            } else if let value = value(of: "data", in: line) {
                // Added where it lies: a message may have as many lines as the body.
                if data == nil { data = Array(value) } else { data?.append(contentsOf: [0x0A] + value) }
            }
        }
        return messages
    }

    /// The value of a line's field, after the colon and one space; `nil` for another field.
    private static func value(of name: String, in line: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        guard line.starts(with: name.utf8) else { return nil }
        let rest = line.dropFirst(name.utf8.count)
        guard let colon = rest.first else { return rest }
        guard colon == UInt8(ascii: ":") else { return nil }
        return rest.dropFirst(rest.dropFirst().first == 0x20 ? 2 : 1)
    }
}
