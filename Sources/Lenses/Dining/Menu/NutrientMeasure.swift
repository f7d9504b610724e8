/// The amount of a nutrient in a serving, as payloads write it: a number, or a text such as `<1g`.
package struct NutrientMeasure: Sendable, Equatable {
    package let text: String

    package init(_ text: String) { self.text = text }

    /// Whether the text is a number alone, which the app's label needs.
    package var isNumeric: Bool { label != nil }

    /// The amount that is meant: the number without `<` and unit; `nil` where there is none.
    package var amount: Double? { Self.leadingNumber(text.drop { $0 == "<" || $0 == " " }).flatMap { Double($0) } }

    /// Whether less than `amount` is meant.
    package var isBelow: Bool { text.first { $0 != " " } == "<" }

    /// The amount that the app computes percents with: the number at the beginning, else 0 (NSString's `floatValue`).
    var floatValue: Float { Self.leadingNumber(text.drop { $0.isWhitespace }).flatMap { Float($0) } ?? 0 }

    /// The amount that the app's label multiplies; `nil` where the app's number formatter reads nothing and the label says 0.
    var label: Double? {
        guard let number = Self.leadingNumber(text[...]), number.endIndex == text.endIndex else { return nil }
        return Double(number)
    }

    /// A sign, digits and a fraction at the beginning of a text.
    private static func leadingNumber(_ text: Substring) -> Substring? {
        var end = text.startIndex
        if end < text.endIndex, text[end] == "-" || text[end] == "+" { end = text.index(after: end) }
        var digits = 0
        var hasPoint = false
        while end < text.endIndex {
            if ("0"..."9").contains(text[end]) {
                digits += 1
            } else if text[end] == ".", !hasPoint {
                hasPoint = true
            } else {
                break
            }
            end = text.index(after: end)
        }
        return (1...30).contains(digits) ? text[..<end] : nil
    }
}
