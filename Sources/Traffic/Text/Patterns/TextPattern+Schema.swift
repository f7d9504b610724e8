extension TextPattern {
    /// Why a regular expression is refused, as the end of a sentence that begins with "the pattern".
    package struct Unread: Error, CustomStringConvertible {
        package let description: String
    }

    /// Makes a pattern of a regular expression that minds case, as in schemas; it takes time proportional to the text.
    ///
    /// - Throws: `Unread` for what would need backtracking (references, looking ahead), and for what is no expression.
    package init(mindingCase regex: String) throws(Unread) {
        do {
            try self.init(regex: "(?-i)" + regex)
        } catch {
            throw Unread(description: error.sentence)
        }
    }
}
