/// How a request is refused before anything of it goes upstream.
package enum RuleBlock: Hashable, Sendable {
    /// A status code, and a line that says why.
    case status(Int)
    /// The connection, or the stream, ends without a byte.
    case close
    /// The connection is reset; in HTTP/2 only the stream.
    case reset
    /// Nothing is said until the client leaves.
    case hang

    /// The word or the number for it in a rules file.
    package var text: String {
        switch self {
        case .status(let code): String(code)
        case .close: "close"
        case .reset: "reset"
        case .hang: "hang"
        }
    }
}
