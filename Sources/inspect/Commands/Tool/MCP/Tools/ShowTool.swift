import Archive
import Lenses
import Store
import Traffic

/// `show`: one exchange whole, with its bodies as far as they are asked for.
struct ShowTool: MCPTool {
    private static let messageCount = 50
    private static let partLimit: Int64 = 16_384

    let name = "show"
    let summary =
        "Shows one recorded exchange: heads as they came, timing, connections, failure, decoded bodies, messages of its stream, and what its API's lens reads in it."
    let parameters = [
        MCPParameter(
            "id",
            .whole(1...Int64.max),
            "The exchange's number, as the other tools list it.",
            isRequired: true
        ),
        MCPParameter(
            "body_offset",
            .whole(0...Int64.max),
            "Where in the decoded bodies to begin, bytes; 0 unless given."
        ),
        MCPParameter("body_limit", .whole(0...1_000_000), "Bytes of each decoded body; 16384 unless given."),
    ]

    func call(_ arguments: MCPArguments, _ context: MCPContext) async throws -> JSONValue {
        let store = try context.store.openForReading()
        let id = arguments.whole("id") ?? 0
        guard let exchange = try context.view(store).exchange(id) else {
            throw InputError("there is no exchange \(id) in the store; filter lists those that are there")
        }
        let (record, source) = (exchange.record, exchange.source)
        var value = try JSONValue { json in
            try json.object { json in
                let writer = ExchangeJSON(
                    record,
                    includesBodies: false,
                    remedyWords: \.command,
                    refusalWords: RefusalRemedy.words,
                    isFailureImported: try store.isFailureImported(record.exchange)
                )
                try writer.members(to: &json, source: source) { _ in }
            }
        }
        for side in ["clientConnection", "upstreamConnection"] { value.set(side, ShowTool.brief(value[side] ?? .null)) }
        // The heads have the same fields, in order and in their case.
        for side in ["request", "response"] {
            guard var message = value[side], message.isObject else { continue }
            for name in ["fields", "headBase64", "sentHeadBase64"] { message.remove(name) }
            value.set(side, message)
        }
        let capture = try Capture(record, source: source)
        let offset = Int(clamping: arguments.whole("body_offset") ?? 0)
        let limit = Int(clamping: arguments.whole("body_limit") ?? ShowTool.partLimit)
        value.set("requestBody", ShowTool.body(capture.request, offset, limit))
        value.set("responseBody", ShowTool.body(capture.response, offset, limit))
        let messages = try exchange.messages(after: 0, limit: ShowTool.messageCount)
        if !messages.isEmpty { value.set("messages", try ShowTool.list(messages, record.exchange)) }
        // The lens reads the masked exchange, so that it tells no secret.
        if let view = LensSet.standard.view(of: capture)?.withCommands {
            value.set("decoded", try JSONValue { view.write(to: &$0) })
        }
        return value
    }

    /// A connection without the certificates' text.
    private static func brief(_ connection: JSONValue) -> JSONValue {
        guard var tls = connection["tls"], tls.isObject else { return connection }
        tls.set("certificates", .number(Double(tls["certificates"]?.elements?.count ?? 0)))
        var connection = connection
        connection.set("tls", tls)
        return connection
    }

    private static func body(_ body: CapturedBody, _ offset: Int, _ limit: Int) -> JSONValue {
        guard !body.isEmpty else { return .null }
        var members: [(name: String, value: JSONValue)] = [("decodedBytes", .number(Double(body.bytes.count)))]
        if let problem = body.problem { members.append(("problem", .string(problem))) }
        let isBinary = body.bytes.prefix(4_096).contains(0) && body.charset != .utf16
        if isBinary {
            members.append(("binary", .boolean(true)))
        } else {
            let part = piece(of: body.bytes, from: offset, limit, body.charset)
            let cut = CapturedBody(bytes: Array(body.bytes[part]), charset: body.charset)
            members.append(("text", .string(cut.text)))
            if part.upperBound < body.bytes.count {
                members.append(("nextOffset", .number(Double(part.upperBound))))
            }
        }
        return .object(members)
    }

    /// The bytes of a piece of a text that are whole characters: at least one character where there is any, and at most `limit` bytes beside that.
    static func piece(of bytes: [UInt8], from offset: Int, _ limit: Int, _ charset: Charset?) -> Range<Int> {
        let start = min(offset, bytes.count)
        let end = min(start + min(limit, bytes.count), bytes.count)
        switch charset {
        case .utf8:
            func isInside(_ index: Int) -> Bool { index < bytes.count && bytes[index] & 0xC0 == 0x80 }
            let from = (start...start + 3).first { !isInside($0) } ?? start
            var to = max(from, (max(start, end - 3)...end).last { !isInside($0) } ?? end)
            if to == from, limit > 0, from < bytes.count {
                to = from + 1
                while to < from + 4, isInside(to) { to += 1 }
            }
            return min(from, bytes.count)..<min(to, bytes.count)
        case .utf16, .utf16LE, .utf16BE:
            let from = min(start + start % 2, bytes.count)
            return from..<max(from, end == bytes.count ? end : end - end % 2)
        case .shiftJIS, .eucJP, .eucKR, .big5, .gb18030:
            // Only the characters before a place tell whether one begins there.
            var place = 0
            func next() -> Int { place + (charset?.length(ofCharacterAt: place, in: bytes) ?? bytes.count - place) }
            while place < start { place = next() }
            let from = place
            while place < bytes.count, next() <= end || place == from && limit > 0 { place = next() }
            return from..<place
        default: return start..<end
        }
    }

    private static func list(_ messages: [StreamMessage], _ exchange: Exchange) throws -> JSONValue {
        try JSONValue { json in
            json.array { json in
                for message in messages {
                    MessageJSON(message, started: exchange.timeline.started).write(to: &json)
                }
            }
        }
    }
}
