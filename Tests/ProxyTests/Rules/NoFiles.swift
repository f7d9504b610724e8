import Proxy
import Traffic

/// Knows no file: what a rule answers with goes to the upstream.
struct NoFiles: RuleContents {
    func content(
        of answer: RenderedAnswer,
        for request: AskedRequest,
        _ give: @escaping @Sendable (RuleContent) -> Void
    ) {
        give(.upstream)
    }
}
