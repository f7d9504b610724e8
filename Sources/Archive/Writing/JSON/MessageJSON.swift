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

    /// Writes the messages of an exchange as the elements of the open array, handing bytes on as they come, up to the first for which there is no room.
    ///
    /// - Parameters:
    ///   - exchange: the exchange.
    ///   - source: its messages.
    ///   - contents: the room in the entry; `nil` where there is room for all.
    ///   - json: the writer.
    ///   - handOn: may take bytes out of the writer.
    ///   - write: writes one message as one value.
    /// - Returns: how many messages there was no room for.
    /// - Throws: what `source` and `handOn` throw.
    static func writeAll(
        of exchange: Exchange,
        from source: MessageSource,
        _ contents: EntryContents?,
        to json: inout JSONWriter,
        handOn: (inout JSONWriter) throws -> Void,
        write: (StreamMessage, inout JSONWriter) -> Void
    ) throws -> Int64 {
        if contents?.isOutline == true { return 0 }
        // An entry that is too long already does not come back, so it gets all of them.
        let isTooLong = contents?.bounds.map { !json.isWithin($0) } ?? false
        let bounds = isTooLong ? nil : contents?.messageBounds
        var (last, leftOut): (Int64, Int64) = (0, 0)
        var isFull = false
        while exchange.mayHaveMessages {
            let page = try source(exchange.id, last)
            guard let end = page.last, end.number > last else { break }
            last = end.number
            for message in page {
                if let bounds {
                    let attempt = isFull ? .full : json.attempt(within: bounds) { write(message, &$0) }
                    if attempt == .full { isFull = true }
                    if attempt != .written { leftOut += 1 }
                } else {
                    write(message, &json)
                }
                try handOn(&json)
            }
        }
        return leftOut
    }
}
