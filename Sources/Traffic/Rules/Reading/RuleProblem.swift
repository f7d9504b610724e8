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

    /// Bytes of a text of the file that stands in a sentence.
    private static let quoteLimitBytes = 200
    /// Problems that are told; a file may have a mistake in every few bytes.
    package static let limit = 1_000
    /// What is said in the place of all that come behind these.
    static let more = "… and more; mend these first"

    /// The first problems, and one that says so in the place of the others.
    package static func first(_ problems: [RuleProblem]) -> [RuleProblem] {
        guard problems.count > limit else { return problems }
        let next = problems[limit]
        let last = RuleProblem(path: next.path, line: next.line, column: next.column, sentence: more)
        return problems[..<limit] + [last]
    }

    /// A text of the file in quotation marks, as a sentence has it, so that what is wrong with it stays in sight.
    ///
    /// What stands before an `@` may be a login, which is nobody's to see: problems are shown to everybody.
    static func quoted(_ text: String) -> String {
        let bytes = text.utf8
        let at = bytes.indices.last { bytes[$0] == UInt8(ascii: "@") || bytes[$0...].starts(with: "%40".utf8) }
        guard let at else { return "'\(shown(text, limitBytes: quoteLimitBytes))'" }
        let scheme = ["http", "https", "ws", "wss", "socks5"].first { bytes.starts(with: "\($0)://".utf8) }
        return "'\(shown("\(scheme.map { "\($0)://" } ?? "")…\(text[at...])", limitBytes: quoteLimitBytes))'"
    }

    /// A text, or its beginning where it has more bytes.
    static func shown(_ text: String, limitBytes: Int) -> String {
        guard text.utf8.count > limitBytes else { return text }
        return text[..<text.utf8.index(text.startIndex, offsetBy: limitBytes)] + "…"
    }

    /// `rules.yaml:14:9: sentence`, a form in which editors recognise a place to go to.
    package var description: String { "\(path):\(line):\(column): \(sentence)" }
}
