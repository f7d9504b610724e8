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
        guard let found = try store.record(id) else {
            throw InputError("there is no exchange \(id) in the store; filter lists those that are there")
        }
        let redactor = context.redactor
        let record = try redactor?.redact(found, source: store.body) ?? found
        let source: ArchiveSource = { id, side, offset, limit in
            guard let redactor else { return try store.body(id, side, offset: offset, limitBytes: limit) }
            return try redactor.body(id, side, offset, limit, source: store.body)
        }
        var json = JSONWriter()
        try json.object { json in
            try ExchangeJSON(record, includesBodies: false).members(to: &json, source: source) { _ in }
        }
        var value = try JSONReader.value(json.bytes)
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
        let messages = try store.messages(of: id, limit: ShowTool.messageCount)
        if !messages.isEmpty { value.set("messages", try ShowTool.list(messages, record.exchange, redactor)) }
        // Of what is left without the secrets, so that none comes in by this door.
        if let view = LensSet.standard.view(of: capture) {
            var words = JSONWriter()
            view.write(to: &words)
            value.set("decoded", try JSONReader.value(words.bytes))
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
            let part = body.bytes.dropFirst(offset).prefix(limit)
            let cut = CapturedBody(bytes: Array(part), charset: body.charset)
            members.append(("text", .string(cut.text)))
            if part.endIndex < body.bytes.count { members.append(("nextOffset", .number(Double(part.endIndex)))) }
        }
        return .object(members)
    }

    private static func list(_ messages: [StreamMessage], _ exchange: Exchange, _ redactor: Redactor?) throws
        -> JSONValue
    {
        var json = JSONWriter()
        json.array { json in
            for message in messages {
                MessageJSON(redactor?.message(message) ?? message, started: exchange.timeline.started).write(to: &json)
            }
        }
        return try JSONReader.value(json.bytes)
    }
}
