import Traffic

/// Texts as YAML 1.2 has them, so that reading gives the same text.
enum YAMLScalar {
    /// A text on one line, in double quotes.
    static func quoted(_ text: String) -> String {
        var out = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": out += "\\\""
            case "\\": out += "\\\\"
            case "\n": out += "\\n"
            case "\r": out += "\\r"
            case "\t": out += "\\t"
            // A byte order mark is taken for no part of a text.
            case _ where VisibleText.isVisible(scalar) && scalar != "\u{FEFF}": out.unicodeScalars.append(scalar)
            default: out += escape(scalar)
            }
        }
        return out + "\""
    }

    /// A name of a member: as it is where that cannot be read as something else.
    static func key(_ text: String) -> String {
        let isPlain = text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-" || $0 == "_") }
        let isWord = ["true", "false", "null", "yes", "no", "on", "off", "y", "n"].contains(ASCII.lower(text))
        return isPlain && text.first?.isLetter == true && !isWord ? text : quoted(text)
    }

    /// A text as the value of a member: several lines as a block, a line in quotes.
    ///
    /// - Parameters:
    ///   - text: the text.
    ///   - indent: blanks before the member's name.
    /// - Returns: what stands behind the name and its colon.
    static func value(_ text: String, indent: Int) -> String {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        let isPlain = text.unicodeScalars.allSatisfy {
            $0 == "\n" || $0 == "\t" || VisibleText.isVisible($0) && $0 != "\u{FEFF}"
        }
        let endsOnce = text.hasSuffix("\n") && !text.hasSuffix("\n\n")
        guard isPlain, lines.count > (endsOnce ? 2 : 1), endsOnce || !text.hasSuffix("\n") else {
            guard isPlain, text.contains("\"") || text.contains("\\"), !text.contains("\n") else {
                return quoted(text)
            }
            // By scalars: a sign behind a quotation mark makes one character with it.
            return "'" + String(String.UnicodeScalarView(text.unicodeScalars.flatMap { $0 == "'" ? [$0, $0] : [$0] }))
                + "'"
        }
        // The sign says how far the block is set in, whatever its first line begins with.
        let blanks = String(repeating: " ", count: indent + 2)
        let rows = (endsOnce ? lines.dropLast() : lines[...]).map { $0.isEmpty ? "" : blanks + $0 }
        return "|2\(endsOnce ? "" : "-")\n" + rows.joined(separator: "\n")
    }

    private static func escape(_ scalar: Unicode.Scalar) -> String {
        let digits = String(scalar.value, radix: 16, uppercase: true)
        let count = scalar.value > 0xFFFF ? 8 : 4
        return (count == 8 ? "\\U" : "\\u") + String(repeating: "0", count: count - digits.count) + digits
    }
}
