extension StringProtocol {
    /// The text with others in the place of some scalars.
    ///
    /// What ends a word, a cell or an attribute does so with an accent behind it as well, with which it is one Character, and another one.
    package func replacing(scalars others: [Unicode.Scalar: String]) -> String {
        var text = ""
        for scalar in unicodeScalars {
            if let other = others[scalar] { text += other } else { text.unicodeScalars.append(scalar) }
        }
        return text
    }
}
