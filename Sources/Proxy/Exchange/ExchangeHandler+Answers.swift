import NIOCore
import Traffic

/// How an exchange is answered without an upstream: the request is kept, a source is asked, what it gives is told as an upstream's would be.
extension ExchangeHandler {
    /// Begins to answer the exchange under way; there is no connection, so there is nothing to wait for.
    func beginSupplied() {
        let now = loop.now
        live?.supplied = SuppliedExchange()
        live?.ready = now
        live?.active = now
        tell(.upstreamReady(isReused: false))
    }

    /// Lets a client send its body that waits to be asked for it (RFC 9110 §10.1.1).
    func inviteBody() {
        guard live?.supplied != nil, let head = live?.head, Expectation.isMade(by: head),
            let interim = try? HTTP1HeadParser.response(
                ByteBuffer(staticString: "HTTP/1.1 100 Continue\r\n\r\n"),
                to: head.method,
                limits: loop.configuration.headLimits
            )
        else { return }
        upstreamSent(interim)
    }

    /// The request is whole: asks for its answer.
    func askForAnswer() {
        guard let live, let source = live.source, let supplied = live.supplied, let head = live.head,
            let route = live.route
        else { return }
        let token = live.token
        let request = AskedRequest(
            method: head.method,
            scheme: route.scheme,
            endpoint: route.endpoint,
            isAddressedHere: isAddressedHere(head),
            target: live.tap.exchange.target,
            fields: head.fields,
            body: supplied.request,
            isBodyWhole: supplied.isRequestWhole,
            asksForWebSocket: head.asksForWebSocket || head.extendedProtocol != nil,
            isFromThisMachine: connection.isFromThisMachine
        )
        self.live?.supplied?.request = ByteBuffer()
        let bound = NIOLoopBound(self, eventLoop: loop.loop)
        let eventLoop = loop.loop
        source.answer(request) { answer in
            eventLoop.execute { bound.value.take(answer, for: token) }
        }
    }

    /// Whether a client takes us for the server, as far as its request tells: an HTTP/2 request without a tunnel tells nothing.
    private func isAddressedHere(_ head: RequestHead) -> Bool {
        switch connection.route {
        case .explicit: head.version == .http2 || head.isForOrigin
        case .inside: connection.naming == .host && head.isForOrigin
        }
    }

    private func take(_ answer: SuppliedAnswer, for token: CaptureToken) {
        guard live?.token == token, live?.machine.isHeld == false else { return }
        switch answer {
        case .failure(let failure): tell(.upstreamBroken(failure))
        case .close:
            // As the break of a response under way: the client sees that there is none.
            let failure = upstreamFailure(.wait, .closed, "closed the connection when it was recorded")
            live?.supplied = nil
            tell(.clientGone(ExchangeFailure(side: .proxy, phase: .wait, cause: .closed, message: failure.message)))
        case .response(let raw, let body):
            do throws(MessageProblem) {
                let method = live?.head?.method ?? ""
                let head = try HTTP1HeadParser.response(raw, to: method, limits: loop.configuration.headLimits)
                live?.supplied?.body = body
                upstreamSent(head)
                if body == nil || head.framing == .none {
                    live?.supplied?.body = nil
                    upstreamEnded(nil)
                } else {
                    upstreamBurstEnded()
                    resumeSupply()
                }
            } catch {
                tell(
                    .upstreamBroken(
                        upstreamFailure(.wait, error.cause, "has an answer that is not HTTP. \(error.message)")
                    )
                )
            }
        }
    }

    /// Asks for the next piece of the response, if the client can take it and none is on its way.
    func resumeSupply() {
        guard let live, let body = live.supplied?.body, live.supplied?.isAwaitingPiece == false, takesResponse else {
            return
        }
        let token = live.token
        self.live?.supplied?.isAwaitingPiece = true
        let bound = NIOLoopBound(self, eventLoop: loop.loop)
        let eventLoop = loop.loop
        body.next { piece in
            eventLoop.execute { bound.value.take(piece, for: token) }
        }
    }

    private func take(_ piece: Result<ByteBuffer, any Error>, for token: CaptureToken) {
        guard live?.token == token, live?.supplied?.body != nil, live?.machine.isHeld == false else { return }
        live?.supplied?.isAwaitingPiece = false
        switch piece {
        case .success(let bytes) where bytes.readableBytes > 0:
            upstreamSent(bytes)
            upstreamBurstEnded()
            resumeSupply()
        case .success:
            live?.supplied?.body = nil
            upstreamEnded(nil)
        case .failure(let error):
            live?.supplied?.body = nil
            tell(.upstreamBroken(upstreamFailure(.receive, .broken, "has no more of the body: \(error)")))
        }
    }
}
