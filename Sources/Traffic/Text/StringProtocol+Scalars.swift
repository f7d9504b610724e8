extension StringProtocol {
    /// The text with some scalars replaced by other texts.
    ///
    /// A scalar that ends a word, a cell or an attribute does so even with an accent behind it, though the two are one Character, unlike the scalar
    /// alone.
    package func replacing(scalars others: [Unicode.Scalar: String]) -> String {
        var text = ""
        for scalar in unicodeScalars {
            if let other = others[scalar] { text += other } else { text.unicodeScalars.append(scalar) }
        }
        return text
    }
}
