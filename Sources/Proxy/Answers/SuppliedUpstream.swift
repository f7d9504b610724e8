import NIOCore
import NIOHTTP2
import Traffic

/// What answers one exchange without an upstream: it keeps the request, asks a source, and tells what that gives as an upstream's would be told.
final class SuppliedUpstream: Upstream {
    private let source: any AnswerSource
    private let route: RequestRoute
    private let loop: ProxyLoop
    /// `nil` once it is done with.
    private var exchange: ExchangeShell?
    /// The request's content so far, at most `AskedRequest.bodyLimitBytes` of it.
    private var request = ByteBuffer()
    private var isRequestWhole = true
    /// What is left of the response; `nil` before it begins, and when there is no more.
    private var body: (any SuppliedBody)?
    /// Whether a piece was asked for and has not come.
    private var isAwaitingPiece = false
    /// Bytes of the response that its head still promises; `nil` where it does not say how many.
    private var leftBytes: Int64?

    init(_ source: any AnswerSource, _ route: RequestRoute, for exchange: ExchangeShell) {
        self.source = source
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

    /// Lets a client send its body that waits to be asked for it (RFC 9110 §10.1.1).
    func sendHead(of exchange: ExchangeShell) {
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
        let room = AskedRequest.bodyLimitBytes - request.readableBytes
        isRequestWhole = isRequestWhole && content.readableBytes <= room
        if let kept = content.getSlice(at: content.readerIndex, length: min(room, content.readableBytes)) {
            request.writeImmutableBuffer(kept)
        }
    }

    /// The request is whole: asks for its answer.
    func sendEnd(_ trailers: ByteBuffer?) {
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
            isBodyWhole: isRequestWhole,
            asksForWebSocket: head.asksForWebSocket || head.extendedProtocol != nil,
            isFromThisMachine: exchange.client.connection.isFromThisMachine
        )
        request = ByteBuffer()
        let bound = NIOLoopBound(self, eventLoop: loop.loop)
        source.answer(asked) { answer in
            bound.eventLoop.execute { bound.value.take(answer) }
        }
    }

    /// Whether a client takes us for the server, as far as its request tells: an HTTP/2 request without a tunnel tells nothing.
    private func isAddressedHere(_ head: RequestHead, _ connection: ClientConnection) -> Bool {
        switch connection.route {
        case .explicit: head.version == .http2 || head.isForOrigin
        case .inside: connection.naming == .host && head.isForOrigin
        }
    }

    /// Nothing is given behind what was switched to another protocol.
    func endOutput() { exchange?.upstreamEnded(nil) }

    /// What was written is there already.
    func flush() {}

    // MARK: The response

    private func take(_ answer: SuppliedAnswer) {
        guard let exchange, !exchange.isDeaf else { return }
        switch answer {
        case .failure(let failure): exchange.tell(.upstreamBroken(failure))
        case .close:
            // As the break of a response under way: the client sees that there is none.
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
            // What it was recorded in may be gone.
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
        if let exchange { exchange.tell(.upstreamBroken(exchange.upstreamFailure(.receive, .broken, message))) }
    }

    // MARK: Its end

    func release(from exchange: ExchangeShell) { leave() }

    func drop(_ code: HTTP2ErrorCode) { leave() }

    private func leave() {
        exchange = nil
        body = nil
    }

    /// It is nowhere.
    func isNear(_ listeners: OwnListeners) -> Bool { false }

    /// It takes whatever it is sent, at once.
    func look(_ progress: inout SocketProgress, _ now: NIODeadline) {}

    /// A source that is slow for one request need not be for the next.
    func wasSilent(since: NIODeadline) {}
}
