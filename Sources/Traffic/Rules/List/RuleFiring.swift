/// A rule that applies to an exchange on one side.
package struct RuleFiring: Sendable {
    package let rule: Rule
    /// The phase in which that was decided.
    package let phase: RulePhase
    /// How often the rule has applied, this time included.
    package let count: Int64
    /// Its place in the list.
    let index: Int

    /// What it does on a side.
    package func actions(on side: MessageSide) -> [RuleAction] { rule.actions.filter { $0.side == side } }
}
