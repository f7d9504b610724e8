/// How a text spells the JSON inside it, and the backslashes of that JSON above all.
enum CutSpelling: CaseIterable {
    /// A JSON string with `\\`.
    case slashes
    /// A JSON string with `\u005C`.
    case numbers
    /// Percent-encoding, with `%5C`.
    case percent
    /// Character references, with `&#92;`.
    case references

    /// The place in the text from which it is spelled so.
    var start: Int { self == .slashes || self == .numbers ? "{\"s\":\"".utf8.count : 0 }

    /// The whole text, with so many layers of the spelling.
    func whole(_ inner: String, layers: Int = 1) -> String {
        (0..<layers).reduce(inner) { text, _ in
            switch self {
            case .slashes: "{\"s\":\"\(text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\""))\"}"
            case .numbers: "{\"s\":\"\(text.replacing("\\", with: "\\u005C").replacing("\"", with: "\\\""))\"}"
            case .percent:
                text.utf8.reduce(into: "") { whole, byte in
                    let character = Character(Unicode.Scalar(byte))
                    let digits = String(Int(byte) + 0x100, radix: 16, uppercase: true).dropFirst()
                    whole += character.isLetter || character.isNumber ? String(character) : "%\(digits)"
                }
            case .references:
                text.replacing("&", with: "&amp;").replacing("\"", with: "&quot;").replacing("\\", with: "&#92;")
            }
        }
    }
}
