/// The way of one exchange through a list of rules: which rules apply on each side, and the record of what they did.
///
/// Each side is decided from the top of the list, once enough of the message is known. A body is awaited only where a rule depends on it that nothing
/// else rules out. So the phase in which a fact becomes known changes when rules are decided, and never which ones apply.
package struct RuleRun {
    /// The standing of a rule that the walk reaches.
    private enum Standing {
        case applies, passes, waits
        /// The rule cannot be decided, and nothing more will be known.
        case unknown
    }

    private let list: RuleList
    /// The exchange as it began.
    let summary: ExchangeSummary
    /// Places of the rules that may apply.
    private let candidates: [Int]
    /// The result of drawing for a rule, by the rule's place; each is drawn at most once for an exchange.
    private var draws: [Int: Int64?] = [:]
    /// Places of the rules that were counted as shadowed by the one that answers.
    private var shadowed: Set<Int> = []
    /// Places of the rules that were counted as such that could not be judged.
    private var unjudged: Set<Int> = []
    /// Places of the rules that were counted as such that could not be done, one for each time.
    private var faulted: [Int] = []
    /// The record of the rules that had no answer to this request, and sent it on.
    private var withdrawn: [RuleUse] = []
    /// The place behind which no rule applies.
    private var end = Int.max
    /// The rule that answers or refuses the request; `nil` while none does.
    package private(set) var final: RuleFiring?
    /// The record of what was done, in the order in which it was decided.
    package var uses: [RuleUse] = []
    /// Tags that rules give the exchange, each once, in the order in which they were given.
    package private(set) var tags: [String] = []
    /// The same tags.
    private var tagged: Set<String> = []

    /// Begins the way of an exchange.
    ///
    /// - Returns: the way; `nil` where no rule can apply, so that nothing is to be done.
    package init?(_ list: RuleList, for summary: ExchangeSummary) {
        candidates = list.candidates(for: summary)
        self.list = list
        self.summary = summary
        if candidates.isEmpty { return nil }
    }

    /// Whether to keep the request's body, up to the bytes that are judged, because rules for the response look at it.
    package var keepsRequestBody: Bool {
        candidates.contains { index in
            let rule = list.rules[index]
            return index <= end && rule.speaks(on: .response)
                && (rule.condition.asksOfRequestBody(for: .response) || rule.needsRequestBody(on: .response))
        }
    }

    /// Whether a rule that may apply asks which program sent the request.
    package var asksOfProcess: Bool { candidates.contains { list.rules[$0].condition.asksOfProcess } }

    /// Whether a rule for a side looks into a body, or at its length.
    func looksAtContent(on side: MessageSide) -> Bool {
        candidates.contains { index in
            let rule = list.rules[index]
            return rule.speaks(on: side)
                && (rule.needsRequestBody(on: side) || rule.condition.condition.tests.contains(where: \.looksAtContent))
        }
    }

    /// Whether a rule may apply to the response; a refusal has none, whatever the client is told.
    package var mayTouchResponse: Bool {
        if case .block = final?.rule.final { return false }
        return candidates.contains { $0 <= end && list.rules[$0].speaks(on: .response) }
    }

    /// Decides which rules apply on a side.
    ///
    /// - Parameters:
    ///   - side: the message that is changed, or answered.
    ///   - phase: what is known of the exchange; in the body's phase, the last one, a condition that is still unknown does not hold.
    ///   - subject: the exchange, with the messages as they came.
    ///   - now: microseconds since 1970.
    ///   - gap: why no more of the message will be known, such as `body over 8 MiB`; `nil` while more may come.
    ///   - requestGap: why the request's body is not known whole, for rules on the response that ask about it; `nil` where it is.
    /// - Returns: the verdict; after `waits` the caller asks again in that phase, after `applies` never again for this side.
    /// - Throws: what the subject throws.
    package mutating func judge(
        _ side: MessageSide,
        at phase: RulePhase,
        of subject: some FilterSubject,
        now: Int64,
        gap: String? = nil,
        requestGap: String? = nil
    ) throws -> RuleVerdict {
        let asksOfWebSocket = candidates.contains { list.rules[$0].condition.asksOfWebSocket }
        let subject = try AskedExchange(subject, looksAtHead: asksOfWebSocket)
        var matched: [Int] = []
        var unknown: [Int] = []
        var winner: Int?
        var isWaiting = false
        var lastsBesideAnswer = false
        var stop = end
        for index in candidates where index <= stop {
            let rule = list.rules[index]
            guard rule.speaks(on: side) else { continue }
            let answers = side == .request && rule.final != nil
            // A shadowed rule is not used up, and ends nothing.
            let isShadowed = winner != nil && rule.isShadowed(on: side)
            let ends = rule.stops && markSide(of: index) == side && !isShadowed
            switch try standing(rule, side, phase, subject, isLast: gap != nil, lacksRequestBody: requestGap != nil) {
            case .passes: continue
            case .unknown: unknown.append(index)
            case .waits:
                // Once a rule answers, only a rule that just ends the list is worth waiting for, or one that delays whoever answers.
                let lasts = !rule.isShadowed(on: side) && rule.actions.contains { $0.side == side && $0.isPacing }
                guard winner == nil || ends || lasts else { continue }
                guard !ends, !answers else { return .waits(until: .body(of: side)) }
                isWaiting = true
                lastsBesideAnswer = lastsBesideAnswer || lasts
            case .applies:
                matched.append(index)
                guard !isShadowed, answers || ends, draw(index, now) != nil else { continue }
                if answers { winner = index }
                if ends { stop = index }
            }
        }
        guard !isWaiting || winner != nil && !lastsBesideAnswer else { return .waits(until: .body(of: side)) }
        end = stop
        let spent = subject.decoded?.isSpent == true ? RuleGap.tooMuch : nil
        for index in unknown { noteUnknown(index, phase, gap ?? requestGap ?? spent) }
        return .applies(commit(matched, winner, side, phase, now))
    }

    private func standing(
        _ rule: Rule,
        _ side: MessageSide,
        _ phase: RulePhase,
        _ subject: some FilterSubject,
        isLast: Bool,
        lacksRequestBody: Bool
    ) throws -> Standing {
        let holds = try rule.condition.decision(at: phase, for: side, of: subject, lacksRequestBody: lacksRequestBody)
        guard let holds else {
            return !isLast && rule.condition.asks(after: phase, for: side) ? .waits : .unknown
        }
        guard holds else { return .passes }
        guard rule.needsRequestBody(on: side) else { return .applies }
        if lacksRequestBody { return .unknown }
        return phase >= .requestBody ? .applies : isLast ? .unknown : .waits
    }

    /// Records which rules apply, and counts them.
    private mutating func commit(
        _ matched: [Int],
        _ winner: Int?,
        _ side: MessageSide,
        _ phase: RulePhase,
        _ now: Int64
    ) -> [RuleFiring] {
        var firings: [RuleFiring] = []
        for index in matched {
            let rule = list.rules[index]
            // A rule that was drawn and did not apply is not shadowed.
            if let drawn = draws[index], drawn == nil { continue }
            // Whoever answers, a delay or a throttle is done.
            if let winner, winner != index, rule.isShadowed(on: side) {
                shadow(rule, index, by: list.rules[winner].name, phase)
                continue
            }
            guard let count = draw(index, now) else { continue }
            let firing = RuleFiring(rule: rule, phase: phase, count: count, index: index)
            if index == winner { final = firing }
            mark(index, side, phase)
            if rule.actions.contains(where: { $0.side == side }) { firings.append(firing) }
        }
        return firings
    }

    private mutating func shadow(_ rule: Rule, _ index: Int, by winner: String, _ phase: RulePhase) {
        list.counter(index).countShadow()
        shadowed.insert(index)
        for action in rule.actions where action.side == .request {
            let note = "shadowed by \(winner)"
            uses.append(RuleUse(rule: rule.name, phase: phase, action: action.word, what: "", note: note))
        }
    }

    /// The side on which a rule stops and tags; where another rule answers the request, that is the side on which it still has something to do.
    private func markSide(of index: Int) -> MessageSide {
        let rule = list.rules[index]
        guard let final, final.index != index, rule.isShadowed(on: .request) else { return rule.markSide }
        return rule.actions.contains { $0.side == .response } ? .response : rule.markSide
    }

    private mutating func mark(_ index: Int, _ side: MessageSide, _ phase: RulePhase) {
        let rule = list.rules[index]
        guard markSide(of: index) == side else { return }
        if !rule.tags.isEmpty {
            tags += rule.tags.filter { tagged.insert($0).inserted }
            let what = rule.tags.joined(separator: ", ")
            uses.append(RuleUse(rule: rule.name, phase: phase, action: "tag", what: what))
        }
        if rule.stops { uses.append(RuleUse(rule: rule.name, phase: phase, action: "stop", what: "")) }
    }

    /// Draws once for an exchange, however often the walk reaches the rule.
    private mutating func draw(_ index: Int, _ now: Int64) -> Int64? {
        if let drawn = draws[index] { return drawn }
        let rule = list.rules[index]
        let drawn = list.counter(index).draw(rule.limits, atMost: rule.limit, now: now)
        draws[index] = .some(drawn)
        return drawn
    }

    /// The counter of a rule that applies.
    func counter(of firing: RuleFiring) -> RuleCounter { list.counter(firing.index) }

    /// Takes back that a fault was to happen; where its rule does nothing else, it has not applied either.
    func takeBack(_ part: FailingBody.Part) {
        guard let index = list.rules.firstIndex(where: { $0.name == part.rule }) else { return }
        list.counter(index).takeBackFault()
        if list.rules[index].isFaultAlone { list.counter(index).takeBack(part.number) }
    }

    /// Records that a rule could not be judged.
    private mutating func noteUnknown(_ index: Int, _ phase: RulePhase, _ gap: String?) {
        let rule = list.rules[index]
        if unjudged.insert(index).inserted { list.counter(index).countUnknown() }
        let word = rule.actions.first { $0.side == phase.side }?.word ?? (rule.stops ? "stop" : "tag")
        let note = "skipped: \(gap ?? "the message does not say how long its body is")"
        uses.append(RuleUse(rule: rule.name, phase: phase, action: word, what: "", note: note))
    }

    /// Takes the rule back that answers, since it has no answer to this request and sends such requests on.
    ///
    /// Which rules apply is judged again without it; rules that it shadowed, or that could not be judged, are no longer counted as such.
    package mutating func withdrawAnswer() {
        let why = "skipped: there is no such file, and the request goes on"
        guard let final, let action = final.rule.final else { return }
        draws[final.index] = .some(nil)
        list.counter(final.index).takeBack(final.count)
        for index in shadowed { list.counter(index).takeBackShadow() }
        for index in unjudged { list.counter(index).takeBackUnknown() }
        (self.final, end, shadowed, unjudged, tags, tagged) = (nil, .max, [], [], [], [])
        withdrawn.append(
            RuleUse(rule: final.rule.name, phase: final.phase, action: action.word, what: "", note: why)
        )
        uses = withdrawn
    }

    /// Records that the answering rule could not make its answer; the client gets a 502 that says so.
    package mutating func noteFailedAnswer(_ fault: RuleFault) {
        guard let final, let action = final.rule.final else { return }
        noteFault(at: final.index)
        let note = "failed: \(fault.sentence)"
        uses.append(
            RuleUse(rule: final.rule.name, phase: final.phase, action: action.word, what: "502", note: note)
        )
    }

    /// Records that the trailers of a message were not edited, since it has no place for any.
    package mutating func noteUnsent(_ edits: [TrailerEdit]) {
        for edit in edits { noteFault(edit.firing, edit.action, RuleFault("the message has no place for trailers")) }
    }

    /// Counts that a rule could not be done.
    mutating func noteFault(at index: Int) {
        list.counter(index).countFault()
        faulted.append(index)
    }

    /// Takes back that rules applied, stood in each other's way, and could not be judged or done: the exchange was not looked at to its end.
    func takeBack() {
        for (index, number) in draws { if let number { list.counter(index).takeBack(number) } }
        for index in shadowed { list.counter(index).takeBackShadow() }
        for index in unjudged { list.counter(index).takeBackUnknown() }
        for index in faulted { list.counter(index).takeBackFailure() }
    }

    /// Records that an action could not be done.
    mutating func noteFault(_ firing: RuleFiring, _ action: RuleAction, _ fault: RuleFault) {
        noteFault(at: firing.index)
        let note = "skipped: \(fault.sentence)"
        uses.append(RuleUse(rule: firing.rule.name, phase: firing.phase, action: action.word, what: "", note: note))
    }
}
