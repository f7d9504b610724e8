/// The rules in the order in which they apply, with their counters; the list never changes, so an exchange under way keeps its rules.
package final class RuleList: Sendable {
    /// What the rules say of a tunnel by what is known at its CONNECT.
    package enum TunnelVerdict {
        /// The tunnel is made: the requests inside decide, or nothing does.
        case passes
        /// A rule refuses it, with the record of that.
        case blocked(RuleBlock, RuleUse)
        /// The program decides, which is not known yet; the caller asks again.
        case waits
    }

    /// Most rules of a list.
    package static let limit = 10_000

    package let rules: [Rule]
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

    /// When each rule was loaded as it is, in their order: microseconds since 1970.
    ///
    /// A rule that its file changes is loaded anew.
    package var begins: [Int64] { counters.map(\.since) }

    /// The limit by which each rule applies no more, in their order; `nil` while it may apply.
    package func endings(now: Int64) -> [RuleLimits.End?] {
        zip(rules, counters).map { rule, counter in
            if let expires = rule.limits.expires, now - counter.since >= expires { return .expires }
            let most = min(rule.limits.times ?? .max, rule.limit ?? .max)
            return counter.figures.hits >= most ? .times : nil
        }
    }

    /// The rules that are on and may apply to a request, by their place in the list.
    package func candidates(for summary: ExchangeSummary, isConnect: Bool = false) -> [Int] {
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
    /// - Parameters:
    ///   - subject: the CONNECT, of which host, port and program are looked at.
    ///   - lacksProcess: whether the program is not known yet.
    /// - Returns: false where only the upstream can answer.
    /// - Throws: what the subject throws.
    package func mayKeepFromUpstream(_ subject: some FilterSubject, lacksProcess: Bool = false) throws -> Bool {
        try candidates(for: subject.summary, isConnect: true).contains { index in
            let rule = rules[index]
            guard rule.final != nil || rule.actions.contains(where: \.isSend) else { return false }
            return try rule.condition.decision(
                at: .connect,
                for: .request,
                of: subject,
                lacksProcess: lacksProcess
            ) != false
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
        guard case .blocked(let block, let use) = try judgeTunnel(subject, now: now) else { return nil }
        return (block, use)
    }

    /// Decides whether a tunnel is made: a rule that does not depend on what is not known yet is never put off by one below it, or for another host.
    ///
    /// - Parameters:
    ///   - subject: the CONNECT, of which host, port and program are looked at.
    ///   - now: microseconds since 1970.
    ///   - lacksProcess: whether the program is not known yet.
    /// - Returns: the verdict; never `waits` once the program is known.
    /// - Throws: what the subject throws.
    package func judgeTunnel(
        _ subject: some FilterSubject,
        now: Int64,
        lacksProcess: Bool = false
    ) throws -> TunnelVerdict {
        // Whether a rule above may yet decide, by the program.
        var isOpen = false
        for index in candidates(for: subject.summary, isConnect: true) {
            let rule = rules[index]
            guard rule.decides(on: .request) else { continue }
            let decision = try rule.condition.decision(
                at: .connect,
                for: .request,
                of: subject,
                lacksProcess: lacksProcess
            )
            let block: RuleBlock? = if case .block(let block) = rule.final { block } else { nil }
            switch decision {
            case false: continue
            case nil where lacksProcess && rule.condition.asksOfProcess:
                guard block == nil else { return .waits }
                isOpen = true
            // The requests inside the tunnel decide.
            case nil: return .passes
            default:
                guard let block else { return .passes }
                guard !isOpen else { return .waits }
                guard counters[index].draw(rule.limits, atMost: nil, now: now) != nil else { continue }
                let use = RuleUse(rule: rule.name, phase: .connect, action: "block", what: block.text)
                return .blocked(block, use)
            }
        }
        return .passes
    }
}
