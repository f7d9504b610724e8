/// Makes foreign text safe to show: text from a wire or an archive must not move a terminal's cursor, colour or turn the text beside it, or begin a
/// line of its own in a script.
package enum VisibleText {
    /// The text on one line, with every scalar that does not show itself written as an escape (`\n`, `\e`, `\u{202E}`).
    package static func line(_ text: String) -> String { escaped(text, keeping: []) }

    /// The same with line feeds and tabs kept, for bodies that have lines.
    package static func lines(_ text: String) -> String { escaped(text, keeping: ["\n", "\t"]) }

    /// Whether a scalar shows itself and nothing else: no control, no separator of lines, nothing that turns or joins its neighbours.
    package static func isVisible(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.value < 0x7F { return scalar.value >= 0x20 }
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned: return false
        default: return true
        }
    }

    private static func escaped(_ text: String, keeping kept: Set<Unicode.Scalar>) -> String {
        if text.unicodeScalars.allSatisfy({ isVisible($0) || kept.contains($0) }) { return text }
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case _ where isVisible(scalar) || kept.contains(scalar): result.unicodeScalars.append(scalar)
            case "\n": result += "\\n"
            case "\r": result += "\\r"
            case "\t": result += "\\t"
            case "\u{1B}": result += "\\e"
            default: result += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
            }
        }
        return result
    }
}
