/// Makes captured text safe to print: what came from the wire must not be able to move the cursor, colour lines or set the title.
enum TerminalText {
    /// The text with every control, format and line-separating character written as an escape (`\n`, `\e`, `\u{202E}`), so that it stays on one line.
    static func escaped(_ text: String) -> String {
        text.unicodeScalars.allSatisfy(isPlain) ? text : text.unicodeScalars.reduce(into: "") { append($1, to: &$0) }
    }

    /// The text with line feeds and tabs kept, everything else as in `escaped`: for bodies that have lines of their own.
    static func escapedLines(_ text: String) -> String {
        if text.unicodeScalars.allSatisfy({ isPlain($0) || $0 == "\n" || $0 == "\t" }) { return text }
        return text.unicodeScalars.reduce(into: "") { result, scalar in
            if scalar == "\n" || scalar == "\t" {
                result.unicodeScalars.append(scalar)
            } else {
                append(scalar, to: &result)
            }
        }
    }

    private static func append(_ scalar: Unicode.Scalar, to text: inout String) {
        switch scalar {
        case _ where isPlain(scalar): text.unicodeScalars.append(scalar)
        case "\n": text += "\\n"
        case "\r": text += "\\r"
        case "\t": text += "\\t"
        case "\u{1B}": text += "\\e"
        default: text += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
        }
    }

    /// Whether a scalar shows itself and nothing else.
    private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.value < 0x7F { return scalar.value >= 0x20 }
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned: return false
        default: return true
        }
    }
}
