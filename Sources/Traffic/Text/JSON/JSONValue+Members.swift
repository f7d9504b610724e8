/// Typed access to a value; a value of another kind gives `nil`.
extension JSONValue {
    /// The member of an object, the last one where the name stands twice, as in most readers; `nil` where there is none.
    package subscript(name: String) -> JSONValue? {
        guard case .object(let members) = self else { return nil }
        return members.last { $0.name == name }?.value
    }

    package var string: String? { if case .string(let text) = self { text } else { nil } }

    /// The number, if a Double can hold it; JSON can write numbers that are too large.
    package var number: Double? { if case .number(let number) = self, number.isFinite { number } else { nil } }

    /// A whole number that a Double holds exactly.
    package var integer: Int64? {
        guard let number, number.magnitude <= 9_007_199_254_740_992 else { return nil }
        return Int64(exactly: number)
    }

    package var boolean: Bool? { if case .boolean(let value) = self { value } else { nil } }

    package var elements: [JSONValue]? { if case .array(let elements) = self { elements } else { nil } }

    package var isObject: Bool { if case .object = self { true } else { false } }

    package var isNull: Bool { if case .null = self { true } else { false } }

    /// The kind of the value, in a word.
    package var kind: String {
        switch self {
        case .null: "null"
        case .boolean: "true or false"
        case .number: "a number"
        case .string: "a string"
        case .array: "a list"
        case .object: "an object"
        }
    }

    /// Replaces the members of a name by one, or adds it at the end.
    package mutating func set(_ name: String, _ value: JSONValue) {
        guard case .object(var members) = self else { return }
        self = .null
        if let place = members.lastIndex(where: { $0.name == name }) {
            members[place].value = value
        } else {
            members.append((name: name, value: value))
        }
        self = .object(members)
    }

    /// Removes the members of a name.
    package mutating func remove(_ name: String) {
        guard case .object(var members) = self else { return }
        members.removeAll { $0.name == name }
        self = .object(members)
    }
}

extension JSONWriter {
    /// Writes a value that was read; a number that a Double cannot hold is written as null.
    package mutating func value(_ name: String? = nil, _ value: JSONValue) {
        switch value {
        case .null: null(name)
        case .boolean(let value): boolean(name, value)
        case .string(let text): string(name, text)
        case .number: number(name, value)
        case .array(let elements): array(name) { json in for element in elements { json.value(nil, element) } }
        case .object(let members):
            object(name) { json in for member in members { json.value(member.name, member.value) } }
        }
    }

    private mutating func number(_ name: String?, _ value: JSONValue) {
        if let whole = value.integer, Double(whole) == value.number {
            integer(name, whole)
        } else if let number = value.number {
            self.number(name, number)
        } else {
            null(name)
        }
    }
}
