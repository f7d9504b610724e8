import NIOCore
import Traffic

/// The messages of an exchange's stream in a HAR entry, under the names Chrome gives them, and one of our own for gRPC.
///
/// WebSockets have `_webSocketMessages` with `type`, `time` (seconds), `opcode` and `data` (base64 unless the opcode is text's), control
/// frames included, and HTTP Toolkit's `_webSocketClose`. Event streams have `_eventSourceMessages`. gRPC calls have `_grpcMessages`.
struct HARMessages {
    private let exchange: Exchange

    init(_ exchange: Exchange) { self.exchange = exchange }

    /// Writes the members into an open entry, handing bytes on as messages go by; nothing for an exchange without messages.
    ///
    /// - Parameters:
    ///   - contents: the room in the entry.
    ///   - json: the writer.
    ///   - source: the messages.
    ///   - handOn: may take bytes out of the writer.
    /// - Returns: how many messages there was no room for.
    /// - Throws: what `source` and `handOn` throw.
    func write(
        _ contents: EntryContents,
        to json: inout JSONWriter,
        source: MessageSource,
        handOn: (inout JSONWriter) throws -> Void
    ) throws -> Int64 {
        var first: StreamMessage?
        if exchange.mayHaveMessages { first = try source(exchange.id, 0).first }
        let kind = exchange.isWebSocket ? .webSocket : first?.kind
        guard let kind else { return 0 }
        let leftOut: Int64
        switch kind {
        case .webSocket:
            json.string("_resourceType", "websocket")
            var close: StreamMessage?
            leftOut = try list("_webSocketMessages", contents, &json, source, handOn) { message, json in
                if message.opcode == WebSocketOpcode.close.rawValue, close == nil { close = message }
                HARMessages.frame(message, &json)
            }
            if let close { HARMessages.close(close, within: contents.endBounds, &json) }
        case .event:
            json.string("_resourceType", "eventsource")
            leftOut = try list("_eventSourceMessages", contents, &json, source, handOn) { message, json in
                HARMessages.event(message, &json)
            }
        case .grpc:
            leftOut = try list("_grpcMessages", contents, &json, source, handOn) { message, json in
                HARMessages.grpc(message, &json)
            }
        }
        if leftOut > 0 { json.integer("_messagesLeftOut", leftOut) }
        return leftOut
    }

    private func list(
        _ name: String,
        _ contents: EntryContents,
        _ json: inout JSONWriter,
        _ source: MessageSource,
        _ handOn: (inout JSONWriter) throws -> Void,
        _ write: (StreamMessage, inout JSONWriter) -> Void
    ) throws -> Int64 {
        var leftOut: Int64 = 0
        try json.array(name) { json in
            leftOut = try MessageJSON.writeAll(
                of: exchange,
                from: source,
                contents,
                to: &json,
                handOn: handOn
            ) { message, json in json.object { write(message, &$0) } }
        }
        return leftOut
    }

    private static func frame(_ message: StreamMessage, _ json: inout JSONWriter) {
        json.string("type", message.side == .request ? "send" : "receive")
        json.seconds("time", microseconds: message.time)
        json.integer("opcode", Int(message.opcode))
        let isText = message.opcode == WebSocketOpcode.text.rawValue
        let text = isText ? message.text : nil
        json.string("data", text ?? Base64Encoder.text(Array(message.payload.readableBytesView)))
        if isText, text == nil { json.string("_encoding", "base64") }
        measure(message, &json)
    }

    /// Says again what a message says, where there is room for it; captured ones have at most 123 bytes of reason (RFC 6455 §5.5).
    ///
    /// By itself: within its caller, the optimiser of Swift 6.3.1 ends on the message that the closure borrows.
    @inline(never) private static func close(
        _ message: StreamMessage,
        within bounds: JSONBounds?,
        _ json: inout JSONWriter
    ) {
        guard let bounds, json.isWithin(bounds) else { return end(message, &json) }
        _ = json.attempt(within: bounds) { end(message, &$0) }
    }

    private static func end(_ message: StreamMessage, _ json: inout JSONWriter) {
        json.object("_webSocketClose") { json in
            json.integer("code", message.status)
            json.string("reason", message.text ?? "")
            json.seconds("timestamp", microseconds: message.time)
            json.string("_by", message.side == .request ? "client" : "upstream")
        }
    }

    private static func event(_ message: StreamMessage, _ json: inout JSONWriter) {
        json.seconds("time", microseconds: message.time)
        json.string("eventName", message.eventName ?? "message")
        json.string("eventId", message.eventID ?? "")
        json.string("data", message.text ?? String(decoding: message.payload.readableBytesView, as: UTF8.self))
        measure(message, &json)
    }

    private static func grpc(_ message: StreamMessage, _ json: inout JSONWriter) {
        json.string("type", message.side == .request ? "send" : "receive")
        json.seconds("time", microseconds: message.time)
        json.integer("flags", Int(message.opcode))
        if let status = message.status { json.integer("status", status) }
        if let text = message.text {
            json.string("data", text)
        } else {
            json.string("data", Base64Encoder.text(Array(message.payload.readableBytesView)))
            json.string("encoding", "base64")
        }
        measure(message, &json)
    }

    /// Writes what Chrome does not: how much of the message is missing, and why.
    private static func measure(_ message: StreamMessage, _ json: inout JSONWriter) {
        if message.isTruncated { json.integer("_size", message.size) }
        if message.wireBytes != message.size { json.integer("_wireBytes", message.wireBytes) }
        if message.isCompressed { json.boolean("_compressed", true) }
        if let problem = message.problem { json.string("_problem", problem) }
    }
}
