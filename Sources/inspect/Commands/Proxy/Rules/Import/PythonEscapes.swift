/// Texts in which backslashes stand for other signs, as Python's `codecs.escape_decode` reads them.
enum PythonEscapes {
    private typealias Gap = ImportedRule.Gap

    /// The signs that letters behind a backslash stand for.
    static let signs: [Substring: String] = [
        "a": "\u{7}", "b": "\u{8}", "f": "\u{C}", "n": "\n", "r": "\r", "t": "\t", "v": "\u{B}",
    ]

    /// The text that is meant; a backslash in front of any other sign stays.
    ///
    /// - Throws: `Gap` where that is no text, or an error in Python.
    static func decoded(_ text: String) throws -> String {
        guard text.contains("\\") else { return text }
        let decoded = try text.replacing(/(?s)\\(?:([0-7]{1,3})|x([0-9A-Fa-f]{2})|(.|$))/) { match -> String in
            if let digits = match.1 ?? match.2, let value = UInt32(digits, radix: match.1 == nil ? 16 : 8) {
                guard value < 0x80, let scalar = Unicode.Scalar(value) else { throw Gap("the byte '\(match.0)'") }
                return String(scalar)
            }
            let sign = match.3 ?? ""
            if let named = signs[sign] { return named }
            guard !sign.isEmpty, sign != "x" else { throw Gap("'\(text)' has half an escape") }
            return sign == "\n" ? "" : ["\\", "'", "\""].contains(sign) ? String(sign) : "\\\(sign)"
        }
        return decoded
    }
}
