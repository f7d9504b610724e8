import NIOCore
import Traffic

/// Reads the messages of an exchange's stream for the record, from copies of the bytes that pass; does nothing for an exchange without a stream.
struct MessageCapture {
    /// How many messages were told.
    private(set) var counts = MessageCounts()
    /// What was wrong with the bytes, one sentence each; `takeWarnings` takes them.
    private var warnings: [String] = []
    private var request: StreamReader?
    private var response: StreamReader?
    private var (isRequestStream, isResponseStream) = (false, false)
    private let limits: MessageLimits
    private let client: ClientHoldings
    /// Payload bytes of each side that are kept.
    private let totalBytes: Int64

    init(limits: MessageLimits, totalBytes: Int64, client: ClientHoldings = ClientHoldings()) {
        self.limits = limits
        self.totalBytes = totalBytes
        self.client = client
    }

    /// Whether the bytes of a side are read.
    func reads(_ side: MessageSide) -> Bool { reader(side) != nil }

    /// Whether a side's body is a stream of messages, even one that is not read, or is read no longer.
    func isStream(_ side: MessageSide) -> Bool { side == .request ? isRequestStream : isResponseStream }

    /// Whether a side of a WebSocket is between two frames.
    func isBetweenFrames(_ side: MessageSide) -> Bool { reader(side)?.isBetweenFrames == true }

    /// Whether a part of a WebSocket's message came last on a side, and not the whole of it; false where that is not known.
    func isWithinMessage(_ side: MessageSide) -> Bool { reader(side)?.isWithinMessage == true }

    /// Whether bytes wait for another turn of the loop.
    var isWaiting: Bool { request?.isWaiting == true || response?.isWaiting == true }

    /// The code of the close frame that a side of a WebSocket has sent, 1005 where it had none; `nil` where no close frame came.
    func closeCode(_ side: MessageSide) -> Int? { reader(side)?.closeCode }

    /// Whether bytes came that are no WebSocket's, so that its end cannot be read.
    var isUnread: Bool { request?.webSocket?.isStopped == true || response?.webSocket?.isStopped == true }

    /// What the frames of a WebSocket that came so far say of its end.
    var frames: WebSocketFrames {
        WebSocketFrames(
            isRequestClosed: closeCode(.request) != nil,
            isResponseClosed: closeCode(.response) != nil,
            isUnread: isUnread
        )
    }

    // MARK: Beginning

    /// Begins a message with these fields, whose body may be a stream of messages.
    mutating func begin(_ side: MessageSide, _ fields: HeaderList, _ loop: LoopAllowance) {
        guard let value = fields.first("content-type"), Self.mayBeStream(value), let type = MediaType(value) else {
            return
        }
        let isEvents = side == .response && type.essence == "text/event-stream"
        guard isEvents || Self.isOne(type, of: Self.gRPC + [Self.gRPCText]) else { return }
        switch side {
        case .request: isRequestStream = true
        case .response: isResponseStream = true
        }
        let reader = StreamReader(loop, client)
        if isEvents {
            reader.events = EventStreamReader(limits: limits)
        } else if Self.isOne(type, of: Self.gRPC) {
            reader.grpc = GRPCReader(
                side: side,
                coding: fields.first("grpc-encoding"),
                limits: limits,
                allowance: reader.allowance
            )
        } else {
            return
        }
        reader.codings = ContentCoding.names(of: fields)
        set(reader, side)
    }

    /// Reads both sides' bytes as frames of a WebSocket from now on.
    mutating func beginWebSocket(_ compression: WebSocketCompression, _ loop: LoopAllowance) {
        for side in [MessageSide.request, .response] {
            let reader = StreamReader(loop, client)
            reader.webSocket = WebSocketMessageReader(
                side: side,
                compression: compression,
                limits: limits,
                allowance: reader.allowance
            )
            set(reader, side)
        }
    }

    private func reader(_ side: MessageSide) -> StreamReader? { side == .request ? request : response }

    private mutating func set(_ reader: StreamReader?, _ side: MessageSide) {
        switch side {
        case .request: request = reader
        case .response: response = reader
        }
    }

    /// A cheap first look at a Content-Type: its first letters.
    private static func mayBeStream(_ value: String) -> Bool {
        let start = value.utf8.prefix(13).map(ASCII.lower)
        return start.starts(with: "text/e".utf8) || start.starts(with: "application/g".utf8)
    }

    private static let gRPC = ["application/grpc", "application/grpc-web"]
    /// The text form of gRPC-Web, which is base64 that no reader here undoes.
    private static let gRPCText = "application/grpc-web-text"

    private static func isOne(_ type: MediaType, of essences: [String]) -> Bool {
        essences.contains { type.essence == $0 || type.essence.hasPrefix($0 + "+") }
    }

    // MARK: Reading

    /// Reads the next bytes of a side and gives the messages that are complete, each as soon as it is.
    mutating func read(_ side: MessageSide, _ bytes: ByteBuffer, time: Int64, _ give: (StreamMessage) -> Void) {
        guard let reader = reader(side) else { return }
        read(reader, side, bytes, time: time, give)
    }

    /// Reads bytes that had to wait for another turn of the loop, as far as this turn allows.
    mutating func readOn(time: Int64, _ give: (StreamMessage) -> Void) {
        for side in [MessageSide.request, .response] {
            guard let reader = reader(side), reader.isWaiting else { continue }
            read(reader, side, ByteBuffer(), time: time, give)
        }
    }

    private mutating func read(
        _ reader: StreamReader,
        _ side: MessageSide,
        _ bytes: ByteBuffer,
        time: Int64,
        isLast: Bool = false,
        _ give: (StreamMessage) -> Void
    ) {
        reader.read(bytes, time: time, isLast: isLast) { tell($0, reader, give) }
        warnings += reader.takeWarnings()
        // What is damaged has an end all the same, of which a gRPC call's status is read.
        if reader.isCut { set(nil, side) }
    }

    /// Ends both sides, since nothing more comes, and gives what is left: cut messages, and the status of a gRPC call.
    mutating func finish(_ response: Message?, time: Int64, _ give: (StreamMessage) -> Void) {
        for side in [MessageSide.request, .response] {
            guard let reader = reader(side) else { continue }
            if reader.isWaiting { read(reader, side, ByteBuffer(), time: time, isLast: true, give) }
            reader.finish(time: time) { tell($0, reader, give) }
            warnings += reader.takeWarnings()
            if reader.lostCount > 0 { warnings.append("Messages that were not kept: \(reader.lostCount).") }
        }
        if let reader = self.response, reader.grpc != nil, let response {
            for message in Self.trailers(of: response, time: time) { keep(message, reader, give) }
        }
        request = nil
        self.response = nil
    }

    /// Takes the warnings since the last call.
    mutating func takeWarnings() -> [String] {
        defer { warnings = [] }
        return warnings
    }

    private mutating func tell(_ message: StreamMessage, _ reader: StreamReader, _ give: (StreamMessage) -> Void) {
        if !reader.allowance.tell(), reader.stopDecoding() { return }
        if reader.allowance.isFull { lose(reader) } else { keep(message, reader, give) }
    }

    private mutating func keep(_ message: StreamMessage, _ reader: StreamReader, _ give: (StreamMessage) -> Void) {
        var message = message
        let kept = Int64(message.payload.readableBytes)
        if reader.keptBytes + kept > totalBytes {
            message.payload = ByteBuffer()
            message.problem =
                "This side's messages have \(totalBytes) bytes already, so only the size of this one is kept."
        } else {
            reader.keptBytes += kept
        }
        counts.add(message.side)
        give(message)
    }

    private mutating func lose(_ reader: StreamReader) {
        if reader.lostCount == 0 {
            warnings.append(
                "More messages came at one go than the record had room for; those behind them were not kept."
            )
        }
        reader.lostCount += 1
    }

    /// The status of a gRPC call, from the trailers, or from the head of a response without content.
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
