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
    }

    let path: JSONPath
    let condition: Condition

    /// Whether a text meets the pattern.
    ///
    /// - Parameters:
    ///   - root: the text.
    ///   - likeSteps: steps that an expression may take on one string.
    ///   - mayLook: is asked before so many bytes are compared, and told of an expression's steps behind them; `false` where they are not to be.
    /// - Returns: whether it does.
    func matches(
        _ root: JSONValue,
        likeSteps: Int = .max,
        _ mayLook: (_ bytes: Int) -> Bool = { _ in true }
    ) -> Bool {
        let least = if case .equals(let wanted) = condition { wanted.utf8.count } else { JSONPattern.leastBytes }
        return path.values(in: root).contains { value in
            guard condition != .exists else { return true }
            let count = if case .string(let text) = value { max(least, text.utf8.count) } else { least }
            guard mayLook(count * JSONPattern.foldShare) else { return false }
            guard case .like(let pattern) = condition, case .string(let text) = value else { return isMet(value) }
            var steps = likeSteps
            let isLike = pattern.matches(text, work: &steps)
            // What takes too much is not known, and ends the search.
            let bytes = isLike == nil ? JSONPattern.tooMany : (likeSteps - steps) * JSONPattern.foldShare
            return mayLook(bytes) && isLike == true
        }
    }

    /// Bytes that take as long as the shortest comparison.
    private static let leastBytes = 8
    /// To fold a byte takes as long as to look at so many.
    private static let foldShare = 4
    /// More bytes than may ever be looked at.
    private static let tooMany = 1 << 40

    private func isMet(_ value: JSONValue) -> Bool {
        switch (condition, value) {
        case (.exists, _): true
        case (.equals(let wanted), .string(let text)): text.lowercased() == wanted.lowercased()
        case (.equals(let wanted), .number(let number)): Double(wanted) == number
        case (.equals(let wanted), .boolean(let value)): wanted.lowercased() == String(value)
        case (.equals(let wanted), .null): wanted.lowercased() == "null"
        case (.like(let pattern), .string(let text)): pattern.matches(text)
        case (.like(let pattern), .number(let number)):
            pattern.matches(Condition.text(number))
        case (.compared(.atLeast, let bound), .number(let number)): number >= bound
        case (.compared(.atMost, let bound), .number(let number)): number <= bound
        case (.compared(.over, let bound), .number(let number)): number > bound
        case (.compared(.under, let bound), .number(let number)): number < bound
        default: false
        }
    }
}
