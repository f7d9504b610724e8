/// The record of what one action of a rule did to an exchange.
package struct RuleUse: Hashable, Sendable, Codable {
    /// The rule's name.
    package var rule: String
    /// The phase in which it was decided.
    package var phase: RulePhase
    /// The word of the action: `send`, `request`, `respond`, `block`, `response`, `delay`, `throttle`, `fault`, `tag`, `stop`.
    package var action: String
    /// The changes on a line: `host, User-Agent`, `503`; empty when nothing changed.
    package var what: String
    /// How long it held the exchange up; `nil` where it did not.
    package var microseconds: Int64?
    /// Why it changed nothing: a rule above answered, or the action could not be done; `nil` otherwise.
    package var note: String?

    package init(rule: String, phase: RulePhase, action: String, what: String, note: String? = nil) {
        (self.rule, self.phase, self.action, self.what, self.note) = (rule, phase, action, what, note)
    }

    /// Actions that change neither where a request goes, nor what is sent, nor what comes back.
    private static let harmless: Set = ["tag", "stop", "delay", "throttle"]

    /// Whether the action changed the exchange: `is:modified`.
    package var isChange: Bool { !what.isEmpty && !RuleUse.harmless.contains(action) }
}

extension [RuleUse] {
    /// Whether a rule changed where the exchange went, what was sent or what came back.
    package var isModified: Bool { contains(where: \.isChange) }

    /// The rules' names, each once, in the order in which they came.
    package var rules: [String] {
        guard count > 1 else { return map(\.rule) }
        var seen: Set<String> = []
        return map(\.rule).filter { seen.insert($0).inserted }
    }

    /// The line that a person reads: `staging (host), no csp (Content-Security-Policy removed)`; empty when nothing changed.
    package var sentence: String {
        filter(\.isChange).map { "\($0.rule) (\($0.what))" }.joined(separator: ", ")
    }
}
