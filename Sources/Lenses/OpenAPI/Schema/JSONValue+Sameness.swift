import Traffic

extension JSONValue {
    /// A text that only equal values share: numbers by their value, objects whatever the order of their members (JSON Schema Core §4.2.2).
    var canonical: String {
        var text = ""
        appendCanonical(to: &text)
        return text
    }

    /// Appends that text to the text of the whole: joining the parts' texts at each level would take time with the depth.
    private func appendCanonical(to out: inout String) {
        switch self {
        case .null: out += "n"
        case .boolean(let value): out += value ? "t" : "f"
        case .number(let number):
            if number.magnitude < 1e15, let whole = Int64(exactly: number) {
                out += "\(whole)"
            } else {
                out += numeral.map(JSONValue.canonical) ?? number.description
            }
        case .string(let text):
            out += longDigits == nil ? JSONValue.canonical(text) : numeral.map(JSONValue.canonical) ?? ""
        case .array(let elements):
            out += "["
            for element in elements {
                element.appendCanonical(to: &out)
                out += ","
            }
            out += "]"
        case .object(let members):
            let last = Dictionary(members.map { (JSONValue.canonical($0.name), $0.value) }) { _, last in last }
            out += "{"
            for member in last.sorted(by: { $0.key < $1.key }) {
                out += member.key
                member.value.appendCanonical(to: &out)
                out += ","
            }
            out += "}"
        }
    }

    /// A number's text: plain digits for whole numbers below 10^15, else the digits and the power of ten of the last.
    private static func canonical(_ number: Numeral) -> String {
        let digits = String(decoding: number.digits.map { $0 + 0x30 }, as: UTF8.self)
        let sign = number.isNegative ? "-" : ""
        if digits.isEmpty { return "0" }
        guard number.exponent >= 0, number.digits.count + number.exponent <= 15 else {
            return "\(sign)\(digits)e\(number.exponent)"
        }
        return sign + digits + String(repeating: "0", count: number.exponent)
    }

    /// The length before the text, so that no text reads as two; in scalars' numbers where Swift takes different ones for the same.
    private static func canonical(_ text: String) -> String {
        let isPlain = text.utf8.allSatisfy { $0 < 0x80 }
        let body = isPlain ? text : text.unicodeScalars.map { String($0.value, radix: 16) }.joined(separator: ".")
        return "\(isPlain ? "s" : "u")\(body.utf8.count):\(body)"
    }

    /// The value in a few words, for a message: `17`, `"open"`, `a list of 3`.
    var brief: String {
        switch self {
        case .null: return "null"
        case .boolean(let value): return value ? "true" : "false"
        case .number(let number): return integer.map { "\($0)" } ?? number.description
        case .string(let text):
            if let longDigits { return String(longDigits) }
            let start = text.prefix(40)
            return start.endIndex < text.endIndex ? "\"\(start)…\"" : "\"\(text)\""
        case .array(let elements): return "a list of \(elements.count)"
        case .object(let members): return "an object of \(members.count) members"
        }
    }
}
