/// Texts in which backslashes stand for other signs, as Python's `codecs.escape_decode` reads them.
enum PythonEscapes {
    private typealias Gap = ImportedRule.Gap

    /// The signs that letters behind a backslash stand for.
    static let signs: [Character: String] = [
        "a": "\u{7}", "b": "\u{8}", "f": "\u{C}", "n": "\n", "r": "\r", "t": "\t", "v": "\u{B}",
    ]

    /// The text that is meant; a backslash in front of any other sign stays.
    ///
    /// - Throws: `Gap` where that is no text, or an error in Python.
    static func decoded(_ text: String) throws -> String {
        var (out, rest) = ("", text[...])
        while let sign = rest.popFirst() {
            guard sign == "\\" else {
                out.append(sign)
                continue
            }
            let octal = rest.prefix(3).prefix { isDigit($0) && $0 < "8" }
            if !octal.isEmpty {
                rest = rest.dropFirst(octal.count)
                out += try number(octal, radix: 8)
                continue
            }
            guard let next = rest.popFirst() else { throw Gap("'\(text)' has half an escape") }
            if next == "x" {
                let digits = rest.prefix(2)
                guard digits.count == 2, digits.allSatisfy({ $0.isASCII && $0.isHexDigit }) else {
                    throw Gap("'\(text)' has half an escape")
                }
                rest = rest.dropFirst(2)
                out += try number(digits, radix: 16)
            } else if let named = signs[next] {
                out += named
            } else if next != "\n" {
                out += "\\'\"".contains(next) ? String(next) : "\\\(next)"
            }
        }
        return out
    }

    /// Whether it is one of 0 to 9.
    static func isDigit(_ sign: Character) -> Bool { sign >= "0" && sign <= "9" && sign.isASCII }

    /// The sign that a number stands for.
    private static func number(_ digits: Substring, radix: Int) throws -> String {
        guard let value = UInt32(digits, radix: radix), value < 0x80, let scalar = Unicode.Scalar(value) else {
            throw Gap("the byte '\(radix == 8 ? "\\" : "\\x")\(digits)'")
        }
        return String(scalar)
    }
}
