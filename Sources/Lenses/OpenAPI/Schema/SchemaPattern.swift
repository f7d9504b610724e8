/// A regular expression of a document.
struct SchemaPattern: Sendable {
    /// As the document writes it.
    let source: String
    let all: SchemaPatterns

    /// Whether a text matches it somewhere; `nil` where that takes more work than there is.
    ///
    /// - Parameters:
    ///   - text: the text.
    ///   - work: bytes and steps that may be looked at; those that were are taken off.
    /// - Returns: whether it does.
    func matches(_ text: String, work: inout Int) -> Bool? { all.matches(source, text, work: &work) }
}
