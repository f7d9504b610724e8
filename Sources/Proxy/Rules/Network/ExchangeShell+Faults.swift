import NIOCore
import NIOHPACK
import NIOHTTP2
import Traffic

/// How a response fails on its way to the client, where rules say so.
extension ExchangeShell {
    /// Passes on the head of a response that is about to fail, if that begins with the head.
    ///
    /// - Parameters:
    ///   - head: what the client is to have.
    ///   - received: what came.
    func passFaulty(_ head: ResponseHead, inPlaceOf received: ResponseHead) {
        guard let timing = rules?.timing, timing.hasFaults else { return pass(head, inPlaceOf: received) }
        if breaksOff(head, inPlaceOf: received, client.head(of: head, for: self).part) { return }
        pass(falseHead(head, timing) ?? head, inPlaceOf: received)
    }

    /// Opens a WebSocket, unless its opening is to fail.
    ///
    /// - Parameters:
    ///   - head: what came.
    ///   - sent: what the client is to have.
    func openFaulty(_ head: ResponseHead, _ sent: ByteBuffer) {
        if breaksOff(head, inPlaceOf: head, .head(sent, .untilClose)) { return }
        if let timing = rules?.timing { skipFalseLength(timing) }
        openWebSocket(head, sent)
    }

    /// Whether a response breaks off with its head, or before; then the exchange has ended.
    private func breaksOff(
        _ head: ResponseHead,
        inPlaceOf received: ResponseHead,
        _ part: @autoclosure () -> WirePart
    ) -> Bool {
        let first = rules?.timing.withFaults { faults in
            faults.takeFirst { $0 == .statusOnly || $0 == .reset(at: nil) }
        }
        switch first?.fault.kind {
        case .statusOnly: passStatus(of: head, inPlaceOf: received, part(), by: first)
        case .reset: withholdHead(received, by: first)
        default: return false
        }
        return true
    }

    /// Breaks off before the client has anything of the response: the record has none either, but in the failure's words.
    private func withholdHead(_ received: ResponseHead, by part: FailingBody.Part?) {
        tap.exchange.response = nil
        (tap.exchange.code, tap.exchange.mediaType) = (nil, nil)
        breakOff(.reset, by: part, more: " The upstream had answered \(received.code).")
    }

    /// Sends the status of a response and breaks off.
    private func passStatus(
        of head: ResponseHead,
        inPlaceOf received: ResponseHead,
        _ whole: WirePart,
        by part: FailingBody.Part?
    ) {
        let sent: ByteBuffer
        switch whole {
        case .fields(let fields):
            let status = HPACKHeaders([(":status", fields.first(name: ":status") ?? String(head.code))])
            responsePart = .fields(status)
            sent = HTTP2Fields.text(status)
        case .head(let bytes, _):
            let line = bytes.readableBytesView.firstIndex(of: ASCII.lineFeed) ?? bytes.writerIndex - 1
            sent = bytes.getSlice(at: bytes.readerIndex, length: line + 1 - bytes.readerIndex) ?? bytes
            responsePart = .head(sent, .none)
        case .body, .end: return
        }
        tap.exchange.response = Message(head: received.raw, sentHead: sent)
        tap.exchange.code = head.code
        marks.fill(&tap.exchange.timeline, at: loop.now, isFinal: false)
        tap.note()
        tell(.response(head))
        breakOff(.cut, by: part)
    }

    /// A head with a false length, where a rule asks for one; `nil` where none does, or where there is no body to be wrong about.
    private func falseHead(_ head: ResponseHead, _ timing: ExchangeTiming) -> ResponseHead? {
        guard !machine.opensWebSocket(head) else {
            skipFalseLength(timing)
            return nil
        }
        var declared: Int64?
        var framing = BodyFraming.untilClose
        switch head.framing {
        case .none: return nil
        case .length(let length): (declared, framing) = (length, head.framing)
        case .chunked, .untilClose: break
        }
        // In HTTP/2 the stream's end tells where the body ends.
        if client.version == .http2 { framing = head.framing }
        guard let part = takeFalseLength(timing), case .badLength(let named) = part.fault.kind else { return nil }
        let length = named ?? declared.map { $0 + 1 } ?? Self.longLength
        persists = false
        let message = "The rule '\(part.rule)' told the client a false length of the response: \(length) bytes."
        timing.falsity = ExchangeFailure(side: .proxy, phase: .receive, cause: .rule, message: message)
        let raw = ResponseFault.head(head.raw, saying: length)
        return ResponseHead(
            raw: raw,
            code: head.code,
            version: head.version,
            fields: HeaderList(head: raw),
            framing: framing
        )
    }

    private func takeFalseLength(_ timing: ExchangeTiming) -> FailingBody.Part? {
        timing.withFaults { faults in faults.takeFirst { if case .badLength = $0 { true } else { false } } }
    }

    /// Notes that what opens a WebSocket says no length that could be false.
    private func skipFalseLength(_ timing: ExchangeTiming) {
        while let part = takeFalseLength(timing) {
            rules?.run.noteSkipped(part, "what opens a WebSocket says no length")
        }
    }

    /// The false length of a response that does not say its own: 1 GiB.
    private static let longLength: Int64 = 1 << 30

    /// What breaks the response off within its next bytes, which are cut there; `nil` where nothing does.
    func faultyEnd(of bytes: inout ByteBuffer) -> (end: FailingBody.End, part: FailingBody.Part)? {
        guard let timing = rules?.timing, timing.hasFaults else { return nil }
        return timing.withFaults { $0.take(&bytes) }
    }

    /// Breaks the response off as a rule says: the client's connection ends or is reset, in HTTP/2 its stream.
    func breakOff(_ end: FailingBody.End, by part: FailingBody.Part?, more: String = "") {
        guard let part else { return }
        rules?.timing.isBroken = true
        let message = "The rule '\(part.rule)' broke the response off: \(part.fault.text).\(more)"
        resetCode = .cancel
        let phase = machine.waitPhase
        let failure = ExchangeFailure(side: .proxy, phase: phase, cause: .rule, message: message)
        tell(.blocked(failure, isReset: end == .reset))
    }
}
