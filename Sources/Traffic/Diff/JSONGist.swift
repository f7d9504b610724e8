/// The beginning of a JSON value on one line, for people.
package enum JSONGist {
    /// Writes the value until the line is full.
    package static func text(_ value: JSONValue) -> String {
        var out = ""
        write(value, to: &out)
        return Difference.shortened(out)
    }

    private static func write(_ value: JSONValue, to out: inout String) {
        guard out.utf8.count <= Difference.valueLimit * 2 else { return }
        switch value {
        case .null: out += "null"
        case .boolean(let value): out += value ? "true" : "false"
        case .number(let number): out += JSONPattern.Condition.text(number)
        case .string(let text): out += ExactNumbers.digits(text).map(String.init) ?? quoted(text)
        case .array(let elements):
            out += "["
            for (index, element) in elements.enumerated() {
                guard out.utf8.count <= Difference.valueLimit * 2 else { return }
                if index > 0 { out += "," }
                write(element, to: &out)
            }
            out += "]"
        case .object(let members):
            out += "{"
            for (index, member) in members.enumerated() {
                guard out.utf8.count <= Difference.valueLimit * 2 else { return }
                if index > 0 { out += "," }
                out += quoted(member.name) + ":"
                write(member.value, to: &out)
            }
            out += "}"
        }
    }

    private static func quoted(_ text: String) -> String {
        // A piece that `ExactStrings` marked is shown as it was written. The mark is searched for as a scalar, because some scalars make one
        // Character with it.
        return JSONWriter.quoted(Difference.shortened(text)).replacing(scalars: [ExactNumbers.markScalar: "\\"])
    }
}
