extension TextPattern {
    /// Why a regular expression is not taken, as the end of a sentence begun with "the pattern".
    package struct Unread: Error, CustomStringConvertible {
        package let description: String
    }

    /// A regular expression that minds case, as those of schemas do; like every other it takes time proportional to the text.
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
