/// One Swift file as the rules read it.
struct SourceFile: Sendable {
    /// The path from the top of the checkout, with `/`.
    let path: String
    /// The text as it stands.
    let text: String
    /// The lines as they stand.
    let lines: TextLines
    /// The lines with comments and string literals turned into blanks, so that a rule sees only code.
    let code: TextLines

    init(path: String, text: String) {
        self.path = path
        self.text = text
        let bytes = Array(text.utf8)
        lines = TextLines(bytes)
        code = TextLines(CodeOnly.blanking(bytes))
    }

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

    /// Every place where the code matches a pattern.
    ///
    /// - Parameters:
    ///   - pattern: matched within a line.
    ///   - texts: what a line has to contain to match at all.
    ///   - reason: what the rule wants, after the words found.
    /// - Returns: the places, in order.
    func violations(of pattern: Regex<Substring>, in texts: String..., because reason: String) -> [Violation] {
        let pattern = pattern.wordBoundaryKind(.simple)
        return code.containing(texts).flatMap { line in
            line.text.matches(of: pattern).map { match in
                Violation(path: path, line: line.number, reason: "`\(match.output.trimmingBlanks)` \(reason)")
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

extension StringProtocol {
    /// The text without blanks at either end.
    var trimmingBlanks: String {
        let rest = drop { $0.isWhitespace }
        return String(rest[..<(rest.lastIndex { !$0.isWhitespace }.map(rest.index(after:)) ?? rest.startIndex)])
    }
}
