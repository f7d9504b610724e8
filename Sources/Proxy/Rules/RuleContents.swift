package import Traffic

/// Gives the answers of rules whose content is a file, a file of a directory, or the response of a recorded exchange.
package protocol RuleContents: Sendable {
    /// What stands for the upstream, or why nothing does.
    ///
    /// Called on any event loop, never blocks, and calls `give` exactly once, from any thread.
    ///
    /// - Parameters:
    ///   - answer: the rule's answer, whose content is no bytes.
    ///   - request: the request, without its body.
    ///   - give: takes the result.
    func content(
        of answer: RenderedAnswer,
        for request: AskedRequest,
        _ give: @escaping @Sendable (RuleContent) -> Void
    )
}
