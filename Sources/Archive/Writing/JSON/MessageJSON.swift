import NIOCore
package import Traffic

/// One message of a stream as JSON.
package struct MessageJSON {
    private let message: StreamMessage
    /// When its exchange began: microseconds since 1970-01-01T00:00:00Z.
    private let started: Int64

    package init(_ message: StreamMessage, started: Int64) {
        self.message = message
        self.started = started
    }

    /// Writes the object; null is written, never left out, and the payload is `text` or `base64`.
    package func write(to json: inout JSONWriter) {
        json.object { json in
            json.integer("number", message.number)
            json.string("direction", message.side == .request ? "send" : "receive")
            json.string("time", Timestamp.text(microseconds: message.time))
            json.milliseconds("afterMs", microseconds: message.time - started)
            json.string("kind", message.kind.rawValue)
            json.string("label", message.label)
            json.integer("opcode", message.kind == .event ? nil : Int(message.opcode))
            json.string("event", message.eventName)
            json.string("eventId", message.eventID)
            json.integer("status", message.status)
            json.integer("wireBytes", message.wireBytes)
            json.integer("size", message.size)
            json.boolean("truncated", message.isTruncated)
            json.boolean("compressed", message.isCompressed)
            json.string("problem", message.problem)
            if let text = message.text {
                json.string("text", text)
            } else {
                json.string("base64", Base64Encoder.text(Array(message.payload.readableBytesView)))
            }
        }
    }

    /// Writes every message of an exchange as the elements of the open array, handing bytes on as they come.
    static func writeAll(
        of exchange: Exchange,
        from source: MessageSource,
        to json: inout JSONWriter,
        handOn: (inout JSONWriter) throws -> Void,
        write: (StreamMessage, inout JSONWriter) -> Void
    ) throws {
        var last: Int64 = 0
        while exchange.mayHaveMessages {
            let page = try source(exchange.id, last)
            guard let end = page.last, end.number > last else { return }
            last = end.number
            for message in page {
                write(message, &json)
                try handOn(&json)
            }
        }
    }
}
