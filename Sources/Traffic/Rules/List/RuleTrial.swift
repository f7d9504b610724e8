/// A dry run: it finds what a list of rules would have done to recorded exchanges, by the code that decides live.
///
/// Counters start at 0, so exchanges must come in the order in which they were captured.
package struct RuleTrial {
    /// What the rules would have done to one exchange.
    package struct Touch: Sendable {
        package var uses: [RuleUse]
        /// The request as it would have been sent; `nil` where it would not have been changed, or not sent.
        package var request: EditedMessage?
        /// The answer of a rule.
        package var answer: RenderedAnswer?
        /// The response as the client would have got it; `nil` where it would not have been changed.
        package var response: EditedMessage?
        /// Whether the upstream would have got a different request, so that its answer may differ from the recorded one.
        package var mayDiffer = false
    }

    package let list: RuleList

    package init(_ list: RuleList) { self.list = list.fresh }

    /// Nothing passes through the lines of a dry run.
    private static let sharer = RulePacing.Sharer(host: "", connection: "")

    /// Decides one exchange.
    ///
    /// - Returns: what the rules would have done; `nil` where no rule applies.
    /// - Throws: what the subject throws.
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
        let firings = try RuleTrial.firings(.request, &run, subject)
        _ = run.pace(.request, by: firings, RuleTrial.sharer)
        if run.final == nil {
            touch.request = try edited(.request, of: subject, by: firings, &run)
            touch.mayDiffer = touch.request != nil
            try touchResponse(of: subject, &run, &touch)
        } else if run.block() == nil {
            try answer(subject, &run, &touch)
        }
        touch.uses = run.uses
        return touch.uses.isEmpty ? nil : touch
    }

    /// The rules that apply on a side, decided as early as they would be live.
    private static func firings(
        _ side: MessageSide,
        _ run: inout RuleRun,
        _ subject: some FilterSubject
    ) throws -> [RuleFiring] {
        for phase in [RulePhase.head(of: side), .body(of: side)] {
            let verdict = try run.judge(side, at: phase, of: subject, now: subject.summary.started)
            if case .applies(let firings) = verdict { return firings }
        }
        return []
    }

    /// Makes the answer of a rule, and applies the rules for responses to it.
    private func answer(_ subject: some FilterSubject, _ run: inout RuleRun, _ touch: inout Touch) throws {
        var scope = try scope(of: subject)
        do throws(RuleFault) {
            touch.answer = try run.answer(&scope)
        } catch {
            run.noteFailedAnswer(error)
        }
        guard let answer = touch.answer else { return }
        guard case .bytes(let body) = answer.content else {
            // A dry run does not read the file or the recording.
            touch.mayDiffer = true
            return
        }
        try touchResponse(of: AnsweredExchange(subject: subject, answer: answer, body: body), &run, &touch)
    }

    private func touchResponse(
        of subject: some FilterSubject,
        _ run: inout RuleRun,
        _ touch: inout Touch
    ) throws {
        guard run.mayTouchResponse, subject.summary.code != nil else { return }
        let firings = try RuleTrial.firings(.response, &run, subject)
        _ = run.pace(.response, by: firings, RuleTrial.sharer)
        touch.response = try edited(.response, of: subject, by: firings, &run)
    }

    /// The message as the rules leave it; `nil` where they change neither its head nor where it goes.
    ///
    /// Heads are read only where a rule applies, so that a trial of many exchanges is quick.
    private func edited(
        _ side: MessageSide,
        of subject: some FilterSubject,
        by firings: [RuleFiring],
        _ run: inout RuleRun
    ) throws -> EditedMessage? {
        guard !firings.isEmpty, let message = try subject.message(side) else { return nil }
        var scope = try scope(of: subject)
        let edited = run.edit(message.head, side, by: firings, &scope)
        if !edited.trailerEdits.isEmpty {
            _ = run.edit(trailers: message.trailers, by: edited.trailerEdits, &scope)
        }
        return edited.isChanged || !edited.destination.isEmpty ? edited : nil
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
