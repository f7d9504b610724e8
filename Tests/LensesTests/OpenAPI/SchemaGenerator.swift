import Support
import Traffic

/// Random schemas and values of few words, so that many values fit and many do not.
struct SchemaGenerator {
    private var random: SeededGenerator
    /// Names under which schemas stand in `$defs`.
    static let definitions = ["A", "B"]

    init(seed: UInt64) { random = SeededGenerator(seed: seed) }

    private mutating func one(in count: Int) -> Bool { Int.random(in: 0..<count, using: &random) == 0 }

    private mutating func pick<Element>(_ elements: [Element], or fallback: Element) -> Element {
        elements.randomElement(using: &random) ?? fallback
    }

    /// A value at most so deep.
    mutating func value(depth: Int = 3) -> JSONValue {
        switch Int.random(in: 0..<(depth > 0 ? 9 : 6), using: &random) {
        case 0: return .null
        case 1: return .boolean(Bool.random(using: &random))
        case 2, 3: return .number(pick([0, 1, 2, 3, 5, 10, -1, 0.5, 1.5, 2.25, 1e3, 3_000_000_000], or: 0))
        case 4, 5: return .string(pick(SchemaGenerator.texts, or: ""))
        case 6: return .array((0..<Int.random(in: 0...3, using: &random)).map { _ in value(depth: depth - 1) })
        default:
            var names = ["a", "b", "c", "id", "42"].shuffled(using: &random)
            names = Array(names.prefix(Int.random(in: 0...4, using: &random)))
            return .object(names.map { (name: $0, value: value(depth: depth - 1)) })
        }
    }

    static let texts = [
        "", "a", "ab", "abc", "xyz", "é", "🙂🙂", "b1", "2026-11-21", "2026-02-30", "2024-02-29", "1999-1-1",
        "2026-11-21T10:00:00Z",
        "2026-11-21T10:00:00.123+05:30", "2026-11-21T25:00:00Z", "2026-11-21 10:00:00Z", "127.0.0.1", "1.2.3.256",
        "01.2.3.4", "::1",
        "fe80::1:2", "1:2:3:4:5:6:7:8", "1::2::3", "::ffff:1.2.3.4", "c2d29867-3d0b-d497-9191-18a9d8ee7830",
        "c2d29867-3d0b-d497-9191",
    ]

    /// A schema at most so deep; with references where there is something to refer to.
    mutating func schema(depth: Int = 3) -> JSONValue {
        if one(in: 25) { return .boolean(!one(in: 4)) }
        if depth < 3, one(in: 8) {
            return .object([("$ref", .string("#/$defs/\(pick(SchemaGenerator.definitions, or: "A"))"))])
        }
        var members: [(name: String, value: JSONValue)] = []
        if !one(in: 3) {
            let types = ["null", "boolean", "object", "array", "number", "string", "integer"].shuffled(using: &random)
            let names = types.prefix(Int.random(in: 1...3, using: &random)).map { JSONValue.string($0) }
            members.append(("type", names.count == 1 ? names[0] : .array(names)))
        }
        for _ in 0..<Int.random(in: 0...3, using: &random) {
            let keyword = keyword(depth: depth)
            if !members.contains(where: { $0.name == keyword.name }) { members.append(keyword) }
        }
        return .object(members)
    }

    /// A whole schema with its definitions.
    mutating func document() -> JSONValue {
        guard case .object(let members) = schema() else { return document() }
        let definitions = SchemaGenerator.definitions.map { (name: $0, value: schema(depth: 2)) }
        return .object(members + [("$defs", .object(definitions))])
    }

    private mutating func keyword(depth: Int) -> (name: String, value: JSONValue) {
        let count = JSONValue.number(Double(Int.random(in: 0...3, using: &random)))
        let number = JSONValue.number(pick([0, 1, 1.5, 2, 5], or: 0))
        let isDeep = depth > 0
        switch Int.random(in: 0..<(isDeep ? 34 : 15), using: &random) {
        case 0: return ("enum", .array((0..<3).map { _ in value(depth: 1) }))
        case 1: return ("const", value(depth: 1))
        case 2: return ("minimum", number)
        case 3: return ("maximum", number)
        case 4: return ("exclusiveMinimum", number)
        case 5: return ("exclusiveMaximum", number)
        case 6: return ("multipleOf", .number(pick([1, 2, 0.5, 3], or: 1)))
        case 7: return ("minLength", count)
        case 8: return ("maxLength", count)
        case 9: return ("pattern", .string(pick(["^a", "b", "^[a-c]*$", "[0-9]{2}", "^(ab|x.z)$", "^\\S+$"], or: "")))
        case 10: return ("format", .string(pick(["date", "date-time", "ipv4", "ipv6", "uuid"], or: "date")))
        case 11: return (pick(["minItems", "maxItems"], or: ""), count)
        case 12: return ("uniqueItems", .boolean(true))
        case 13:
            return ("required", .array(["a", "b"].prefix(Int.random(in: 1...2, using: &random)).map { .string($0) }))
        case 14: return (pick(["minProperties", "maxProperties"], or: ""), count)
        case 15: return ("items", schema(depth: depth - 1))
        case 16: return ("prefixItems", .array((0..<2).map { _ in schema(depth: depth - 1) }))
        case 17, 18:
            return ("properties", .object(["a", "b", "c"].map { (name: $0, value: schema(depth: depth - 1)) }))
        case 19: return ("additionalProperties", schema(depth: depth - 1))
        case 20: return ("patternProperties", .object([("^[a-c]$", schema(depth: depth - 1))]))
        case 21: return ("propertyNames", .object([("maxLength", .number(1))]))
        case 22: return ("dependentRequired", .object([("a", .array([.string("b")]))]))
        case 23: return ("contains", schema(depth: depth - 1))
        case 24: return ("not", schema(depth: depth - 1))
        case 25: return ("dependentSchemas", .object([("a", schema(depth: depth - 1))]))
        case 26, 27: return ("if", schema(depth: depth - 1))
        case 28: return (pick(["then", "else"], or: "then"), schema(depth: depth - 1))
        case 29: return ("unevaluatedProperties", schema(depth: depth - 1))
        case 30: return ("unevaluatedItems", schema(depth: depth - 1))
        default:
            let parts = (0..<Int.random(in: 1...3, using: &random)).map { _ in schema(depth: depth - 1) }
            return (pick(["allOf", "anyOf", "oneOf"], or: "allOf"), .array(parts))
        }
    }
}
