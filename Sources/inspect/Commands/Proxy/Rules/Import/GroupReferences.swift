/// What regular expressions of other programs put in the place of a match, as templates of ours.
enum GroupReferences {
    private typealias Gap = ImportedRule.Gap

    /// A piece of a replacement.
    private enum Piece {
        case text(String)
        /// The number of a group, from 1 to 9.
        case group(Character)
    }

    /// Bytes of a replacement; a template of ours takes no more.
    private static let limitBytes = 1 << 20

    /// A replacement of Java, in which `$1` stands for a group, and a backslash takes a sign's meaning away.
    static func java(_ text: String) throws -> RuleValue {
        try template(text) { sign, rest in
            guard let next = rest.first else { return nil }
            if sign == "\\" { return .text(String(rest.removeFirst())) }
            guard next == "{" || PythonEscapes.isDigit(next) else { return nil }
            guard next != "0", next != "{" else { throw Gap("'$\(next)' in '\(text)'") }
            return .group(rest.removeFirst())
        }
    }

    /// A replacement of Python, in which `\1` and `\g<1>` stand for a group and `\n` for a line end.
    static func python(_ text: String) throws -> RuleValue {
        try template(text) { sign, rest in
            guard sign == "\\", let next = rest.first else { return nil }
            var group: Substring?
            if PythonEscapes.isDigit(next) {
                group = rest.prefix(while: PythonEscapes.isDigit)
                rest = rest.dropFirst(group?.count ?? 0)
            } else if rest.hasPrefix("g<"), let end = rest.firstIndex(of: ">") {
                group = rest[..<end].dropFirst(2)
                rest = rest[rest.index(after: end)...]
            }
            if let group {
                guard let digit = group.first, group.count == 1, digit != "0", PythonEscapes.isDigit(digit) else {
                    throw Gap("the group '\(group)' in '\(text)'")
                }
                return .group(digit)
            }
            rest.removeFirst()
            if let named = PythonEscapes.signs[next] { return .text(named) }
            guard !next.isASCII || !next.isLetter else { throw Gap("'\\\(next)' in '\(text)'") }
            return .text(next == "\\" ? "\\" : "\\\(next)")
        }
    }

    /// A template of ours.
    ///
    /// - Parameters:
    ///   - text: the replacement.
    ///   - take: takes a piece from what follows a backslash or a dollar sign; it is `nil`, and takes nothing, where that stands for itself.
    /// - Returns: the template.
    /// - Throws: `Gap` where it is too long, and what `take` throws.
    private static func template(
        _ text: String,
        _ take: (Character, inout Substring) throws -> Piece?
    ) throws -> RuleValue {
        guard text.utf8.count <= limitBytes else { throw Gap("a replacement over 1 MiB") }
        var (out, plain, rest) = ("", "", text[...])
        while let sign = rest.popFirst() {
            switch sign == "\\" || sign == "$" ? try take(sign, &rest) : nil {
            case .text(let text)?: plain += text
            case .group(let number)?:
                // '$${' would be the text '${'.
                guard !plain.hasSuffix("$") else { throw Gap("a '$' in front of a group, in '\(text)'") }
                out += RuleValue.escaped(plain) + "${\(number)}"
                plain = ""
            case nil: plain.append(sign)
            }
        }
        return .text(out + RuleValue.escaped(plain))
    }
}
