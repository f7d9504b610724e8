import Traffic

/// Writes text as a string literal of a programming language; everything that would end it, change it or be invisible is escaped.
enum QuotedText {
    /// Python's `"…"`.
    static func python(_ text: String) -> String {
        quoted(text) { scalar in
            scalar.value > 0xFFFF ? #"\U"# + digits(scalar, 8) : #"\u"# + digits(scalar, 4)
        }
    }

    /// Python's `b"…"`.
    static func python(bytes: [UInt8]) -> String {
        "b\""
            + bytes.map { byte in
                switch byte {
                case UInt8(ascii: "\""), UInt8(ascii: "\\"): "\\" + String(Unicode.Scalar(byte))
                case 0x20..<0x7F: String(Unicode.Scalar(byte))
                default: #"\x"# + Hexadecimal.text([byte])
                }
            }.joined() + "\""
    }

    /// Swift's `"…"`; no `\(` can begin, since every backslash is escaped.
    static func swift(_ text: String) -> String {
        quoted(text) { #"\u{"# + String($0.value, radix: 16) + "}" }
    }

    /// JavaScript's `"…"`; `</` is broken up so that it may stand in a page.
    static func javaScript(_ text: String) -> String {
        quoted(text) { scalar in
            scalar.value > 0xFFFF ? #"\u{"# + String(scalar.value, radix: 16) + "}" : #"\u"# + digits(scalar, 4)
        }
        .replacing("</", with: #"<\/"#)
    }

    private static func quoted(_ text: String, _ escape: (Unicode.Scalar) -> String) -> String {
        var literal = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": literal += #"\""#
            case "\\": literal += #"\\"#
            case "\n": literal += #"\n"#
            case "\r": literal += #"\r"#
            case "\t": literal += #"\t"#
            default:
                if VisibleText.isVisible(scalar) {
                    literal.unicodeScalars.append(scalar)
                } else {
                    literal += escape(scalar)
                }
            }
        }
        return literal + "\""
    }

    private static func digits(_ scalar: Unicode.Scalar, _ width: Int) -> String {
        let digits = String(scalar.value, radix: 16)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}
