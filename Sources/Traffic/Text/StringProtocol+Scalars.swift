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

extension StringProtocol {
    /// The text, cut where it has more characters than are shown; however many scalars a character has, it does not grow beyond eight for each.
    func shortened(to limit: Int) -> String {
        guard utf8.count > limit else { return String(self) }
        let whole = Substring(self)
        let start = Substring(whole.unicodeScalars.prefix(limit * 8))
        guard start.count > limit || start.endIndex < whole.endIndex else { return String(self) }
        return start.prefix(limit - 1) + "…"
    }
}
