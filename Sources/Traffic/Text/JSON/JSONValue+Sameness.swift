extension JSONValue {
    /// Whether two JSON texts say the same (RFC 6902 §4.6): numbers by their value with all of their digits, objects whatever the order of their
    /// members; false where one cannot be read.
    static func isSame(_ one: [UInt8], _ other: [UInt8]) -> Bool {
        guard let one = try? numeralValue(one), let other = try? numeralValue(other) else { return false }
        return one.says(other)
    }

    /// A text with all numbers as marked strings.
    private static func numeralValue(_ bytes: [UInt8]) throws(JSONReader.Problem) -> JSONValue {
        try JSONReader.value(ExactNumbers.marked(bytes, where: { _ in true }))
    }

    private func says(_ other: JSONValue) -> Bool {
        switch (self, other) {
        case (.null, .null): return true
        case (.boolean(let one), .boolean(let other)): return one == other
        case (.string(let one), .string(let other)):
            guard let digits = ExactNumbers.digits(one), let others = ExactNumbers.digits(other) else {
                return one.utf8.elementsEqual(other.utf8)
            }
            return Numeral(digits).map { $0 == Numeral(others) } == true
        case (.array(let one), .array(let other)):
            return one.count == other.count && zip(one, other).allSatisfy { $0.says($1) }
        case (.object(let one), .object(let other)):
            let (mine, others) = (JSONValue.members(one), JSONValue.members(other))
            return mine.count == others.count
                && mine.allSatisfy { name, value in others[name].map { value.says($0) } == true }
        default: return false
        }
    }

    private static func members(_ members: [(name: String, value: JSONValue)]) -> [ExactText: JSONValue] {
        Dictionary(members.map { (ExactText($0.name), $0.value) }, uniquingKeysWith: { $1 })
    }
}
