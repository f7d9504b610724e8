/// What is wrong with a rules file, and where.
package struct RuleProblem: Error, Hashable, Sendable, CustomStringConvertible {
    package let path: String
    /// Line and column count from 1, as in editors.
    package let line: Int
    package let column: Int
    /// What is wrong, and what would be right.
    package let sentence: String

    package init(path: String, line: Int, column: Int, sentence: String) {
        (self.path, self.line, self.column, self.sentence) = (path, line, column, sentence)
    }

    /// `rules.yaml:14:9: sentence`, a form in which editors recognise a place to go to.
    package var description: String { "\(path):\(line):\(column): \(sentence)" }
}
