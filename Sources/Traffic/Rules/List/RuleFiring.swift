/// A rule that applies to an exchange on one side.
package struct RuleFiring: Sendable {
    package let rule: Rule
    /// The phase in which that was decided.
    package let phase: RulePhase
    /// How often the rule has applied, including this time.
    package let count: Int64
    /// Its place in the list.
    let index: Int

    /// The rule's actions on a side.
    package func actions(on side: MessageSide) -> [RuleAction] { rule.actions.filter { $0.side == side } }
}
