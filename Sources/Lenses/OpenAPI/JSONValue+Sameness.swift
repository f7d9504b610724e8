import Traffic

extension JSONValue {
    /// Whether two values are the same for JSON Schema: numbers by their value, objects whatever the order of their members (JSON Schema Core §4.2.2).
    func isSame(as other: JSONValue) -> Bool {
        switch (self, other) {
        case (.null, .null): true
        case (.boolean(let left), .boolean(let right)): left == right
        case (.number(let left), .number(let right)): left == right
        case (.string(let left), .string(let right)): left.unicodeScalars.elementsEqual(right.unicodeScalars)
        case (.array(let left), .array(let right)):
            left.count == right.count && zip(left, right).allSatisfy { $0.isSame(as: $1) }
        case (.object, .object): canonical == other.canonical
        default: false
        }
    }

    /// A text that only the same values have.
    var canonical: String {
        switch self {
        case .null: return "n"
        case .boolean(let value): return value ? "t" : "f"
        case .number(let number): return number == 0 ? "0.0" : number.description
        case .string(let text): return JSONValue.canonical(text)
        case .array(let elements): return "[" + elements.map(\.canonical).joined(separator: ",") + "]"
        case .object(let members):
            let last = Dictionary(members.map { (JSONValue.canonical($0.name), $0.value) }) { _, last in last }
            return "{" + last.sorted { $0.key < $1.key }.map { $0.key + $0.value.canonical }.joined(separator: ",")
                + "}"
        }
    }

    /// The length before the text, so that no text reads as two; in scalars' numbers where Swift takes different ones for the same.
    private static func canonical(_ text: String) -> String {
        let isPlain = text.utf8.allSatisfy { $0 < 0x80 }
        let body = isPlain ? text : text.unicodeScalars.map { String($0.value, radix: 16) }.joined(separator: ".")
        return "\(isPlain ? "s" : "u")\(body.utf8.count):\(body)"
    }

    /// It in a few words, for a message: `17`, `"open"`, `a list of 3`.
    var brief: String {
        switch self {
        case .null: return "null"
        case .boolean(let value): return value ? "true" : "false"
        case .number(let number): return integer.map { "\($0)" } ?? number.description
        case .string(let text): return text.count > 40 ? "\"\(text.prefix(40))…\"" : "\"\(text)\""
        case .array(let elements): return "a list of \(elements.count)"
        case .object(let members): return "an object of \(members.count) members"
        }
    }
}
