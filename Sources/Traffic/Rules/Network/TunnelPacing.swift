/// How rules slow a connection whose bytes are no requests that could be judged.
package struct TunnelPacing: Sendable {
    package let pacing: RulePacing
    /// The record of it.
    package let uses: [RuleUse]
}

extension RuleList {
    /// What throttles do to a connection: those alone that hold by what is known of it.
    ///
    /// - Parameters:
    ///   - subject: the connection, of which host, port and program are looked at.
    ///   - sharer: who shares the lines with it.
    ///   - now: microseconds since 1970.
    ///   - lacksProcess: whether the program is not known yet.
    /// - Returns: `nil` where nothing slows it.
    /// - Throws: what the subject throws.
    package func paceOfTunnel(
        _ subject: some FilterSubject,
        _ sharer: RulePacing.Sharer,
        now: Int64,
        lacksProcess: Bool
    ) throws -> TunnelPacing? {
        guard var run = RuleRun(self, for: subject.summary) else { return nil }
        var firings: [RuleFiring] = []
        for index in candidates(for: subject.summary, isConnect: true) {
            let rule = rules[index]
            let isThrottle = rule.actions.contains(where: \.isThrottle)
            guard isThrottle || rule.stops else { continue }
            let decision = try rule.condition.decision(
                at: .connect,
                for: .request,
                of: subject,
                lacksProcess: lacksProcess
            )
            guard decision == true else { continue }
            if isThrottle {
                guard let count = counter(index).draw(rule.limits, atMost: nil, now: now) else { continue }
                firings.append(RuleFiring(rule: rule, phase: .connect, count: count, index: index))
            }
            if rule.stops { break }
        }
        guard !firings.isEmpty else { return nil }
        let pacing = run.throttle(by: firings, sharer)
        return TunnelPacing(pacing: pacing, uses: run.uses)
    }
}
