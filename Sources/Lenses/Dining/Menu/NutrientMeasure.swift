/// How much of a nutrient a serving has, as payloads write it: a number, or text such as `<1g`.
package struct NutrientMeasure: Sendable, Equatable {
    package let text: String

    package init(_ text: String) { self.text = text }

    /// Whether it is a number and nothing else, which the app's label needs.
    package var isNumeric: Bool { label != nil }

    /// What is meant: the number without `<` and unit; `nil` where there is none.
    package var amount: Double? { Self.leadingNumber(text.drop { $0 == "<" || $0 == " " }).flatMap { Double($0) } }

    /// Whether less than `amount` is meant.
    package var isBelow: Bool { text.first { $0 != " " } == "<" }

    /// What the app reckons percents with: the number at the beginning, else 0 (NSString's `floatValue`).
    var floatValue: Float { Self.leadingNumber(text.drop { $0.isWhitespace }).flatMap { Float($0) } ?? 0 }

    /// What the app's label shows a multiple of; `nil` where its number formatter reads nothing and the label says 0.
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
