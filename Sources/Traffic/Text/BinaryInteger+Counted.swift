extension BinaryInteger {
    /// The number with the noun that it counts: `1 exchange`, and `0 exchanges` or `2 exchanges`.
    ///
    /// - Parameters:
    ///   - one: the words for one; they may go on past the noun (`part differs`).
    ///   - many: the words for any other number; by default those for one with an `s`.
    /// - Returns: the number in digits without separators, a blank, and the words.
    package func counted(_ one: String, _ many: String? = nil) -> String {
        "\(self) \(self == 1 ? one : many ?? one + "s")"
    }
}
