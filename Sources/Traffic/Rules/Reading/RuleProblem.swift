/// What is wrong with a rules file, and where.
package struct RuleProblem: Error, Hashable, Sendable, CustomStringConvertible {
    package let path: String
    /// Line and column count from 1, as in editors.
    package let line: Int
    package let column: Int
    /// What is wrong, and what would be right.
    package let sentence: String

    /// Bytes of a sentence after which the rest is left out: one text of a file may stand in it for many rules, and so would many of its sentences.
    private static let limitBytes = 1_000

    package init(path: String, line: Int, column: Int, sentence: String) {
        (self.path, self.line, self.column) = (path, line, column)
        self.sentence = RuleProblem.shown(sentence, limitBytes: RuleProblem.limitBytes)
    }

    /// A text, or its beginning where it has more bytes.
    static func shown(_ text: String, limitBytes: Int) -> String {
        guard text.utf8.count > limitBytes else { return text }
        return text[..<text.utf8.index(text.startIndex, offsetBy: limitBytes)] + "…"
    }

    /// `rules.yaml:14:9: sentence`, a form in which editors recognise a place to go to.
    package var description: String { "\(path):\(line):\(column): \(sentence)" }
}
