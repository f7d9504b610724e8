/// How a request is turned away before anything of it goes upstream.
package enum RuleBlock: Hashable, Sendable {
    /// With a status code and a line that says why.
    case status(Int)
    /// The connection, or the stream, ends without a byte.
    case close
    /// The connection is reset; of HTTP/2 the stream alone.
    case reset
    /// Nothing is said until the client leaves.
    case hang

    /// The word or the number that it is written as.
    package var text: String {
        switch self {
        case .status(let code): String(code)
        case .close: "close"
        case .reset: "reset"
        case .hang: "hang"
        }
    }
}
