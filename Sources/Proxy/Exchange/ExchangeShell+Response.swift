import NIOCore
import NIOHTTP2
import Traffic

/// What an exchange is told by its upstream.
extension ExchangeShell {
    /// Whether more of the response can be taken from the upstream now.
    var takesResponse: Bool { client.takesResponse && rules?.timing.gate?.isFull != true }

    /// An interim or the final response begins.
    func upstreamSent(_ head: ResponseHead) {
        if rules != nil, waits(.head(head)) { return }
        let now = loop.now
        marks.active = now
        marks.responded = now
        noteReplaced(head.raw, head.version, .response)
        if head.isInterim {
            tap.exchange.interim.append(head.raw)
            return tell(.interim(head))
        }
        if marks.firstByte == nil { marks.firstByte = now }
        guard head.code != 101 else {
            isUpstreamReusable = false
            return upstreamSwitched(head, sent: head.raw)
        }
        // An upstream may close behind a request of HTTP/1.0, whatever its response says (RFC 9112 §9.3).
        let isLast = subject.head.version == .http10 || head.framing == .untilClose
        isUpstreamReusable = !isLast && HopByHop.persists(head.fields, version: head.version)
        tap.exchange.code = head.code
        tap.exchange.mediaType = head.fields.first("content-type").flatMap(Self.mediaType)
        tap.begin(.response, head.fields, loop.lane)
        if rules?.mayTouchResponse == true {
            tap.exchange.response = Message(head: head.raw)
            return judgeResponse(head)
        }
        pass(head, inPlaceOf: head)
    }

    /// Passes the head of a final response on.
    ///
    /// - Parameters:
    ///   - head: what the client is to have.
    ///   - received: what came.
    func pass(_ head: ResponseHead, inPlaceOf received: ResponseHead) {
        let (part, sent) = client.head(of: head, for: self)
        if case .fields = part, head.raw.readableBytes > FrameSplitter.fieldsLimitBytes {
            let message = "answered with a head that is too long for HTTP/2"
            return tell(.upstreamBroken(upstreamFailure(.wait, .tooLong, message)))
        }
        responsePart = part
        tap.exchange.response = Message(head: received.raw, sentHead: sent ?? (head === received ? nil : head.raw))
        if head !== received {
            tap.exchange.code = head.code
            tap.exchange.mediaType = head.fields.first("content-type").flatMap(Self.mediaType)
        }
        if machine.opensWebSocket(head) { recordWebSocket(head) }
        marks.fill(&tap.exchange.timeline, at: loop.now, isFinal: false)
        tap.note()
        tell(.response(head))
    }

    /// The upstream's stream became the WebSocket that a client of HTTP/1.1 has asked for.
    ///
    /// - Parameters:
    ///   - head: the upstream's answer.
    ///   - sent: the answer for the client.
    func upstreamOpened(_ head: ResponseHead, sent: ByteBuffer) {
        if rules != nil, waits(.opened(head, sent: sent)) { return }
        let now = loop.now
        marks.active = now
        if marks.firstByte == nil { marks.firstByte = now }
        noteReplaced(head.raw, head.version, .response)
        isUpstreamReusable = true
        upstreamSwitched(head, sent: sent)
    }

    /// The next bytes of the response's content came.
    func upstreamSent(_ bytes: ByteBuffer) {
        if rules != nil, waits(.body(bytes)) { return }
        marks.active = loop.now
        marks.responded = marks.active
        if let rules { return upstreamSent(bytes, past: rules) }
        tap.body(.response, bytes, loop.lane)
        tell(.responseBody(bytes))
        tellFrames()
    }

    /// The response, or the upstream's half of a WebSocket, came to its end.
    func upstreamEnded(_ trailers: ByteBuffer?) {
        if rules != nil, waits(.ended(trailers)) { return }
        marks.active = loop.now
        guard !isWebSocket else {
            tellFrames()
            return tell(.responseEnd(nil))
        }
        if releaseResponse() { return putBack(.ended(trailers)) }
        if let rules {
            if let rest = rules.finish(.response) { pass(rest, grownBy: rest.readableBytes) }
            // A fault of a rule may have ended the exchange.
            guard self.rules === rules, !breaksOff(.response) else { return }
        }
        tap.exchange.response?.trailers = trailers
        noteReplaced(trailers, tap.exchange.upstreamVersion, .response)
        if client.version == .http2 { noteRewritten(trailers, tap.exchange.upstreamVersion, .response) }
        let head = trailers == nil ? nil : tap.exchange.response.map { HeaderList(head: $0.head) }
        tell(.responseEnd(ruledTrailers(trailersPart(trailers, of: head, .response), .response)))
    }

    /// Bytes came behind the end of the response.
    func upstreamSent(_ extra: ExtraBytes) {
        isUpstreamReusable = false
        tap.exchange.warnings.append(
            "\(extra.count) bytes followed the end of the response; they were not passed on."
        )
    }

    /// Bytes came that are not HTTP.
    func upstreamSent(_ malformed: MalformedMessage) {
        if rules != nil, waits(.malformed(malformed)) { return }
        if releaseResponse(gap: Self.brokenOff) { return putBack(.malformed(malformed)) }
        let phase = machine.waitPhase
        if phase == .wait, tap.exchange.response == nil {
            let kept = malformed.kept(limitBytes: 4_096, from: "the upstream")
            tap.exchange.response = Message(head: kept.bytes)
            if let warning = kept.warning { tap.exchange.warnings.append(warning) }
        }
        let message = "answered with something that is not HTTP. \(malformed.problem.message)"
        tell(.upstreamBroken(upstreamFailure(phase, malformed.problem.cause, message)))
    }

    /// What stands in the upstream's place has no more of its answer.
    func upstreamFailed(_ failure: ExchangeFailure) {
        if rules != nil, waits(.failed(failure)) { return }
        if releaseResponse(gap: Self.brokenOff) { return putBack(.failed(failure)) }
        tell(.upstreamBroken(failure))
    }

    /// The upstream's connection ended or broke.
    ///
    /// - Parameters:
    ///   - cause: why.
    ///   - message: what happened, in words that follow the upstream's address.
    ///   - isWithinHead: whether a part of a response's head had come, and not the whole of it.
    func upstreamBroke(cause: Cause, message: String, isWithinHead: Bool = false) {
        if rules != nil, waits(.broke(cause, message: message, isWithinHead: isWithinHead)) { return }
        tellFrames()
        if releaseResponse(gap: Self.brokenOff) {
            return putBack(.broke(cause, message: message, isWithinHead: isWithinHead))
        }
        let failure = upstreamFailure(machine.waitPhase, cause, message)
        let isWithinMessage = tap.messages.isWithinMessage(.response)
        tell(.upstreamOver(failure, isWithinHead: isWithinHead, isWithinMessage: isWithinMessage))
    }

    /// The stream was reset: by the upstream, or by this end because the upstream broke the rules on it.
    ///
    /// - Parameters:
    ///   - code: what the reset says.
    ///   - isOurs: whether this end reset the stream.
    ///   - isUnprocessed: whether the upstream says that it did nothing with the request (RFC 9113 §8.7).
    func upstreamReset(_ code: HTTP2ErrorCode, isOurs: Bool, isUnprocessed: Bool) {
        let news = UpstreamNews.reset(code, isOurs: isOurs, isUnprocessed: isUnprocessed)
        if rules != nil, waits(news) { return }
        resetCode = code
        if releaseResponse(gap: Self.brokenOff) { return putBack(news) }
        let what = isOurs ? "broke the rules of HTTP/2 on the stream, which was reset" : "reset the stream"
        var failure = upstreamFailure(machine.waitPhase, .reset, "\(what) (\(code.name))")
        failure.retry = isUnprocessed
        tellFrames()
        tell(.upstreamReset(failure, isCut: isOurs || tap.messages.isWithinMessage(.response)))
    }

    /// Nothing more of the upstream can be read at this moment.
    func upstreamBurstEnded() { if !machine.isHeld { tell(.responsePaused) } }

    /// There is room for more of the request at the upstream's end.
    func upstreamTakesMore() {
        giveBackSent()
        client.resumeRead()
    }

    /// Gives back the room of a request's body that has waited for its upstream, once little of it waits there.
    func giveBackSent() { if let rules, upstream?.isWritable == true { rules.noteSent() } }

    /// The media type of a Content-Type value, without parameters, in lower case; `nil` when there is none.
    private static func mediaType(_ value: String) -> String? {
        var value = value
        let essence = value.withUTF8 { bytes in
            String(unsafeUninitializedCapacity: bytes.count) { room in
                var count = 0
                for byte in bytes where !ASCII.isBlank(byte) {
                    if byte == UInt8(ascii: ";") || byte == UInt8(ascii: ",") { break }
                    room.initializeElement(at: count, to: ASCII.lower(byte))
                    count += 1
                }
                return count
            }
        }
        return essence.isEmpty ? nil : essence
    }
}
