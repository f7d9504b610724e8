import Traffic

/// A set of the types of JSON Schema.
struct JSONKind: OptionSet, Hashable, Sendable {
    let rawValue: UInt8

    static let null = JSONKind(rawValue: 1)
    static let boolean = JSONKind(rawValue: 2)
    static let object = JSONKind(rawValue: 4)
    static let array = JSONKind(rawValue: 8)
    static let number = JSONKind(rawValue: 16)
    static let string = JSONKind(rawValue: 32)
    static let integer = JSONKind(rawValue: 64)
    /// All types, where a schema names none.
    static let any: JSONKind = [.null, .boolean, .object, .array, .number, .string, .integer]

    /// The names of the types, in the order in which they are written.
    static let names: [(name: String, kind: JSONKind)] = [
        ("object", .object), ("array", .array), ("string", .string), ("integer", .integer), ("number", .number),
        ("boolean", .boolean), ("null", .null),
    ]

    /// Makes the type of a name; `nil` for an unknown name.
    init?(name: String) {
        guard let kind = JSONKind.names.first(where: { $0.name == name })?.kind else { return nil }
        self = kind
    }

    init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Makes the types of a value; a whole number is an integer and a number.
    init(of value: JSONValue) {
        switch value {
        case .null: self = .null
        case .boolean: self = .boolean
        case .object: self = .object
        case .array: self = .array
        case .string where value.longDigits != nil:
            self = value.numeral?.isInteger == true ? [.number, .integer] : .number
        case .string: self = .string
        case .number(let number): self = number == number.rounded() && number.isFinite ? [.number, .integer] : .number
        }
    }

    /// `string or null`.
    var sentence: String {
        JSONKind.names.filter { contains($0.kind) }.map(\.name).joined(separator: " or ")
    }
}
