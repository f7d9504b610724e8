/// What regular expressions of other programs put in the place of a match, as templates of ours.
enum GroupReferences {
    private typealias Gap = ImportedRule.Gap

    /// A piece of a replacement.
    private enum Piece {
        case text(String)
        /// The number of a group, from 1 to 9.
        case group(Substring)
    }

    /// A replacement of Java, in which `$1` stands for a group, and a backslash takes a sign's meaning away.
    static func java(_ text: String) throws -> RuleValue {
        try template(text) { rest in
            guard let match = rest.prefixMatch(of: /(?s)\$([0-9{])|\\(.)/) else { return nil }
            rest = rest[match.range.upperBound...]
            guard let group = match.1 else { return .text(String(match.2 ?? "")) }
            guard group != "0", group != "{" else { throw Gap("'$\(group)' in '\(text)'") }
            return .group(group)
        }
    }

    /// A replacement of Python, in which `\1` and `\g<1>` stand for a group and `\n` for a line end.
    static func python(_ text: String) throws -> RuleValue {
        try template(text) { rest in
            guard let match = rest.prefixMatch(of: /(?s)\\(?:g<([^>]*)>|([0-9]+)|(.))/) else { return nil }
            rest = rest[match.range.upperBound...]
            if let group = match.1 ?? match.2 {
                guard group.wholeMatch(of: /[1-9]/) != nil else { throw Gap("the group '\(group)' in '\(text)'") }
                return .group(group)
            }
            let sign = match.3 ?? ""
            if let named = PythonEscapes.signs[sign] { return .text(named) }
            guard !sign.allSatisfy({ $0.isASCII && $0.isLetter }) else { throw Gap("'\\\(sign)' in '\(text)'") }
            return .text(sign == "\\" ? "\\" : "\\\(sign)")
        }
    }

    /// A template of ours; `take` takes a piece from the beginning of what is left, and is `nil` where the next sign is itself.
    private static func template(
        _ text: String,
        _ take: (inout Substring) throws -> Piece?
    ) throws -> RuleValue {
        var (out, plain, rest) = ("", "", text[...])
        while let sign = rest.first {
            switch "\\$".contains(sign) ? try take(&rest) : nil {
            case .text(let text)?: plain += text
            case .group(let number)?:
                // '$${' would be the text '${'.
                guard !plain.hasSuffix("$") else { throw Gap("a '$' in front of a group, in '\(text)'") }
                out += RuleValue.escaped(plain) + "${\(number)}"
                plain = ""
            case nil: plain.append(rest.removeFirst())
            }
        }
        return .text(out + RuleValue.escaped(plain))
    }
}
