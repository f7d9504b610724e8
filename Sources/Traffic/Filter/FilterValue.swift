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

    /// A value after a flag or in a URL: in quotes only where it has to be.
    init(bare text: String) {
        let text = text.trimmingBlanks
        if let inner = FilterValue.unquoted(text) {
            self.init(inner, .quoted)
            return
        }
        let isRegex = text.count > 2 && text.hasPrefix("/") && text.hasSuffix("/")
        self.init(isRegex ? String(text.dropFirst().dropLast()) : text, isRegex ? .regex : .plain)
    }

    /// The parts of a comma list; what stands in quotes is one part, commas and all.
    ///
    /// An empty part is kept, so that it can be complained of.
    static func parts(of list: String) -> [String] {
        var parts: [String] = []
        var rest = list[...]
        while true {
            let end = quoteEnd(rest) ?? rest.firstIndex(of: ",") ?? rest.endIndex
            parts.append(String(rest[..<end]))
            guard end < rest.endIndex else { return parts }
            rest = rest[rest.index(after: end)...]
        }
    }

    /// What stands in the quotes of a text that is nothing else, `\"` and `\\` being one character each; `nil` for any other text.
    private static func unquoted(_ text: String) -> String? {
        guard text.count >= 2, quoteEnd(text[...]) == text.endIndex else { return nil }
        var inner = ""
        var rest = text.dropFirst().dropLast()
        while let character = rest.popFirst() {
            if character == "\\", let next = rest.first, next == "\"" || next == "\\" {
                inner.append(next)
                rest = rest.dropFirst()
            } else {
                inner.append(character)
            }
        }
        return inner
    }

    /// Where a text in quotes at the beginning of a list ends: at a comma or the end; `nil` where none is, or more follows it.
    private static func quoteEnd(_ text: Substring) -> String.Index? {
        guard text.first == "\"" else { return nil }
        var index = text.index(after: text.startIndex)
        while index < text.endIndex, text[index] != "\"" {
            index = text.index(index, offsetBy: text[index] == "\\" ? 2 : 1, limitedBy: text.endIndex) ?? text.endIndex
        }
        guard index < text.endIndex else { return nil }
        index = text.index(after: index)
        return index == text.endIndex || text[index] == "," ? index : nil
    }

    /// The pattern that a text stands for.
    func pattern() throws(ValueProblem) -> TextPattern { try FilterValue.pattern(text, form) }

    /// The pattern that a text stands for.
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
    package var trimmingBlanks: String {
        var view = self[...]
        while view.first?.isWhitespace == true { view.removeFirst() }
        while view.last?.isWhitespace == true { view.removeLast() }
        return String(view)
    }
}
