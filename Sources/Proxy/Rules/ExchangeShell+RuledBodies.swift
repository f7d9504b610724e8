import NIOCore
import NIOHTTP2
import Traffic

/// How bodies pass the rules: held until they are whole, or edited as they come.
extension ExchangeShell {
    /// As much of a body as is there.
    ///
    /// - Parameters:
    ///   - side: whose body.
    ///   - isWhole: whether nothing more of it will come.
    ///   - gap: why no more of it will be known; `nil` where that is not so.
    /// - Returns: what was kept of it, and what it is.
    func bodyAtHand(_ side: MessageSide, isWhole: Bool, _ gap: String?) -> ExchangeRules.BodyAtHand {
        guard let rules else { return .coming }
        if let why = gap ?? rules.gap(side) { return .cut(rules.keptBytes(side), why: why) }
        return isWhole ? .whole(rules.keptBytes(side)) : .coming
    }

    /// Edits a body on another thread, and goes on then, unless its message has gone on without that.
    private func editApart(
        _ work: BodyWork,
        _ side: MessageSide,
        _ then: @escaping (ExchangeRules.RuledBody) -> Void
    ) {
        let bound = NIOLoopBound((exchange: self, then: then), eventLoop: loop.loop)
        let (workers, sharer) = (loop.shared.workers, tap.exchange.host)
        let number = workers.run(for: sharer) {
            work.run()
            bound.eventLoop.execute {
                let (exchange, then) = bound.value
                guard let rules = exchange.rules, rules.works[side] === work, rules.takeWaiting(side) != nil else {
                    return
                }
                then(rules.finish(work, side))
            }
        }
        work.leaveQueue = { workers.drop(number, for: sharer) }
    }

    /// Has the head of an edited message say how its body is coded, and how long it is.
    ///
    /// - Parameters:
    ///   - edited: the message.
    ///   - body: what becomes of its body.
    ///   - received: the head that came.
    ///   - framing: how the end of the body that came is told.
    ///   - version: the version of the message.
    /// - Returns: how the end of the body is told.
    private func frame(
        _ edited: inout EditedMessage,
        as body: ExchangeRules.RuledBody,
        _ received: ByteBuffer,
        _ framing: BodyFraming,
        _ version: HTTPVersion
    ) -> BodyFraming {
        if case .same = body, edited.keepCodings(of: received) {
            rules?.run.noteKeptCodings(of: edited)
            tap.exchange.warnings.append(
                "A rule changed Content-Encoding, and the body was not edited: it went on as it came, and so did that field."
            )
        }
        return edited.frame(as: body, framing, version)
    }

    // MARK: The request

    /// Sends the request as rules leave it; it waits where they edit its body, and that is not whole.
    func send(_ edited: EditedMessage, _ body: ExchangeRules.BodyAtHand) {
        guard let rules else { return }
        let head = subject.head
        // A request of HTTP/1.0 must say how long it is (RFC 9112 §6.1), and what opens a WebSocket is followed by frames.
        let canStream = head.version != .http10 && head.extendedProtocol == nil
        let ruled = rules.begin(.request, edited, body, beginning: waitingContent, canStream: canStream)
        send(edited, as: ruled)
    }

    private func send(_ edited: EditedMessage, as ruled: ExchangeRules.RuledBody) {
        guard let rules else { return }
        let head = subject.head
        var edited = edited
        let framing = frame(&edited, as: ruled, head.raw, head.framing, head.version)
        switch ruled {
        case .waits:
            askForBody()
            return client.resumeRead()
        case .apart(let work):
            return editApart(work, .request) { [self] in send(edited, as: $0) }
        case .same: break
        case .changed(let bytes):
            editWaiting { _ in ByteBuffer() }
            machine.putFirst(bytes)
            rules.noteGrown(by: bytes.readableBytes - rules.keptBytes(.request).readableBytes)
        case .passing: endPassing(rules)
        case .begun(let bytes, var count):
            rules.noteGrown(by: bytes.readableBytes - count)
            editWaiting { piece in
                var piece = piece
                let known = min(count, piece.readableBytes)
                piece.moveReaderIndex(forwardBy: known)
                count -= known
                // More may have come meanwhile.
                return piece.readableBytes > 0 ? rules.edit(.request, piece) : piece
            }
            machine.putFirst(bytes)
            endPassing(rules)
        }
        if breaksOff(.request) { return }
        amendRequest(edited, framing: framing)
        rules.forgetRequestBody()
        connect(.first)
    }

    /// Ends the edit of a body that passes where all of it has come already: it waited for a delay, or for the edit of its beginning.
    private func endPassing(_ rules: ExchangeRules) {
        if machine.isRequestEnded, let rest = rules.finish(.request) { machine.putLast(rest) }
    }

    /// Takes the next bytes of a request that rules look at.
    func clientSent(_ bytes: ByteBuffer, past rules: ExchangeRules) {
        let gap = rules.take(.request, bytes)
        let edited = rules.edit(.request, bytes)
        if edited.readableBytes > 0 { tell(.requestBody(edited)) }
        giveBackSent()
        if breaksOff(.request) { return }
        if let gap { judgeRequest(at: .requestBody, gap: gap) }
    }

    // MARK: The response

    /// Passes a response on as rules leave it; it is held where they edit its body, and that is not whole.
    ///
    /// - Parameters:
    ///   - head: what came.
    ///   - edited: what the client is to have.
    ///   - body: as much of the body as is there.
    func pass(_ head: ResponseHead, _ edited: EditedMessage, _ body: ExchangeRules.BodyAtHand) {
        guard let rules else { return }
        let beginning = if case .cut(let bytes, _) = body { bytes } else { ByteBuffer() }
        let canStream = !machine.opensWebSocket(head)
        pass(head, edited, body, as: rules.begin(.response, edited, body, beginning: beginning, canStream: canStream))
    }

    private func pass(
        _ head: ResponseHead,
        _ edited: EditedMessage,
        _ body: ExchangeRules.BodyAtHand,
        as ruled: ExchangeRules.RuledBody
    ) {
        guard let rules else { return }
        switch ruled {
        case .waits:
            rules.forgetDecidedRequest()
            return rules.hold(head, at: loop.now)
        case .apart(let work):
            rules.forgetDecidedRequest()
            rules.hold(head, at: loop.now)
            // What comes behind it waits meanwhile.
            let gate = rules.timing.opened()
            gate.hold()
            return editApart(work, .response) { [self] ruled in
                gate.hold(until: .min) { [self] in pass(head, edited, body, as: ruled) }
                passOn()
            }
        case .same, .changed, .passing, .begun: break
        }
        var edited = edited
        let framing = frame(&edited, as: ruled, head.raw, head.framing, head.version)
        if edited.isChanged, let changed = ResponseHead(edited.head, inPlaceOf: head, framing: framing) {
            isResponseChunked = framing == .chunked
            passFaulty(changed, inPlaceOf: head)
            noteCoding(of: changed, inPlaceOf: head)
        } else {
            passFaulty(head, inPlaceOf: head)
        }
        // A client of HTTP/1.0 knows no chunks.
        if case .head(_, let framing) = responsePart, framing != .chunked { isResponseChunked = false }
        // A fault of a rule may have ended the exchange.
        guard self.rules === rules else { return }
        rules.forgetDecided()
        switch (ruled, body) {
        case (.changed(let bytes), _), (.begun(let bytes, _), _): passKept(bytes)
        case (.same, .whole(let bytes)), (.same, .cut(let bytes, _)): passKept(bytes)
        case (.same, .coming), (.passing, _), (.waits, _), (.apart, _): break
        }
    }

    /// Passes on the beginning of a body that was kept, whose room is not given back before its client takes it.
    private func passKept(_ bytes: ByteBuffer) {
        pass(bytes, grownBy: bytes.readableBytes)
    }

    /// Passes on content whose room, so far as rules have it take more than came, is not given back before its client takes it.
    func pass(_ bytes: ByteBuffer, grownBy count: Int) {
        if let rules, count > 0 { unsent.append(RuleRoom(rules.bodies, bytes: count)) }
        passBody(bytes)
    }

    /// Records the head that the client gets as the one that describes the body, where that lost its coding on the way.
    private func noteCoding(of changed: ResponseHead, inPlaceOf head: ResponseHead) {
        guard ContentCoding.names(of: changed.fields) != ContentCoding.names(of: head.fields),
            let sent = tap.exchange.response?.sentHead
        else { return }
        tap.exchange.response = Message(head: sent)
    }

    /// Passes content on as faults of rules leave it, and records it as the client gets it.
    func passBody(_ bytes: ByteBuffer) {
        guard rules?.timing.isBroken != true else { return }
        var bytes = bytes
        let end = faultyEnd(of: &bytes)
        if bytes.readableBytes > 0 {
            recordBody(bytes)
            tell(.responseBody(bytes))
        }
        if let end { breakOff(end.end, by: end.part) }
    }

    private func recordBody(_ bytes: ByteBuffer) {
        var rest = bytes
        while let piece = rest.readSlice(length: min(BodyCapture.pieceBytes, rest.readableBytes)),
            piece.readableBytes > 0
        {
            tap.body(.response, piece, loop.lane)
        }
    }

    /// Takes the next bytes of a response that rules look at.
    func upstreamSent(_ bytes: ByteBuffer, past rules: ExchangeRules) {
        if holdResponse(bytes) { return }
        // A fault of a rule may have ended the exchange.
        guard self.rules === rules else { return }
        let edited = rules.edit(.response, bytes)
        pass(edited, grownBy: edited.readableBytes - bytes.readableBytes)
        if breaksOff(.response) { return }
        tellFrames()
    }

    /// Breaks an exchange off a body of which cannot be edited to its end, so that nobody takes its beginning for all of it.
    func breaksOff(_ side: MessageSide) -> Bool {
        guard let cut = rules?.cut(of: side) else { return false }
        let whose = side == .request ? "request" : "response"
        let message =
            "The \(whose)'s body \(cut.why), so that the rule '\(cut.rule)' could not edit all of it."
        rules?.timing.isBroken = side == .response
        resetCode = .cancel
        let failure = ExchangeFailure(side: .proxy, phase: machine.waitPhase, cause: .rule, message: message)
        // Where the end of the connection is the end of the body that its client is getting, it does not look like one.
        let endsByClose = if case .head(_, .untilClose) = responsePart { true } else { false }
        tell(.blocked(failure, isReset: endsByClose && !machine.isAwaitingResponse))
        return true
    }

    // MARK: WebSockets

    /// Decides which rules apply to the answer that opens a WebSocket on a connection of HTTP/1.1, and opens it as they say.
    ///
    /// - Parameters:
    ///   - head: what came.
    ///   - sent: the answer for the client.
    func judgeHandshake(_ head: ResponseHead, _ sent: ByteBuffer) {
        guard let rules else { return }
        tap.exchange.response = Message(head: head.raw)
        let firings = rules.judge(.response, at: .responseHead, of: tap.exchange, gap: Self.endless) ?? []
        let open = { [self] in
            let edited = rules.edit(handshake: sent, by: firings, of: tap.exchange)
            _ = rules.begin(.response, edited, .cut(ByteBuffer(), why: Self.endless), canStream: false)
            openFaulty(head, edited.head)
        }
        if !delaysResponse(by: firings, open) { open() }
    }

    // MARK: The end

    /// Records what the rules did, and what has come of a response that was held until now.
    func closeRules() {
        guard let judged = rules.take() else { return }
        if judged.heldResponse != nil { recordBody(judged.keptBytes(.response)) }
        judged.close()
        tap.exchange.rules = judged.endTiming(loop.nanoseconds)
        // What is whole to the machine is not to the client.
        if tap.exchange.outcome == .completed, let falsity = judged.timing.falsity {
            (tap.exchange.outcome, tap.exchange.failure) = (.failed, falsity)
        }
    }
}

extension EditedMessage {
    /// Has the head say how long the body is that goes on.
    ///
    /// - Parameters:
    ///   - body: what becomes of the body.
    ///   - framing: how the end of the body that came is told.
    ///   - version: the version of the message.
    /// - Returns: how the end of the body is told.
    fileprivate mutating func frame(
        as body: ExchangeRules.RuledBody,
        _ framing: BodyFraming,
        _ version: HTTPVersion
    ) -> BodyFraming {
        // A message that does not say its length is framed as it came.
        guard framing != .chunked else { return framing }
        let before = head
        defer { isChanged = isChanged || head != before }
        switch body {
        case .waits, .apart, .same: return framing
        case .changed(let bytes):
            head = head(withLength: bytes.readableBytes)
            return bytes.readableBytes == 0 ? .none : .length(Int64(bytes.readableBytes))
        case .passing, .begun:
            head = headChunked()
            return version == .http10 ? .untilClose : .chunked
        }
    }
}
