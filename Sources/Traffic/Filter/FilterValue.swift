/// A value as it stood in a query or after a flag, and how it is meant.
struct FilterValue: Hashable, Sendable {
    /// How it was written.
    enum Form: Hashable, Sendable {
        case plain
        /// In quotes: nothing in it is special.
        case quoted
        /// Between slashes.
        case regex
    }

    /// Without quotes or slashes.
    var text: String
    var form: Form
    /// Where it begins, in characters from 1.
    var column = 1
    /// What follows the sign, in a value such as `name=value`.
    var assigned: Assigned?

    /// The second half of `name=value` or `path>=number`.
    struct Assigned: Hashable, Sendable {
        var sign: String
        var text: String
        var form: Form
        var column: Int
    }

    init(_ text: String, _ form: Form, column: Int = 1) {
        (self.text, self.form, self.column) = (text, form, column)
    }

    /// A value after a flag or in a URL, where nothing is quoted.
    init(bare text: String) {
        let text = text.trimmingBlanks
        let isRegex = text.count > 2 && text.hasPrefix("/") && text.hasSuffix("/")
        self.init(isRegex ? String(text.dropFirst().dropLast()) : text, isRegex ? .regex : .plain)
    }

    /// What a text is to be like.
    func pattern() throws(ValueProblem) -> TextPattern { try FilterValue.pattern(text, form) }

    /// What a text is to be like.
    static func pattern(_ text: String, _ form: Form) throws(ValueProblem) -> TextPattern {
        switch form {
        case .quoted: return TextPattern(containing: text)
        case .plain:
            guard text.contains("*") else { return TextPattern(containing: text) }
            guard let pattern = TextPattern(glob: text) else {
                throw ValueProblem("the pattern with * is too long; at most \(RegexReader.limit) characters")
            }
            return pattern
        case .regex:
            do {
                return try TextPattern(regex: text)
            } catch {
                throw ValueProblem(
                    "the regular expression cannot be read at its character \(error.offset + 1): \(error.sentence)"
                )
            }
        }
    }
}

extension String {
    /// The text without the blanks round it.
    var trimmingBlanks: String {
        var view = self[...]
        while view.first?.isWhitespace == true { view.removeFirst() }
        while view.last?.isWhitespace == true { view.removeLast() }
        return String(view)
    }
}
