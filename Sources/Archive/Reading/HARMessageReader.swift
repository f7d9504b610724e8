import NIOCore
import Traffic

/// Reads the messages of streams that a HAR entry lists: Chrome's for WebSockets, ours for event streams and gRPC.
struct HARMessageReader {
    private let entry: JSONValue

    init(_ entry: JSONValue) { self.entry = entry }

    /// Adds the messages and counts them.
    func read(into imported: inout ImportedExchange) {
        let lists: [(String, StreamMessage.Kind)] = [
            ("_webSocketMessages", .webSocket), ("_eventSourceMessages", .event), ("_grpcMessages", .grpc),
        ]
        for (name, kind) in lists {
            for value in entry[name]?.elements ?? [] where value.isObject {
                var message = message(value, kind, started: imported.exchange.timeline.started)
                imported.exchange.messages.add(message.side)
                message.number = imported.exchange.messages.total
                imported.messages.append(message)
            }
        }
    }

    private func message(_ value: JSONValue, _ kind: StreamMessage.Kind, started: Int64) -> StreamMessage {
        let isSent = kind != .event && value["type"]?.string == "send"
        let opcode = UInt8(clamping: value[kind == .grpc ? "flags" : "opcode"]?.integer ?? 0)
        let payload = payload(value, kind, opcode)
        let size = max(Int64(payload.count), ArchiveFields.length(value["_size"]) ?? 0)
        var message = StreamMessage(
            side: isSent ? .request : .response,
            time: HARMessageReader.microseconds(value["time"]) ?? started,
            kind: kind,
            opcode: kind == .event ? 0 : opcode,
            wireBytes: ArchiveFields.length(value["_wireBytes"]) ?? size,
            size: size,
            payload: ByteBuffer(bytes: payload)
        )
        message.isCompressed = value["_compressed"]?.boolean ?? false
        message.problem = value["_problem"]?.string
        switch kind {
        case .webSocket:
            if opcode == WebSocketOpcode.close.rawValue, payload.count >= 2 {
                message.status = Int(payload[0]) << 8 | Int(payload[1])
            }
        case .event:
            message.eventName = value["eventName"]?.string.flatMap { $0 == "message" || $0.isEmpty ? nil : $0 }
            message.eventID = value["eventId"]?.string.flatMap { $0.isEmpty ? nil : $0 }
        case .grpc: message.status = value["status"]?.integer.flatMap { Int(exactly: $0) }
        }
        return message
    }

    private func payload(_ value: JSONValue, _ kind: StreamMessage.Kind, _ opcode: UInt8) -> [UInt8] {
        let text = ArchiveFields.text(value["data"])
        let isBase64 =
            switch kind {
            case .webSocket: opcode != WebSocketOpcode.text.rawValue || value["_encoding"]?.string == "base64"
            case .event: false
            case .grpc: value["encoding"]?.string == "base64"
            }
        return (isBase64 ? Base64Decoder.bytes(text) : nil) ?? Array(text.utf8)
    }

    /// Seconds as microseconds.
    private static func microseconds(_ value: JSONValue?) -> Int64? {
        guard let number = value?.number, number >= 0, number < 1e11 else { return nil }
        return Int64((number * 1_000_000).rounded())
    }
}
