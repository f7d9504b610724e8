/// The verdict of the rules on one side of an exchange.
package enum RuleVerdict: Sendable {
    /// A rule cannot be decided before this phase; nothing of the message may go on before.
    case waits(until: RulePhase)
    /// These rules apply, in their order; for an answered request, the answering rule, and those that only take time.
    case applies([RuleFiring])
}
