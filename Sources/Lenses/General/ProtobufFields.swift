/// A reader of Protocol Buffers messages without their schema: numbers, wire types and values of fields.
enum ProtobufFields {
    /// The most levels of messages within messages.
    private static let depthLimit = 8
    /// The most fields of a message that are listed, those of the messages in it not counted.
    private static let fieldLimit = 200
    /// The most fields of a message and of all messages in it that are listed: a field may be two bytes, and takes a hundred to show.
    static let nodeLimit = 1000

    /// The fields of a message in order; `nil` where the bytes are no message.
    static func nodes(_ bytes: [UInt8]) -> [LensNode]? {
        var room = nodeLimit
        return nodes(bytes[...], depth: 0, &room)
    }

    /// - Parameters:
    ///   - bytes: a message.
    ///   - depth: how many messages this message stands in.
    ///   - room: how many fields may still be listed.
    /// - Returns: the fields; `nil` where the bytes are no message.
    private static func nodes(_ bytes: ArraySlice<UInt8>, depth: Int, _ room: inout Int) -> [LensNode]? {
        var rest = bytes
        var nodes: [LensNode] = []
        while !rest.isEmpty {
            guard let tag = varint(&rest), case let number = tag >> 3, (1...536_870_911).contains(number) else {
                return nil
            }
            let label = LensText("\(number)")
            switch tag & 7 {
            case 0:
                guard let value = varint(&rest) else { return nil }
                nodes.append(LensNode(label, detail: LensText(varintWords(value))))
            case 1:
                guard let value = fixed(&rest, 8) else { return nil }
                let double = Double(bitPattern: value)
                nodes.append(LensNode(label, detail: LensText("64 bits \(value), as double \(double)")))
            case 2:
                guard let length = varint(&rest), length <= UInt64(rest.count) else { return nil }
                let content = rest.prefix(Int(length))
                rest = rest.dropFirst(Int(length))
                nodes.append(bytesNode(label, content, depth: depth, &room))
            case 5:
                guard let value = fixed(&rest, 4) else { return nil }
                let float = Float(bitPattern: UInt32(truncatingIfNeeded: value))
                nodes.append(LensNode(label, detail: LensText("32 bits \(value), as float \(float)")))
            default: return nil
            }
            room -= 1
            if nodes.count == fieldLimit || room <= 0, !rest.isEmpty {
                nodes.append(LensNode(LensText("… \(rest.count) more bytes", .faint)))
                break
            }
        }
        return nodes
    }

    /// The line of a field with a length: a text or a message where the bytes are one, else bytes.
    private static func bytesNode(
        _ label: LensText,
        _ content: ArraySlice<UInt8>,
        depth: Int,
        _ room: inout Int
    ) -> LensNode {
        if content.isEmpty { return LensNode(label, detail: "empty") }
        if let text = String(validating: content, as: UTF8.self),
            text.unicodeScalars.allSatisfy({ $0.value >= 0x20 && $0.value != 0x7F || $0 == "\n" || $0 == "\t" })
        {
            return LensNode(label, detail: LensText("text \"\(text)\""))
        }
        // Bytes that are no message take no room.
        var left = room
        if depth < depthLimit, left > 0, let children = nodes(content, depth: depth + 1, &left), !children.isEmpty {
            room = left
            return LensNode(label, detail: LensText("message, \(content.count) bytes", .faint), children: children)
        }
        return LensNode(label, detail: LensText("\(content.count) bytes", .faint))
    }

    /// A whole number in words, with its signed reading where that differs.
    private static func varintWords(_ value: UInt64) -> String {
        let signed = Int64(bitPattern: value)
        return signed < 0 ? "varint \(value), as signed \(signed)" : "varint \(value)"
    }

    private static func varint(_ rest: inout ArraySlice<UInt8>) -> UInt64? {
        var value: UInt64 = 0
        for shift in stride(from: UInt64(0), to: 70, by: 7) {
            guard let byte = rest.popFirst() else { return nil }
            value |= UInt64(byte & 0x7F) << shift
            if byte < 0x80 { return value }
        }
        return nil
    }

    private static func fixed(_ rest: inout ArraySlice<UInt8>, _ count: Int) -> UInt64? {
        guard rest.count >= count else { return nil }
        defer { rest = rest.dropFirst(count) }
        return rest.prefix(count).reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }
}
