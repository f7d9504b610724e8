/// A JSON value whose members keep the order they were written in, as the servers we stand in for write them.
///
/// Foundation's encoder keeps members in a dictionary and so in no order; clients do not care, but a person reading a capture does.
enum JSON: Sendable, Equatable {
    case null
    case bool(Bool)
    case int(Int)
    case double(Double)
    case string(String)
    case array([JSON])
    case object([Member])

    /// One name and its value in an object.
    struct Member: Sendable, Equatable {
        let name: String
        let value: JSON
    }

    /// The value of the first member with a name, or nil for anything that is not an object holding it.
    subscript(name: String) -> JSON? {
        guard case .object(let members) = self else { return nil }
        return members.first { $0.name == name }?.value
    }

    /// The text of a string value.
    var text: String? {
        if case .string(let text) = self { text } else { nil }
    }

    /// The elements of an array value.
    var elements: [JSON]? {
        if case .array(let elements) = self { elements } else { nil }
    }

    /// A number as an integer, where it is one.
    var integer: Int? {
        switch self {
        case .int(let number): number
        case .double(let number): Int(exactly: number)
        default: nil
        }
    }

    /// A string, or null for nil.
    static func optional(_ text: String?) -> JSON {
        text.map { .string($0) } ?? .null
    }

    /// An array of strings.
    static func strings(_ texts: some Sequence<String>) -> JSON {
        .array(texts.map { .string($0) })
    }
}

extension JSON: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
    ExpressibleByBooleanLiteral, ExpressibleByNilLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    init(stringLiteral value: String) { self = .string(value) }
    init(integerLiteral value: Int) { self = .int(value) }
    init(floatLiteral value: Double) { self = .double(value) }
    init(booleanLiteral value: Bool) { self = .bool(value) }
    init(nilLiteral: ()) { self = .null }
    init(arrayLiteral elements: JSON...) { self = .array(elements) }
    init(dictionaryLiteral elements: (String, JSON)...) {
        self = .object(elements.map { Member(name: $0.0, value: $0.1) })
    }
}
