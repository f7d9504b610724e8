/// One Swift file as the rules read it.
struct SourceFile: Sendable {
    /// The path from the top of the checkout, with `/`.
    let path: String
    /// The text as it stands.
    let text: String
    /// The text with comments and string literals turned into blanks, so that a rule sees only code; lines keep their numbers.
    let code: String

    init(path: String, text: String) {
        self.path = path
        self.text = text
        self.code = CodeOnly.blanking(text)
    }

    /// The lines as they stand; the first has number 1 in a `Violation`.
    var lines: [Substring] { text.split(separator: "\n", omittingEmptySubsequences: false) }

    /// The lines without comments and literals.
    var codeLines: [Substring] { code.split(separator: "\n", omittingEmptySubsequences: false) }

    /// The lines of a file; a last line break ends the last line and starts none.
    var lineCount: Int { text.hasSuffix("\n") ? lines.count - 1 : lines.count }

    /// The target that the file belongs to: the folder under `Sources`; nil elsewhere.
    var target: String? {
        let parts = path.split(separator: "/")
        return parts.count > 2 && parts[0] == "Sources" ? String(parts[1]) : nil
    }

    /// The name without folders and `.swift`.
    var name: String {
        let last = path.split(separator: "/").last ?? ""
        return String(last.hasSuffix(".swift") ? last.dropLast(6) : last)
    }

    /// Every place where the code matches a pattern, by line.
    func violations(of pattern: Regex<Substring>, because reason: String) -> [Violation] {
        codeLines.enumerated().flatMap { index, line in
            line.matches(of: pattern.wordBoundaryKind(.simple)).map { match in
                Violation(path: path, line: index + 1, reason: "`\(match.output.trimmingBlanks)` \(reason)")
            }
        }
    }
}

/// A place that breaks a rule, with what the rule wants.
struct Violation: Hashable, Sendable, CustomStringConvertible {
    let path: String
    let line: Int
    let reason: String

    var description: String { "\(path):\(line): \(reason)" }
}

extension Substring {
    /// The text without blanks at either end.
    var trimmingBlanks: Substring {
        let start = firstIndex { !$0.isWhitespace } ?? endIndex
        let end = lastIndex { !$0.isWhitespace }.map(index(after:)) ?? endIndex
        return start < end ? self[start..<end] : self[start..<start]
    }
}
