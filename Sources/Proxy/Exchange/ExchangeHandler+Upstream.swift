import NIOCore
import NIOHTTP2
import Traffic

/// What the upstream's half tells the client's.
extension ExchangeHandler {
    func upstreamSent(_ head: ResponseHead) {
        let now = loop.now
        live?.active = now
        if live?.firstByte == nil { live?.firstByte = now }
        noteReplaced(head.raw, head.version, .response)
        if head.isInterim {
            live?.firstByte = nil
            live?.tap.exchange.interim.append(head.raw)
            tell(.interim(head))
            return
        }
        guard head.code != 101 else { return switchProtocols(head) }
        if answersOpening(head) { return }
        // Whatever it says, an upstream may take a request of HTTP/1.0 for the last of its connection (RFC 9112 §9.3).
        let isLast = live?.head?.version == .http10 || head.framing == .untilClose
        live?.isUpstreamReusable = !isLast && HopByHop.persists(head.fields, version: head.version)
        live?.tap.exchange.code = head.code
        live?.tap.exchange.mediaType = head.fields.first("content-type").flatMap(Self.mediaType)
        if live?.upstream?.isStream == false, BoundLogin.isAsked(by: head) { live?.upstream?.isBound = true }
        let (part, sent) = responsePart(head)
        if case .fields = part, head.raw.readableBytes > FrameSplitter.fieldsLimitBytes {
            let message = "answered with a head that is too long for HTTP/2"
            return tell(.upstreamBroken(upstreamFailure(.wait, .tooLong, message)))
        }
        live?.responsePart = part
        live?.tap.exchange.response = Message(head: head.raw, sentHead: sent)
        live?.tap.begin(.response, head.fields, loop.lane)
        if opensStreamWebSocket(head) { becomeWebSocket(head) }
        live?.time(at: now, isFinal: false)
        live?.tap.note()
        tell(.response(head))
    }

    func upstreamSent(_ bytes: ByteBuffer) {
        live?.active = loop.now
        live?.tap.body(.response, bytes, loop.lane)
        if live?.closed == nil { tell(.responseBody(bytes)) } else { webSocketAnswered() }
    }

    func upstreamEnded(_ trailers: ByteBuffer?) {
        live?.active = loop.now
        guard live?.isSwitched != true else { return webSocketEnded(.response) }
        live?.tap.exchange.response?.trailers = trailers
        noteReplaced(trailers, live?.tap.exchange.upstreamVersion, .response)
        if codec.stream != nil { noteRewritten(trailers, live?.tap.exchange.upstreamVersion, .response) }
        let head = trailers == nil ? nil : live?.tap.exchange.response.map { HeaderList(head: $0.head) }
        tell(.responseEnd(trailersPart(trailers, of: head, .response)))
    }

    func upstreamSent(_ extra: ExtraBytes) {
        live?.isUpstreamReusable = false
        live?.tap.exchange.warnings.append(
            "\(extra.count) bytes followed the end of the response; they were not passed on."
        )
    }

    /// Takes a response whose content is whole for ended, though its upstream never ended the stream, which is of no more use.
    func endUnsaid() {
        guard live?.machine.lacksEnd == true else { return }
        live?.isUpstreamReusable = false
        live?.tap.exchange.warnings.append(
            "The content of the response was whole, but the upstream did not end its stream."
        )
        tell(.lastWordOverdue)
    }

    func upstreamSent(_ malformed: MalformedMessage) {
        let phase: ExchangeFailure.Phase = live?.machine.isAwaitingResponse == true ? .wait : .receive
        if phase == .wait, live?.tap.exchange.response == nil {
            let kept = malformed.bytes.getSlice(
                at: malformed.bytes.readerIndex,
                length: min(malformed.bytes.readableBytes, 4_096)
            )
            live?.tap.exchange.response = Message(head: kept ?? ByteBuffer())
            let (came, isKept) = (malformed.bytes.readableBytes, kept?.readableBytes ?? 0)
            if isKept < came {
                live?.tap.exchange.warnings.append(
                    "Only the first \(isKept) of the \(came) bytes that the upstream had sent are kept."
                )
            }
        }
        tell(
            .upstreamBroken(
                upstreamFailure(
                    phase,
                    malformed.problem.cause,
                    "answered with something that is not HTTP. \(malformed.problem.message)"
                )
            )
        )
    }

    func upstreamBroke(cause: Cause, message: String) {
        // A WebSocket that the upstream has ended waits for the client's last word.
        if live?.isSwitched == true, live?.hasUpstreamEnded == true || endIfClosed() { return }
        let phase: ExchangeFailure.Phase = live?.machine.isAwaitingResponse == true ? .wait : .receive
        endUnsaid()
        tell(.upstreamBroken(upstreamFailure(phase, cause, message)))
    }

    /// The stream was reset: by the upstream, or by this end because the upstream broke the rules on it.
    ///
    /// - Parameters:
    ///   - code: what the reset says.
    ///   - isOurs: whether it was this end.
    ///   - isUnprocessed: whether the upstream says that it did nothing with the request (RFC 9113 §8.7).
    func upstreamReset(_ code: HTTP2ErrorCode, isOurs: Bool, isUnprocessed: Bool) {
        live?.resetCode = code
        let phase: ExchangeFailure.Phase = live?.machine.isAwaitingResponse == true ? .wait : .receive
        let what = isOurs ? "broke the rules of HTTP/2 on the stream, which was reset" : "reset the stream"
        var failure = upstreamFailure(phase, .reset, "\(what) (\(code.name))")
        failure.retry = isUnprocessed
        endUnsaid()
        tell(.upstreamReset(failure))
    }

    func upstreamBurstEnded() {
        guard live?.machine.isHeld == false else { return }
        tell(.responsePaused)
    }

    /// A failure of the upstream's side; the message follows its address.
    func upstreamFailure(_ phase: ExchangeFailure.Phase, _ cause: Cause, _ message: String) -> ExchangeFailure {
        let who = live?.key?.endpoint.description ?? "The upstream"
        return ExchangeFailure(
            side: .upstream,
            phase: phase,
            cause: cause,
            message: "\(who) \(message)\(message.hasSuffix(".") ? "" : ".")",
            retry: phase == .connect
        )
    }

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
