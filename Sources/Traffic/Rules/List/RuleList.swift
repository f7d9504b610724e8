/// The rules in the order in which they apply, with their counters; the list never changes, so an exchange under way keeps its rules.
package final class RuleList: Sendable {
    /// Most rules of a list.
    package static let limit = 10_000

    package let rules: [Rule]
    /// Whether a rule that is on asks which program sent a request.
    package let asksOfProcess: Bool
    private let counters: [RuleCounter]
    private let index: RuleIndex

    /// Makes a list.
    ///
    /// - Parameters:
    ///   - rules: the rules in order, each with a name of its own.
    ///   - old: the list before; the counters of unchanged rules go on.
    ///   - now: microseconds since 1970.
    package init(_ rules: [Rule], after old: RuleList? = nil, now: Int64) {
        self.rules = rules
        asksOfProcess = rules.contains { !$0.isOff && $0.condition.asksOfProcess }
        let known = Dictionary(
            (old.map { zip($0.rules, $0.counters) }.map(Array.init) ?? []).map { ($0.0.name, $0) },
            uniquingKeysWith: { first, _ in first }
        )
        counters = rules.map { rule in
            guard let (before, counter) = known[rule.name], before.isSame(as: rule) else {
                return RuleCounter(since: now)
            }
            return counter
        }
        index = RuleIndex(rules)
    }

    /// The list with some rules switched on or off by name; the counters go on, and unknown names change nothing.
    package func turning(_ names: Set<String>, isOff: Bool, now: Int64) -> RuleList {
        let turned = rules.map { rule in
            var rule = rule
            if names.contains(rule.name) { rule.isOff = isOff }
            return rule
        }
        return RuleList(turned, after: self, now: now)
    }

    /// The same rules with nothing counted and none expired, for a dry run.
    package var fresh: RuleList {
        let lasting = rules.map { rule in
            var rule = rule
            rule.limits.expires = nil
            return rule
        }
        return RuleList(lasting, now: 0)
    }

    /// The counts of a rule; `nil` where no rule has this name.
    package func figures(of name: String) -> RuleCounter.Figures? {
        rules.firstIndex { $0.name == name }.map { counters[$0].figures }
    }

    /// The counts of all rules, in their order.
    package var figures: [RuleCounter.Figures] { counters.map(\.figures) }

    /// When each rule stops applying, in their order: microseconds since 1970; `nil` for a rule that never does.
    package var ends: [Int64?] {
        zip(rules, counters).map { rule, counter in rule.limits.expires.map { counter.since + $0 } }
    }

    /// The rules that are on and may apply to a request, by their place in the list.
    func candidates(for summary: ExchangeSummary, isConnect: Bool = false) -> [Int] {
        index.candidates(
            host: summary.host,
            method: isConnect ? nil : summary.method,
            target: isConnect ? nil : summary.target
        )
        .filter { !rules[$0].isOff }
    }

    /// Whether a rule may answer requests inside a tunnel, or send them elsewhere, so that the proxy must not dial the tunnel's upstream before it
    /// knows them.
    ///
    /// - Parameter subject: the CONNECT, of which host, port and program are looked at.
    /// - Returns: false where only the upstream can answer.
    /// - Throws: what the subject throws.
    package func mayKeepFromUpstream(_ subject: some FilterSubject) throws -> Bool {
        try candidates(for: subject.summary, isConnect: true).contains { index in
            let rule = rules[index]
            guard rule.final != nil || rule.actions.contains(where: \.isSend) else { return false }
            return try rule.condition.decision(at: .connect, for: .request, of: subject) != false
        }
    }

    func counter(_ index: Int) -> RuleCounter { counters[index] }

    /// The refusal of a tunnel, where its host alone decides it.
    ///
    /// - Parameters:
    ///   - subject: the CONNECT, of which host, port and program are looked at.
    ///   - now: microseconds since 1970.
    /// - Returns: the refusal and the record of it; `nil` when the tunnel is to be made.
    /// - Throws: what the subject throws.
    package func blockOfTunnel(_ subject: some FilterSubject, now: Int64) throws -> (RuleBlock, RuleUse)? {
        for index in candidates(for: subject.summary, isConnect: true) {
            let rule = rules[index]
            guard rule.decides(on: .request) else { continue }
            switch try rule.condition.decision(at: .connect, for: .request, of: subject) {
            case false: continue
            // The requests inside the tunnel decide.
            case nil: return nil
            default:
                guard case .block(let block) = rule.final else { return nil }
                guard counters[index].draw(rule.limits, atMost: nil, now: now) != nil else { continue }
                return (block, RuleUse(rule: rule.name, phase: .connect, action: "block", what: block.text))
            }
        }
        return nil
    }
}
