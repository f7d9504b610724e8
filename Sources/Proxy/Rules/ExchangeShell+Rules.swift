import NIOCore
import NIOHTTP2
import Traffic

/// The rules on an exchange's way: they are judged before the request goes anywhere, and before the client has anything of the response.
extension ExchangeShell {
    /// Finds the rules that may apply; pages and recordings of our own, and replays, are no concern of theirs.
    func findRules() {
        guard let list = loop.rules, let errand = subject.errand, errand.source == nil,
            client.connection.replay == nil
        else { return }
        rules = ExchangeRules(list, for: tap.exchange, token: token, bodies: loop.shared.ruleBodies)
    }

    // MARK: The request

    /// Whether the request waits because it is not known which rules apply to it.
    var isRequestHeldByRules: Bool { rules?.isRequestHeld == true }

    /// Whether the rest of the request's body is still of use to the rules that it waits for.
    var awaitsRequestBody: Bool { isRequestHeldByRules && rules?.gap(.request) == nil }

    /// Decides which rules apply to the request, and sends it where they say; it waits where that depends on its body.
    ///
    /// - Parameters:
    ///   - phase: what is known of the request.
    ///   - gap: why no more of it will be known; `nil` while more may come.
    func judgeRequest(at phase: RulePhase, gap: String? = nil) {
        // What comes while its beginning is edited waits for that.
        guard rules?.works[.request] == nil else { return }
        if phase == .requestBody, let rules, let edited = rules.takeWaiting(.request) {
            return send(edited, bodyAtHand(.request, isWhole: true, gap))
        }
        guard let rules, rules.holdsRequest, !awaitsProgram(phase, gap) else { return }
        let isEndless = subject.head.extendedProtocol != nil || tap.messages.isStream(.request)
        let gap = gap ?? (isEndless && phase == .requestHead ? Self.endless : nil)
        // Without content nothing more will come.
        let isEmpty = phase == .requestHead && subject.head.framing == .none
        guard
            let firings = rules.judge(.request, at: phase, of: tap.exchange, gap: gap)
                ?? (isEmpty ? rules.judge(.request, at: .requestBody, of: tap.exchange, gap: gap) : nil)
        else {
            rules.awaitRequestBody()
            askForBody()
            return client.resumeRead()
        }
        delayRequest(by: firings) { [self] in
            // All of it may have come meanwhile.
            let isWhole = rules.timing.hasDelayed && machine.isRequestEnded
            follow(firings, isEmpty: isEmpty, isWhole ? .requestBody : phase, gap)
        }
    }

    /// Does to the request what the rules say that apply to it.
    private func follow(_ firings: [RuleFiring], isEmpty: Bool, _ phase: RulePhase, _ gap: String?) {
        guard let rules else { return }
        if let block = rules.block() {
            let isWhole = isEmpty || machine.isRequestEnded || phase == .requestBody && gap == nil
            rules.free()
            return refuse(by: block, of: rules.final?.rule.name ?? "", isWhole: isWhole)
        }
        switch rules.answer(of: tap.exchange) {
        case .success(let answer): give(answer)
        case .failure(let fault): refuse(for: fault)
        case nil:
            let edited = rules.edit(subject.head.raw, .request, by: firings, of: tap.exchange)
            send(edited, bodyAtHand(.request, isWhole: isEmpty || phase == .requestBody, isEmpty ? nil : gap))
        }
    }

    /// Whether the request waits until the program is known that sent it, which a rule asks for.
    private func awaitsProgram(_ phase: RulePhase, _ gap: String?) -> Bool {
        guard let rules, rules.asksOfProcess, client.connection.isAwaited else { return false }
        let isFirst = rules.postponed == nil
        rules.postponed = (phase, gap)
        guard isFirst else { return true }
        rules.awaitRequestBody()
        client.connection.whenKnown { [self] in
            guard !isDeaf, let (phase, gap) = rules.postponed else { return }
            rules.postponed = nil
            tap.exchange.client = client.connection.peer
            judgeRequest(at: phase, gap: gap)
        }
        return true
    }

    /// Answers 100 to a client that waits for it before it sends its content (RFC 9110 §10.1.1), on which rules depend.
    func askForBody() {
        let head = subject.head
        guard Expectation.isMade(by: head),
            let interim = try? HTTP1HeadParser.response(
                ByteBuffer(staticString: "HTTP/1.1 100 Continue\r\n\r\n"),
                to: head.method,
                limits: loop.configuration.headLimits
            )
        else { return }
        // It is ours, and counts as none of the upstream's.
        guard let part = client.interimHead(of: interim, for: self) else { return }
        client.write(part)
        client.flush()
    }

    /// Puts the edited head in the place of the request's, and changes where the request goes.
    func amendRequest(_ edited: EditedMessage, framing: BodyFraming) {
        guard rules != nil, var errand = subject.errand else { return }
        let before = subject.head
        send(&errand, to: edited.destination)
        sender = edited.sender
        // A head that goes elsewhere is written anew: it may name the scheme.
        let isNew = edited.isChanged || edited.destination.origin != nil
        if isNew,
            let head = RequestHead(edited.head, inPlaceOf: before, framing: framing, scheme: errand.route.scheme)
        {
            // An edit writes the target in origin-form.
            if head.isForOrigin { errand.route.originTarget = nil }
            let isElsewhere = edited.destination.origin != nil && !edited.destination.keepsHost
            if isElsewhere || head.fields.first("host") != before.fields.first("host") { errand.route.host = nil }
            subject.head = head
            isAmended = edited.isChanged
        }
        subject.errand = errand
        // Where the verdict came late, they wait as they came.
        editWaitingTrailers { ruledTrailers($0, .request) }
        machine.redirect(to: errand.key.endpoint, method: subject.head.method)
    }

    private func send(_ errand: inout ExchangeSubject.Errand, to destination: RuleDestination) {
        guard !destination.isEmpty else { return }
        if let origin = destination.origin {
            let isSecure = origin.scheme == .https
            errand.route.scheme = origin.scheme
            errand.route.endpoint = origin.endpoint
            let mayBeHTTP2 = isSecure && !subject.head.asksForWebSocket
            let speaksHTTP2 = client.version == .http2 || !loop.configuration.matchesProtocols
            errand.key = UpstreamKey(
                endpoint: origin.endpoint,
                serverName: isSecure ? origin.endpoint.host : nil,
                offer: mayBeHTTP2 && speaksHTTP2 ? .both : .http1,
                reach: errand.key.reach
            )
        }
        errand.key.detour = UpstreamDetour(
            addresses: destination.addresses,
            proxy: destination.upstreamProxy.flatMap(UpstreamProxy.init(plain:))
        )
    }

    /// A trailer section as rules leave it; `nil` for none.
    func ruledTrailers(_ section: ByteBuffer?, _ side: MessageSide) -> ByteBuffer? {
        guard let rules else { return section }
        guard section != nil || hasPlaceForTrailers(side) else {
            rules.noteNoTrailers(side)
            return section
        }
        return rules.edit(trailers: section, side, of: tap.exchange)
    }

    private func hasPlaceForTrailers(_ side: MessageSide) -> Bool {
        switch side {
        case .request: subject.head.framing == .chunked
        case .response: isResponseChunked
        }
    }

    // MARK: Answers

    /// Answers as a rule says.
    private func give(_ answer: RenderedAnswer) {
        if case .bytes(let bytes) = answer.content { return self.answer(by: RuleAnswerSource(answer, bytes)) }
        guard let contents = loop.shared.ruleContents, let asked = asked else {
            let fault = RuleFault("files and recordings are not at hand here")
            rules?.noteFailedAnswer(fault)
            return refuse(for: fault)
        }
        // The request may have to be judged again.
        rules?.awaitRequestBody()
        let bound = NIOLoopBound(self, eventLoop: loop.loop)
        contents.content(of: answer, for: asked) { content in
            bound.eventLoop.execute {
                let exchange = bound.value
                guard !exchange.isDeaf else { return }
                switch content {
                case .answer(let answer): exchange.answer(by: RuleAnswerSource(answer: answer))
                case .upstream:
                    exchange.rules?.withdrawAnswer()
                    exchange.judgeRequest(at: exchange.machine.isRequestEnded ? .requestBody : .requestHead)
                case .fault(let fault):
                    exchange.rules?.noteFailedAnswer(fault)
                    exchange.refuse(for: fault)
                }
            }
        }
    }

    private func answer(by source: RuleAnswerSource) {
        guard let errand = subject.errand else { return }
        rules?.forgetRequestBody()
        // As an upstream that answers early does, unless something looks at the request's body.
        let isImmediate = rules?.keepsRequestBody != true && !isUploadOfStream
        use(SuppliedUpstream(source, errand.route, for: self, isImmediate: isImmediate))
    }

    /// Whether a stream of HTTP/2 has said that it sends content: some clients, curl among them, hang where it is answered in the midst of that.
    private var isUploadOfStream: Bool {
        guard client.version == .http2, case .length = subject.head.framing else { return false }
        return !Expectation.isMade(by: subject.head)
    }

    /// The request as sources of answers are asked for it, without its body.
    private var asked: AskedRequest? {
        subject.errand.map { errand in
            AskedRequest(
                method: subject.head.method,
                scheme: errand.route.scheme,
                endpoint: errand.route.endpoint,
                isAddressedHere: false,
                target: tap.exchange.target,
                fields: subject.head.fields,
                body: ByteBuffer(),
                isBodyWhole: false,
                asksForWebSocket: subject.head.asksForWebSocket || subject.head.extendedProtocol != nil,
                isFromThisMachine: client.connection.isFromThisMachine
            )
        }
    }

    // MARK: Refusals

    /// Refuses the request as a rule says.
    ///
    /// - Parameters:
    ///   - block: how.
    ///   - rule: the rule's name.
    ///   - isWhole: whether all of the request has come.
    func refuse(by block: RuleBlock, of rule: String, isWhole: Bool) {
        func failure(_ what: String) -> ExchangeFailure {
            let message = "The rule '\(rule)' refused the request: \(what)."
            return ExchangeFailure(side: .proxy, phase: .request, cause: .rule, message: message, retry: true)
        }
        resetCode = .cancel
        switch block {
        case .status(let code):
            guard subject.errand != nil, isWhole else {
                // The rest of the request is not waited for; a CONNECT has none.
                answerCode = code
                return tell(.refused(failure("it was answered with \(code)")))
            }
            let text = "\(code). The rule '\(rule)' of inspect refuses this request.\n"
            answer(by: RuleAnswerSource(RenderedAnswer(refusing: code, rule: rule), Array(text.utf8)))
        case .close: tell(.blocked(failure("its connection was closed"), isReset: false))
        case .reset: tell(.blocked(failure("its connection was reset"), isReset: true))
        case .hang:
            // Until the client leaves.
            isLeftWaiting = true
            persists = false
            use(SilentUpstream())
            if machine.isRequestEnded { readOutUnanswered() }
            if hasClientStopped { clientStopped() }
        }
    }

    /// Answers 502, since a rule's answer cannot be given: the upstream is not asked in its place.
    private func refuse(for fault: RuleFault) {
        let rule = rules?.final?.rule.name ?? ""
        let message = "The rule '\(rule)' has no answer: \(fault.sentence)."
        // Once everything that came of it is read: a whole request leaves its connection usable.
        refuseLate(ExchangeFailure(side: .proxy, phase: .request, cause: .rule, message: message, retry: true))
    }

    // MARK: The response

    /// Decides which rules apply to a response, whose head came; it waits where that depends on its body.
    func judgeResponse(_ head: ResponseHead) {
        isResponseChunked = head.framing == .chunked
        guard let rules else { return pass(head, inPlaceOf: head) }
        let isEmpty = head.framing == .none
        let gap = isEndless(head) ? Self.endless : nil
        guard
            let firings = rules.judge(.response, at: .responseHead, of: tap.exchange, gap: gap)
                ?? (isEmpty ? rules.judge(.response, at: .responseBody, of: tap.exchange) : nil)
        else { return rules.hold(head, at: loop.now) }
        let body = bodyAtHand(.response, isWhole: isEmpty, isEmpty ? nil : gap)
        if delaysResponse(by: firings, { [self] in pass(head, by: firings, body) }) { return }
        pass(head, by: firings, body)
    }

    /// Lets a response pass that was held, and what has come of its body.
    ///
    /// - Parameter gap: why no more of the body will be known; `nil` where it is whole.
    /// - Returns: whether it waits for a delay first, or for the edit of its body; then what comes behind it waits too (`putBack`).
    @discardableResult
    func releaseResponse(gap: String? = nil) -> Bool {
        guard let rules, let head = rules.heldResponse else { return false }
        let body = bodyAtHand(.response, isWhole: true, gap)
        // A response that waits for edits of its body has waited for its delays.
        if let edited = rules.takeWaiting(.response) {
            pass(head, edited, body)
            return rules.timing.gate?.isHeld == true
        }
        let firings = rules.judge(.response, at: .responseBody, of: tap.exchange, gap: gap) ?? []
        if delaysResponse(by: firings, { [self] in pass(head, by: firings, body) }) { return true }
        pass(head, by: firings, body)
        return rules.timing.gate?.isHeld == true
    }

    /// Sends what was held, for which no end of a read burst does it.
    func flushHeld() { tell(.responsePaused) }

    /// Keeps more of the body of a response that is held; one that is too long passes from there on.
    ///
    /// - Returns: whether the bytes were taken.
    func holdResponse(_ bytes: ByteBuffer) -> Bool {
        guard let rules, rules.heldResponse != nil else { return false }
        if let gap = rules.take(.response, bytes) {
            guard releaseResponse(gap: gap) else { return false }
            putBack(.body(bytes))
            return true
        }
        // An upstream may never say that this was all.
        if rules.isResponseWhole { releaseResponse() }
        return true
    }

    private func pass(_ head: ResponseHead, by firings: [RuleFiring], _ body: ExchangeRules.BodyAtHand) {
        guard let rules else { return }
        let edited =
            machine.opensWebSocket(head)
            ? rules.edit(handshake: head.raw, by: firings, of: tap.exchange)
            : rules.edit(head.raw, .response, by: firings, of: tap.exchange)
        pass(head, edited, body)
    }
}
