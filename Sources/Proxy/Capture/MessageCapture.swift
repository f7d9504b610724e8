import NIOCore
import Traffic

/// Reads the messages of an exchange's stream for the record, from copies of the bytes that pass; does nothing for an exchange without one.
struct MessageCapture {
    /// How the bytes of one side are read; one of them is there.
    ///
    /// A class, because most exchanges have none and every exchange would carry its room.
    private final class Reader {
        var webSocket: WebSocketMessageReader?
        var events: EventStreamReader?
        var grpc: GRPCReader?
        /// Undoes the content coding of an event stream or a gRPC body.
        var decoder: ContentDecoder?
        var allowance = DecompressionAllowance()
        /// Payload bytes that were kept of this side.
        var keptBytes: Int64 = 0
        /// Whether the decoder's problem was told.
        var hasWarned = false

        init(webSocket: WebSocketMessageReader? = nil) { self.webSocket = webSocket }
    }

    /// How many were told.
    private(set) var counts = MessageCounts()
    /// What was odd, one sentence each; taken by `takeWarnings`.
    private var warnings: [String] = []
    private var request: Reader?
    private var response: Reader?
    private let limits: MessageLimits
    /// Payload bytes of each side that are kept.
    private let totalBytes: Int64

    init(limits: MessageLimits, totalBytes: Int64) {
        self.limits = limits
        self.totalBytes = totalBytes
    }

    /// Whether the bytes of a side are read.
    func reads(_ side: MessageSide) -> Bool { (side == .request ? request : response) != nil }

    /// The code of the close frame that a side of a WebSocket has sent, 1005 where it had none; `nil` where no close frame came.
    func closeCode(_ side: MessageSide) -> Int? { (side == .request ? request : response)?.webSocket?.closeCode }

    /// Whether bytes came that are no WebSocket, so that nothing more is known of how it ends.
    var isUnread: Bool { request?.webSocket?.isStopped == true || response?.webSocket?.isStopped == true }

    // MARK: Beginning

    /// A message begins whose head has these fields: its body may be a stream of messages.
    mutating func begin(_ side: MessageSide, _ fields: HeaderList) {
        guard let value = fields.first("content-type"), Self.mayBeStream(value), let type = MediaType(value) else {
            return
        }
        let reader = Reader()
        if side == .response, type.essence == "text/event-stream" {
            reader.events = EventStreamReader(limits: limits)
        } else if Self.isGRPC(type) {
            reader.grpc = GRPCReader(side: side, coding: fields.first("grpc-encoding"), limits: limits)
        } else {
            return
        }
        let codings = ContentCoding.names(of: fields)
        if !codings.isEmpty {
            let burstBytes = DecompressionAllowance.burstBytes
            reader.decoder = ContentDecoder(names: codings, limitBytes: .max, burstLimitBytes: burstBytes)
        }
        switch side {
        case .request: request = reader
        case .response: response = reader
        }
    }

    /// From now on both sides' bytes are frames of a WebSocket.
    mutating func beginWebSocket(_ compression: WebSocketCompression) {
        request = Reader(webSocket: WebSocketMessageReader(side: .request, compression: compression, limits: limits))
        response = Reader(webSocket: WebSocketMessageReader(side: .response, compression: compression, limits: limits))
    }

    /// A cheap first look at a Content-Type: its first letters.
    private static func mayBeStream(_ value: String) -> Bool {
        let start = value.utf8.prefix(13).map(ASCII.lower)
        return start.starts(with: "text/e".utf8) || start.starts(with: "application/g".utf8)
    }

    private static func isGRPC(_ type: MediaType) -> Bool {
        // The text form of gRPC-Web is base64, which no reader here undoes.
        ["application/grpc", "application/grpc-web"].contains { type.essence == $0 || type.essence.hasPrefix($0 + "+") }
    }

    // MARK: Reading

    /// Reads the next bytes of a side and gives the messages that are complete.
    mutating func read(_ side: MessageSide, _ bytes: ByteBuffer, time: Int64, _ give: (StreamMessage) -> Void) {
        var told: [StreamMessage] = []
        switch side {
        case .request: Self.read(bytes, time, &request, &warnings) { told.append($0) }
        case .response: Self.read(bytes, time, &response, &warnings) { told.append($0) }
        }
        for message in told { tell(message, give) }
    }

    /// Says that nothing more comes on either side, and gives what is left: cut messages, and the status of a gRPC call.
    mutating func finish(_ response: Message?, time: Int64, _ give: (StreamMessage) -> Void) {
        var told: [StreamMessage] = []
        Self.finish(time, &request, &warnings) { told.append($0) }
        Self.finish(time, &self.response, &warnings) { told.append($0) }
        if self.response?.grpc != nil, let response { told += Self.trailers(of: response, time: time) }
        for message in told { tell(message, give) }
        request = nil
        self.response = nil
    }

    /// Hands over what was found odd since the last time.
    mutating func takeWarnings() -> [String] {
        defer { warnings = [] }
        return warnings
    }

    private mutating func tell(_ message: StreamMessage, _ give: (StreamMessage) -> Void) {
        var message = message
        let kept = Int64(message.payload.readableBytes)
        let before = (message.side == .request ? request : response)?.keptBytes ?? 0
        if before + kept > totalBytes {
            message.payload = ByteBuffer()
            message.problem =
                "This side's messages have \(totalBytes) bytes already, so only the size of this one is kept."
        } else if message.side == .request {
            request?.keptBytes += kept
        } else {
            response?.keptBytes += kept
        }
        counts.add(message.side)
        give(message)
    }

    private static func read(
        _ bytes: ByteBuffer,
        _ time: Int64,
        _ reader: inout Reader?,
        _ warnings: inout [String],
        _ give: (StreamMessage) -> Void
    ) {
        guard reader?.webSocket == nil else {
            reader?.webSocket?.read(bytes, time: time, give)
            return
        }
        reader?.allowance.beginBurst()
        reader?.grpc?.beginBurst()
        guard let decoder = reader?.decoder else {
            bytes.withUnsafeReadableBytes { read($0, time, &reader, give) }
            return
        }
        reader?.allowance.take(bytes.readableBytes)
        // Bounded by the decoder, which counts what its stages give to each other too.
        bytes.withUnsafeReadableBytes { coded in
            decoder.write(coded) { made in
                if reader?.allowance.make(made.count) == true {
                    read(made, time, &reader, give)
                } else {
                    decoder.stop("it decompresses to far more than came")
                }
            }
        }
        if let problem = decoder.problem, reader?.hasWarned == false {
            reader?.hasWarned = true
            warnings.append("The messages of this stream cannot be read any further (\(problem)).")
        }
        // What is damaged has an end all the same, of which a gRPC call's status is read.
        if decoder.isCut || reader?.allowance.isSpent == true { reader = nil }
    }

    private static func read(
        _ bytes: UnsafeRawBufferPointer,
        _ time: Int64,
        _ reader: inout Reader?,
        _ give: (StreamMessage) -> Void
    ) {
        reader?.events?.read(bytes, time: time, give)
        reader?.grpc?.read(bytes, time: time, give)
    }

    private static func finish(
        _ time: Int64,
        _ reader: inout Reader?,
        _ warnings: inout [String],
        _ give: (StreamMessage) -> Void
    ) {
        reader?.webSocket?.finish(time: time, give)
        reader?.grpc?.finish(time: time, give)
        warnings += (reader?.webSocket?.warnings ?? []) + (reader?.grpc?.warnings ?? [])
    }

    /// The status of a gRPC call: in the trailers, or in the head of a response that has nothing else.
    private static func trailers(of response: Message, time: Int64) -> [StreamMessage] {
        let fields = response.trailers.map { HeaderList(trailers: $0) } ?? response.fields
        guard let status = fields.first("grpc-status") else { return [] }
        var payload = response.trailers ?? ByteBuffer()
        if response.trailers == nil {
            for field in fields where ASCII.lower(field.name).hasPrefix("grpc-") {
                payload.writeString("\(field.name): \(field.value)\r\n")
            }
        }
        let size = Int64(payload.readableBytes)
        var message = StreamMessage(
            side: .response,
            time: time,
            kind: .grpc,
            opcode: StreamMessage.grpcTrailers,
            wireBytes: size,
            size: size,
            payload: payload
        )
        message.status = Int(status)
        return [message]
    }
}
