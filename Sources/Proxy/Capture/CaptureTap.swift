import NIOCore
import Traffic

/// Records one exchange as it passes, and tells the lane: a short exchange in one event at its end, a longer one as it goes.
struct CaptureTap {
    /// The record so far.
    var exchange: Exchange
    let token: CaptureToken
    private var requestBody: BodyCapture
    private var responseBody: BodyCapture
    /// The messages of its stream, where it has one.
    private(set) var messages: MessageCapture
    /// Whether the store has been told that it is open.
    private(set) var isOpened = false
    /// Whether something came since the store was last told.
    private var hasNews = false

    init(
        _ exchange: Exchange,
        token: CaptureToken,
        bodyLimitBytes: Int64,
        messageLimits: MessageLimits = .init(),
        client: ClientHoldings = ClientHoldings()
    ) {
        self.exchange = exchange
        self.token = token
        requestBody = BodyCapture(limitBytes: bodyLimitBytes)
        responseBody = BodyCapture(limitBytes: bodyLimitBytes)
        messages = MessageCapture(limits: messageLimits, totalBytes: bodyLimitBytes, client: client)
    }

    /// Begins a message of the exchange, whose body may be a stream of messages.
    mutating func begin(_ side: MessageSide, _ fields: HeaderList, _ lane: CaptureLane) {
        messages.begin(side, fields, lane.allowance)
    }

    /// Notes that the connection becomes a WebSocket: its bytes are kept as messages and not as bodies, which are still measured.
    mutating func beginWebSocket(_ compression: WebSocketCompression, _ lane: CaptureLane) {
        requestBody = BodyCapture(limitBytes: 0)
        responseBody = BodyCapture(limitBytes: 0)
        messages.beginWebSocket(compression, lane.allowance)
        open(lane)
    }

    /// Takes the next bytes of a body.
    mutating func body(_ side: MessageSide, _ bytes: ByteBuffer, _ lane: CaptureLane) {
        let piece = side == .request ? requestBody.take(bytes) : responseBody.take(bytes)
        if let piece {
            open(lane)
            lane.add(.body(token, side, piece), bytes: piece.readableBytes)
        }
        if messages.reads(side) {
            // Messages come after it, each as soon as it is read.
            open(lane)
            let token = token
            messages.read(side, bytes, time: lane.timeOfDay) {
                lane.add(.message(token, $0), bytes: $0.weightBytes)
            }
            noteMessages()
        }
        hasNews = true
    }

    /// Reads messages that had to wait for another turn of the loop.
    private mutating func readWaiting(_ lane: CaptureLane) {
        guard messages.isWaiting else { return }
        let token = token
        messages.readOn(time: lane.timeOfDay) { lane.add(.message(token, $0), bytes: $0.weightBytes) }
        noteMessages()
        hasNews = true
    }

    private mutating func noteMessages() {
        exchange.messages = messages.counts
        exchange.warnings += messages.takeWarnings()
    }

    /// Notes a change of the record that readers of the store should see.
    mutating func note() { hasNews = true }

    /// Tells the store that the exchange is open, with what is known of it.
    mutating func open(_ lane: CaptureLane) {
        guard !isOpened else { return }
        isOpened = true
        exchange.ownBytes()
        // The gathered bytes of the bodies are not told yet.
        hasNews = requestBody.gathered.readableBytes > 0 || responseBody.gathered.readableBytes > 0
        measure(isFinal: false)
        lane.add(.opened(token, exchange), bytes: exchange.weightBytes)
    }

    /// Tells the store what came since it was last told: body bytes gathered so far, and the record; nothing while there is no room.
    mutating func refresh(_ lane: CaptureLane) {
        guard isOpened, !lane.isCongested else { return }
        readWaiting(lane)
        guard hasNews else { return }
        hasNews = false
        // The response's head is a slice of a read, which it would keep for as long as the exchange is open.
        exchange.ownBytes()
        tellBodies(lane)
        // The heads were counted as it opened, or will be as it ends.
        lane.add(.changed(token, exchange), bytes: Exchange.overheadBytes)
    }

    /// Tells the store a response that is whole while its request goes on; `then` is called once that is committed, or cannot be recorded.
    mutating func answered(_ lane: CaptureLane, then: @escaping () -> Void) {
        open(lane)
        hasNews = false
        exchange.ownBytes()
        tellBodies(lane)
        lane.add(.changed(token, exchange), bytes: exchange.weightBytes, then: then)
    }

    /// Tells the store the body bytes gathered so far, and measures both bodies.
    private mutating func tellBodies(_ lane: CaptureLane) {
        if requestBody.gathered.readableBytes > 0 {
            let piece = requestBody.handOn()
            lane.add(.body(token, .request, piece), bytes: piece.readableBytes)
        }
        if responseBody.gathered.readableBytes > 0 {
            let piece = responseBody.handOn()
            lane.add(.body(token, .response, piece), bytes: piece.readableBytes)
        }
        measure(isFinal: false)
    }

    /// Tells the store that the exchange ended; `waiter` is called when that is committed.
    mutating func end(_ lane: CaptureLane, waiter: @escaping CaptureLane.Waiter) {
        exchange.ownBytes()
        var told: [StreamMessage] = []
        messages.finish(exchange.response, time: lane.timeOfDay) { told.append($0) }
        noteMessages()
        if !told.isEmpty { open(lane) }
        for message in told { lane.add(.message(token, message), bytes: message.weightBytes) }
        measure(isFinal: true)
        let request = requestBody.handOn()
        let response = responseBody.handOn()
        lane.end(
            .ended(token, exchange, request: request, response: response),
            bytes: request.readableBytes + response.readableBytes + exchange.weightBytes,
            waiter: waiter
        )
    }

    private mutating func measure(isFinal: Bool) {
        exchange.request.body = requestBody.measure(isFinal: isFinal)
        if exchange.response != nil { exchange.response?.body = responseBody.measure(isFinal: isFinal) }
    }
}
