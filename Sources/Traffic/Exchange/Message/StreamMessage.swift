package import NIOCore

/// One message of a stream within an exchange: a WebSocket message or control frame, a server-sent event, a gRPC message.
package struct StreamMessage: Hashable, Sendable {
    /// What the exchange's stream is made of; the raw value is the text of the JSON.
    package enum Kind: String, Hashable, Sendable, Codable, CaseIterable {
        /// A message or a control frame of a WebSocket (RFC 6455).
        case webSocket = "websocket"
        /// An event of an event stream (HTML §9.2).
        case event
        /// A length-prefixed message of gRPC, or the trailers that end a call.
        case grpc
    }

    /// Its place among the exchange's messages in the order they were told: 1, 2, 3 …; 0 before the store has given one.
    package var number: Int64 = 0
    /// Who sent it: `request` the client, `response` the upstream.
    package var side: MessageSide
    /// When its last byte passed: microseconds since 1970-01-01T00:00:00Z.
    package var time: Int64
    /// What it is.
    package var kind: Kind
    /// A WebSocket message's opcode (RFC 6455 §11.8), a gRPC message's flags with `grpcTrailers` for trailers; 0 for an event.
    package var opcode: UInt8
    /// Bytes it took in the stream: payloads of its frames, an event's lines, a gRPC message with its prefix.
    package var wireBytes: Int64
    /// Bytes of the whole payload, decompressed where that could be done.
    package var size: Int64
    /// The leading bytes of the payload that are kept, decompressed as `size` counts them.
    package var payload: ByteBuffer
    /// Whether it was sent compressed (RFC 7692 §7.2.3, gRPC's compressed flag).
    package var isCompressed = false
    /// A WebSocket's close code (RFC 6455 §7.4), a gRPC call's status; `nil` for every other message.
    package var status: Int?
    /// An event's type; `nil` where it named none, which means `message`.
    package var eventName: String?
    /// The last event ID that was known when an event was dispatched; `nil` where there was none.
    package var eventID: String?
    /// Why the payload is not the whole message as its author wrote it, as one sentence; `nil` when it is.
    package var problem: String?

    package init(
        side: MessageSide,
        time: Int64,
        kind: Kind,
        opcode: UInt8 = 0,
        wireBytes: Int64,
        size: Int64,
        payload: ByteBuffer
    ) {
        self.side = side
        self.time = time
        self.kind = kind
        self.opcode = opcode
        self.wireBytes = wireBytes
        self.size = size
        self.payload = payload
    }

    /// Whether less is kept than the message had.
    package var isTruncated: Bool { Int64(payload.readableBytes) < size }

    /// Whether it is a control frame of a WebSocket (RFC 6455 §5.5).
    package var isControl: Bool { kind == .webSocket && opcode & 0x8 != 0 }

    /// The flag by which gRPC-Web marks trailers (gRPC-Web protocol, "Message framing"); a row with it stands for a call's trailers.
    package static let grpcTrailers: UInt8 = 0x80

    /// The bytes that a message costs beside its payload, in memory and in the store: floods of empty messages count too.
    package static let overheadBytes = 128

    /// What it is in a word: text, binary, ping, pong, close, an event's type, message, trailers.
    package var label: String {
        switch kind {
        case .webSocket: WebSocketOpcode(rawValue: opcode)?.label ?? "opcode \(opcode)"
        case .event: eventName ?? "message"
        case .grpc: opcode & StreamMessage.grpcTrailers == 0 ? "message" : "trailers"
        }
    }

    /// The kept payload as text; `nil` when it is none, a cut within the last character aside.
    package var text: String? {
        if kind == .webSocket, opcode == WebSocketOpcode.binary.rawValue { return nil }
        if kind == .grpc, opcode & StreamMessage.grpcTrailers == 0 { return nil }
        var view = payload.readableBytesView[...]
        if opcode == WebSocketOpcode.close.rawValue, kind == .webSocket { view = view.dropFirst(2) }
        if let text = String(validating: view, as: UTF8.self) { return text }
        guard isTruncated else { return nil }
        for cut in 1...3 where view.count > cut {
            if let text = String(validating: view.dropLast(cut), as: UTF8.self) { return text }
        }
        return nil
    }
}
