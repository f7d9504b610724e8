package import Traffic

/// What a rule's content comes to for one request.
package enum RuleContent: Sendable {
    /// The answer.
    case answer(SuppliedAnswer)
    /// There is no such file, and the rule sends such requests to the upstream.
    case upstream
    /// The answer cannot be given: the client gets a 502 that says why.
    case fault(RuleFault)
}
