import NIOCore
import NIOHTTP2
import Traffic

/// What answers one exchange without an upstream: keeps the request, asks a source, and tells the exchange its answer as an upstream's is told.
final class SuppliedUpstream: Upstream {
    private let source: any AnswerSource
    private let route: RequestRoute
    private let loop: ProxyLoop
    /// Whether the source looks at nothing of the request behind its head, so that the answer need not wait for the request's end.
    private let isImmediate: Bool
    /// `nil` once it is done with.
    private var exchange: ExchangeShell?
    /// The request's content so far, its first `AskedRequest.bodyLimitBytes` at most.
    private var request = ByteBuffer()
    private var isRequestWhole = true
    /// The rest of the response's content; `nil` before the response begins, and when no more is left.
    private var body: (any SuppliedBody)?
    /// Whether a piece was asked for and has not come yet.
    private var isAwaitingPiece = false
    /// Bytes of content that the response's head promised and that have not come; `nil` where the head does not say how many.
    private var leftBytes: Int64?

    init(_ source: any AnswerSource, _ route: RequestRoute, for exchange: ExchangeShell, isImmediate: Bool = false) {
        self.source = source
        self.isImmediate = isImmediate
        self.route = route
        self.exchange = exchange
        loop = exchange.loop
    }

    let isReused = false
    let isStream = false
    let streamID: Int? = nil
    let mayLeaveEndUnsaid = false
    let isWritable = true

    // MARK: The request

    /// Asks the source at once where it needs no content; else answers 100 to a client that waits for that before it sends any (RFC 9110 §10.1.1).
    func sendHead(of exchange: ExchangeShell) {
        guard !isImmediate else { return ask() }
        let head = exchange.subject.head
        guard Expectation.isMade(by: head),
            let interim = try? HTTP1HeadParser.response(
                ByteBuffer(staticString: "HTTP/1.1 100 Continue\r\n\r\n"),
                to: head.method,
                limits: loop.configuration.headLimits
            )
        else { return }
        exchange.upstreamSent(interim)
    }

    func send(_ content: ByteBuffer) {
        // A rule has said its answer already.
        guard !isImmediate, !(source is RuleAnswerSource) else { return }
        let room = AskedRequest.bodyLimitBytes - request.readableBytes
        isRequestWhole = isRequestWhole && content.readableBytes <= room
        if let kept = content.getSlice(at: content.readerIndex, length: min(room, content.readableBytes)) {
            request.writeImmutableBuffer(kept)
        }
    }

    /// Asks the source for the answer, since the request is whole.
    func sendEnd(_ trailers: ByteBuffer?) { if !isImmediate { ask() } }

    private func ask() {
        guard let exchange else { return }
        let head = exchange.subject.head
        let asked = AskedRequest(
            method: head.method,
            scheme: route.scheme,
            endpoint: route.endpoint,
            isAddressedHere: isAddressedHere(head, exchange.client.connection),
            target: exchange.tap.exchange.target,
            fields: head.fields,
            body: request,
            isBodyWhole: isRequestWhole && !isImmediate,
            asksForWebSocket: head.asksForWebSocket || head.extendedProtocol != nil,
            isFromThisMachine: exchange.client.connection.isFromThisMachine
        )
        request = ByteBuffer()
        let bound = NIOLoopBound(self, eventLoop: loop.loop)
        source.answer(asked) { answer in
            bound.eventLoop.execute { bound.value.take(answer) }
        }
    }

    /// Whether a client takes us for the server, as far as its request tells; an HTTP/2 request outside a tunnel does not.
    private func isAddressedHere(_ head: RequestHead, _ connection: ClientConnection) -> Bool {
        switch connection.route {
        case .explicit: head.version == .http2 || head.isForOrigin
        case .inside: connection.naming == .host && head.isForOrigin
        }
    }

    /// Ends the response: nothing comes behind a switch to another protocol.
    func endOutput() { exchange?.upstreamEnded(nil) }

    /// Does nothing: what was written has arrived.
    func flush() {}

    // MARK: The response

    private func take(_ answer: SuppliedAnswer) {
        guard let exchange, !exchange.isDeaf else { return }
        switch answer {
        case .failure(let failure): exchange.tell(.upstreamBroken(failure))
        case .close:
            // Told as a response that breaks off: the client sees that none comes.
            let failure = exchange.upstreamFailure(.wait, .closed, "closed the connection when it was recorded")
            exchange.tell(
                .clientGone(ExchangeFailure(side: .proxy, phase: .wait, cause: .closed, message: failure.message))
            )
        case .response(let raw, let body):
            do throws(MessageProblem) {
                let method = exchange.subject.head.method
                let head = try HTTP1HeadParser.response(raw, to: method, limits: loop.configuration.headLimits)
                let hasBody = body != nil && head.framing != .none
                self.body = hasBody ? body : nil
                if case .length(let length) = head.framing { leftBytes = length }
                exchange.upstreamSent(head)
                guard hasBody else { return exchange.upstreamEnded(nil) }
                exchange.upstreamBurstEnded()
                resumeRead()
            } catch {
                let message = "has an answer that is not HTTP. \(error.message)"
                exchange.tell(.upstreamBroken(exchange.upstreamFailure(.wait, error.cause, message)))
            }
        }
    }

    /// Asks for the next piece of the response, if the client can take it and none is on its way.
    func resumeRead() {
        guard let body, !isAwaitingPiece, exchange?.takesResponse == true else { return }
        isAwaitingPiece = true
        let bound = NIOLoopBound(self, eventLoop: loop.loop)
        body.next { piece in
            bound.eventLoop.execute { bound.value.take(piece) }
        }
    }

    private func take(_ piece: Result<ByteBuffer, any Error>) {
        guard let exchange, body != nil, !exchange.isDeaf else { return }
        isAwaitingPiece = false
        switch piece {
        case .success(let bytes) where bytes.readableBytes > 0:
            leftBytes = leftBytes.map { $0 - Int64(bytes.readableBytes) }
            if let leftBytes, leftBytes < 0 { return fail("has more of the body than its head says") }
            exchange.upstreamSent(bytes)
            exchange.upstreamBurstEnded()
            resumeRead()
        case .success:
            // The recording may be gone by now.
            if let leftBytes, leftBytes > 0 {
                return fail("has \(leftBytes) bytes of the body less than its head says")
            }
            body = nil
            exchange.upstreamEnded(nil)
        case .failure(let error): fail("has no more of the body: \(error)")
        }
    }

    /// Breaks the response off; the message follows the upstream's address.
    private func fail(_ message: String) {
        body = nil
        if let exchange { exchange.upstreamFailed(exchange.upstreamFailure(.receive, .broken, message)) }
    }

    // MARK: Its end

    func release(from exchange: ExchangeShell) { leave() }

    func drop(_ code: HTTP2ErrorCode) { leave() }

    private func leave() {
        exchange = nil
        body = nil
    }

    /// False: it is on no machine.
    func isNear(_ listeners: OwnListeners) -> Bool { false }

    /// Does nothing: it takes everything at once.
    func look(_ progress: inout SocketProgress, _ now: NIODeadline) {}

    /// Does nothing: a source that is slow for one request may be quick for the next.
    func wasSilent(since: NIODeadline) {}
}
