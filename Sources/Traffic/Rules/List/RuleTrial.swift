/// A dry run: it finds what a list of rules would have done to recorded exchanges, by the code that decides live.
///
/// Counters start at 0, so exchanges must come in the order in which they were captured.
package struct RuleTrial {
    /// What the rules would have done to one exchange.
    package struct Touch {
        package var uses: [RuleUse]
        /// The request as it would have been sent; `nil` where it would not have been changed, or not sent.
        package var request: EditedMessage?
        /// The answer of a rule, before rules for the response change it; `nil` where no rule answers, and where nobody looked.
        package var answer: TriedContent.Response?
        /// Why the rules for the response were not tried; `nil` where they were.
        package var gap: String?
        /// The response as the client would have got it; `nil` where it would not have been changed.
        package var response: EditedMessage?
        /// The bodies that would have been changed.
        package var bodies: [MessageSide: TriedBody] = [:]
        /// Whether the upstream would have got a different request, so that its answer may differ from the recorded one.
        package var mayDiffer = false
    }

    /// Nobody waits for it any more.
    package struct Unwanted: Error { package init() {} }

    /// Looks for the content of answers that lies elsewhere.
    package typealias Contents = (RenderedAnswer, any FilterSubject) throws -> TriedContent

    package let list: RuleList
    private let bodyLimitBytes: Int
    private let isWanted: () -> Bool
    private let contents: Contents

    /// - Parameters:
    ///   - list: the rules; nothing is counted of what they did before.
    ///   - bodyLimitBytes: the bytes of a body that the proxy would keep for rules.
    ///   - isWanted: whether somebody waits for it still, asked now and then while a body is edited.
    ///   - contents: looks for the content of answers that lies in files and recorded exchanges.
    package init(
        _ list: RuleList,
        bodyLimitBytes: Int = RuleGap.limitBytes,
        while isWanted: @escaping () -> Bool = { true },
        contents: @escaping Contents = { _, _ in .unknown("what it answers with was not looked at") }
    ) {
        (self.list, self.bodyLimitBytes) = (list.fresh, bodyLimitBytes)
        (self.isWanted, self.contents) = (isWanted, contents)
    }

    /// Nothing passes through the lines of a dry run.
    private static let sharer = RulePacing.Sharer(host: "", connection: "")

    /// Decides one exchange.
    ///
    /// - Returns: what the rules would have done; `nil` where no rule applies.
    /// - Throws: what the subject throws; `Unwanted` where nobody waits any more while a body is edited, whose exchange then was not tried.
    package func touch(_ subject: some FilterSubject) throws -> Touch? {
        let summary = subject.summary
        // A request that could not be read was refused before any rule; a request for a tunnel has a host and no path.
        // Nor do rules apply to replays.
        guard !summary.method.isEmpty, summary.replayOf == nil else { return nil }
        if summary.method == "CONNECT", summary.target.first != "/" {
            return try list.blockOfTunnel(subject, now: summary.started).map { Touch(uses: [$0.1]) }
        }
        guard var run = RuleRun(list, for: summary) else { return nil }
        var touch = Touch(uses: [])
        // Again without a rule that has no answer.
        do {
            while try touchRequest(of: subject, &run, &touch) { run.withdrawAnswer() }
        } catch {
            run.takeBack()
            throw error
        }
        touch.uses = run.uses
        return touch.uses.isEmpty ? nil : touch
    }

    /// Decides what becomes of a request; `true` where the rule that answers it sends it on, and all is to be judged again without it.
    private func touchRequest(
        of subject: some FilterSubject,
        _ run: inout RuleRun,
        _ touch: inout Touch
    ) throws -> Bool {
        let firings = try firings(.request, &run, subject)
        _ = run.pace(.request, by: firings, RuleTrial.sharer)
        guard run.final != nil else {
            touch.request = try edited(.request, of: subject, by: firings, &run, &touch)
            touch.mayDiffer = touch.request != nil
            if touch.gap == nil { try touchResponse(of: subject, &run, &touch) }
            return false
        }
        return try run.block() == nil && !answer(subject, &run, &touch)
    }

    /// The rules that apply on a side, decided as early as they would be live, and skipped where they would be.
    private func firings(
        _ side: MessageSide,
        _ run: inout RuleRun,
        _ subject: some FilterSubject
    ) throws -> [RuleFiring] {
        let asksOfRequest = side == .response && run.keepsRequestBody
        let requestGap = try asksOfRequest ? RuleGap.inBody(of: .request, subject, bodyLimitBytes) : nil
        func judge(_ run: inout RuleRun, at phase: RulePhase, gap: String?) throws -> [RuleFiring]? {
            let verdict = try run.judge(
                side,
                at: phase,
                of: subject,
                now: subject.summary.started,
                gap: gap,
                requestGap: requestGap
            )
            if case .applies(let firings) = verdict { return firings }
            return nil
        }
        let head = RulePhase.head(of: side)
        let gap = try run.looksAtContent(on: side) ? RuleGap.atHead(of: side, subject) : nil
        if let firings = try judge(&run, at: head, gap: gap) { return firings }
        let cut = try RuleGap.inBody(of: side, subject, bodyLimitBytes)
        // What is known of a body that is not kept whole decides nothing.
        return try judge(&run, at: cut == nil ? .body(of: side) : head, gap: cut) ?? []
    }

    /// Makes the answer of a rule, and applies the rules for responses to it; `false` where the rule has none and sends the request on.
    private func answer(_ subject: some FilterSubject, _ run: inout RuleRun, _ touch: inout Touch) throws -> Bool {
        var scope = try scope(of: subject)
        let content: TriedContent
        do throws(RuleFault) {
            guard let answer = try run.answer(&scope) else { return true }
            content = try self.content(of: answer, for: subject)
        } catch {
            content = .fault(error)
        }
        switch content {
        case .upstream: return false
        case .fault(let fault): run.noteFailedAnswer(fault)
        case .unknown(let reason): (touch.gap, touch.mayDiffer) = (reason, true)
        case .response(let response):
            touch.answer = response
            try touchResponse(of: AnsweredExchange(subject: subject, answer: response), &run, &touch)
        }
        return true
    }

    /// What a rule answers with.
    private func content(
        of answer: RenderedAnswer,
        for subject: some FilterSubject
    ) throws(RuleFault) -> TriedContent {
        guard case .bytes(let bytes) = answer.content else {
            do {
                return try contents(answer, subject)
            } catch {
                throw error as? RuleFault ?? RuleFault("\(error)")
            }
        }
        let hasBody = ![204, 304].contains(answer.status)
        let sent = hasBody && subject.summary.method != "HEAD" ? bytes : []
        return .response(
            TriedContent.Response(
                head: answer.head(length: hasBody ? bytes.count : nil),
                code: answer.status,
                length: Int64(sent.count),
                read: { offset, limit in Array(sent.dropFirst(Int(offset)).prefix(limit)) }
            )
        )
    }

    private func touchResponse(
        of subject: some FilterSubject,
        _ run: inout RuleRun,
        _ touch: inout Touch
    ) throws {
        guard run.mayTouchResponse, subject.summary.code != nil else { return }
        let firings = try firings(.response, &run, subject)
        var faults = run.pace(.response, by: firings, RuleTrial.sharer).faults
        touch.response = try edited(.response, of: subject, by: firings, &run, &touch)
        faults.pass(touch.bodies[.response]?.length ?? subject.summary.responseBytes)
        run.noteFaults(faults)
    }

    /// The message as the rules leave it; `nil` where they change neither its head, nor its body, nor where it goes.
    ///
    /// Heads are read only where a rule applies, and bodies only where one edits them, so that a trial of many exchanges is quick.
    private func edited(
        _ side: MessageSide,
        of subject: some FilterSubject,
        by firings: [RuleFiring],
        _ run: inout RuleRun,
        _ touch: inout Touch
    ) throws -> EditedMessage? {
        guard !firings.isEmpty, let message = try subject.message(side) else { return nil }
        var scope = try scope(of: subject)
        var edited = run.edit(message.head, side, by: firings, &scope, archived: message.body.archived)
        if var editor = edited.bodyEditor {
            // It has one owner.
            edited.bodyEditor = nil
            editor.limitBytes = bodyLimitBytes
            // Rules that look into a body have it kept whole; live, no more of it passes before its edit is done.
            let isKept = firings.contains { $0.phase == .body(of: side) }
            let passes = !editor.needsWhole && !editor.isIdle && !isKept
            if !editor.isIdle {
                let head = edited.head
                touch.bodies[side] = try RuleTrial.edited(
                    &editor,
                    side,
                    of: subject,
                    message,
                    isKept,
                    sentHead: head,
                    while: isWanted
                )
                guard isWanted() else { throw Unwanted() }
            }
            run.take(editor)
            if passes {
                edited.head = edited.headChunked()
                run.noteCut(editor, side)
                if side == .request, editor.cut != nil { touch.gap = "the request breaks off" }
            } else if let length = touch.bodies[side]?.length {
                edited.head = edited.head(withLength: Int(length))
            } else if edited.keepCodings(of: message.head) {
                run.noteKeptCodings(of: edited)
            }
        } else if edited.keepCodings(of: message.head) {
            run.noteKeptCodings(of: edited)
        }
        if !edited.trailerEdits.isEmpty {
            _ = run.edit(trailers: message.trailers, by: edited.trailerEdits, &scope)
        }
        return edited.isChanged || !edited.destination.isEmpty || touch.bodies[side] != nil ? edited : nil
    }

    private func scope(of subject: some FilterSubject) throws -> TemplateScope {
        let needsBody = list.candidates(for: subject.summary).contains { index in
            MessageSide.allCases.contains { list.rules[index].needsRequestBody(on: $0) }
        }
        let seed = UInt64(bitPattern: subject.summary.id)
        let dice = RuleDice(seed: seed)
        return try TemplateScope(subject, now: subject.summary.started, needsBody: needsBody, generator: dice)
    }
}
