/// A regular expression of a document.
struct SchemaPattern: Sendable {
    /// The expression as the document writes it.
    let source: String
    let all: SchemaPatterns

    /// Whether any part of a text matches the expression; `nil` where that takes more work than is left.
    ///
    /// - Parameters:
    ///   - text: the text.
    ///   - work: the bytes and steps that may be taken; those that were are taken off.
    /// - Returns: whether a part matches.
    func matches(_ text: String, work: inout Int) -> Bool? { all.matches(source, text, work: &work) }
}
