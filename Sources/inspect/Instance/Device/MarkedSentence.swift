import Traffic

/// A sentence of a guide in which backticks stand round what is typed or seen: as HTML, never as anything that a page would run.
struct MarkedSentence: Sendable, Hashable, ExpressibleByStringInterpolation {
    /// As it was written.
    let text: String

    init(stringLiteral text: String) { self.text = text }

    /// The sentence with `code` elements for what stands between backticks.
    var html: String {
        let parts = text.split(separator: "`", omittingEmptySubsequences: false)
        return parts.enumerated().map { position, part in
            position % 2 == 1 ? "<code>\(MarkedSentence.escaped(part))</code>" : MarkedSentence.escaped(part)
        }.joined()
    }

    /// Text as HTML shows it, in elements and in quoted attributes.
    static func escaped(_ text: some StringProtocol) -> String {
        text.replacing(scalars: ["&": "&amp;", "<": "&lt;", ">": "&gt;", "\"": "&quot;", "'": "&#39;"])
    }
}
