/// A pattern for JSON texts: a path, and a condition on what stands there.
package struct JSONPattern: Hashable, Sendable {
    /// What must stand there.
    enum Condition: Hashable, Sendable {
        /// Anything.
        case exists
        /// A string that is this ignoring case, or a number, `true`, `false` or `null` that is written so.
        case equals(String)
        /// A string, or the text of a number, that matches this.
        case like(TextPattern)
        /// A number that compares so to this one.
        case compared(Sign, Double)

        /// A number as text, a whole number without a point.
        static func text(_ number: Double) -> String { Int64(exactly: number).map { String($0) } ?? String(number) }
    }

    /// How a number is compared.
    enum Sign: String, Hashable, Sendable, CaseIterable {
        case atLeast = ">="
        case atMost = "<="
        case over = ">"
        case under = "<"

        fileprivate func isMet(_ number: Double, _ bound: Double) -> Bool {
            switch self {
            case .atLeast: number >= bound
            case .atMost: number <= bound
            case .over: number > bound
            case .under: number < bound
            }
        }
    }

    let path: JSONPath
    let condition: Condition

    /// Whether one of many texts meets the pattern.
    ///
    /// - Parameters:
    ///   - roots: the texts.
    ///   - mayLook: is asked before what takes as long as to compare so many bytes; `false` where it is not to be done.
    ///   - isLike: whether a string, or the text of a number, matches an expression.
    /// - Returns: whether one does.
    func matches(
        _ roots: [JSONValue],
        mayLook: (_ bytes: Int) -> Bool = { _ in true },
        isLike: (TextPattern, String) -> Bool = { $0.matches($1) }
    ) -> Bool {
        let equality = if case .equals(let text) = condition { Equality(text) } else { nil as Equality? }
        func isMet(by value: JSONValue) -> Bool {
            switch (condition, value) {
            case (.exists, _): true
            case (.equals, _): equality.map { mayLook($0.bytes(of: value)) && $0.isMet(by: value) } ?? false
            case (.like(let pattern), .string(let text)):
                mayLook(JSONPattern.likeBytes) && isLike(pattern, text)
            case (.like(let pattern), .number(let number)):
                mayLook(JSONPattern.likeBytes) && isLike(pattern, Condition.text(number))
            case (.compared(let sign, let bound), .number(let number)): sign.isMet(number, bound)
            default: false
            }
        }
        return roots.contains { root in
            let found = path.values(in: root) { mayLook($0 * JSONPattern.leastBytes) }
            return mayLook(found.count * JSONPattern.foundBytes) && found.contains(where: isMet)
        }
    }

    /// Bytes that take as long as to look at a member or an element, or as the shortest comparison.
    private static let leastBytes = 8
    /// Bytes that take as long as to keep a value that was found.
    private static let foundBytes = 4
    /// Bytes that take as long as to begin with an expression.
    private static let likeBytes = 32

    /// A text that values are compared with, made ready once for all of them.
    private struct Equality {
        /// To fold a byte takes as long as to look at so many.
        private static let foldShare = 4
        /// Neither another case nor another normal form makes a text so many times as long.
        private static let mostTimes = 10

        private let folded: String
        private let number: Double?
        private let count: Int

        init(_ text: String) { (folded, number, count) = (text.lowercased(), Double(text), text.utf8.count) }

        /// Bytes whose comparison takes as long as that with a value.
        func bytes(of value: JSONValue) -> Int {
            guard case .string(let text) = value, mayBe(text) else { return JSONPattern.leastBytes }
            return max(JSONPattern.leastBytes, count, text.utf8.count) * Equality.foldShare
        }

        func isMet(by value: JSONValue) -> Bool {
            switch value {
            case .string(let text): mayBe(text) && text.lowercased() == folded
            case .number(let value): value == number
            case .boolean(let value): folded == String(value)
            case .null: folded == "null"
            case .array, .object: false
            }
        }

        private func mayBe(_ text: String) -> Bool {
            let (less, more) = (min(count, text.utf8.count), max(count, text.utf8.count))
            return more <= less * Equality.mostTimes
        }
    }
}
