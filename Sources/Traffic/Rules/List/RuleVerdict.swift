/// What the rules say of one side of an exchange.
package enum RuleVerdict: Sendable {
    /// A rule cannot be decided before this phase; nothing of the message may go on before.
    case waits(until: RulePhase)
    /// These apply, in their order; of an answered request the rule that answers alone.
    case applies([RuleFiring])
}
