import Traffic

/// The schemas of a document, by number, with what of them is not checked.
struct SchemaTable: Sendable {
    private(set) var schemas: [Schema] = []
    /// Assertions that stand in the document and are not checked, with the first place of each.
    private(set) var unchecked: [(keyword: String, place: String)] = []
    private var numbers: [String: Schema.Number] = [:]

    subscript(_ number: Schema.Number) -> Schema { schemas[number] }

    /// The schema read from a place, if it was read already.
    func number(at place: String) -> Schema.Number? { numbers[place] }

    /// Makes room for the schema of a place before it is read, so that it may refer to itself.
    mutating func reserve(_ place: String) -> Schema.Number {
        schemas.append(Schema(place: place))
        numbers[place] = schemas.count - 1
        return schemas.count - 1
    }

    mutating func set(_ number: Schema.Number, _ schema: Schema) { schemas[number] = schema }

    /// Notes an assertion that is not checked; each is noted once.
    mutating func leaveUnchecked(_ keyword: String, at place: String) {
        if !unchecked.contains(where: { $0.keyword == keyword }) { unchecked.append((keyword, place)) }
    }

    /// The types that a value may have, references and compositions followed.
    func kinds(of number: Schema.Number, depth: Int = 0) -> JSONKind {
        guard depth < 20 else { return .any }
        let schema = schemas[number]
        var kinds = schema.kinds
        if let reference = schema.reference { kinds.formIntersection(self.kinds(of: reference, depth: depth + 1)) }
        for part in schema.allOf { kinds.formIntersection(self.kinds(of: part, depth: depth + 1)) }
        for choice in [schema.anyOf, schema.oneOf] where !choice.isEmpty {
            kinds.formIntersection(choice.reduce(into: []) { $0.formUnion(self.kinds(of: $1, depth: depth + 1)) })
        }
        if schema.isNullable { kinds.insert(.null) }
        return kinds
    }

    /// The schemas of the members and elements of what a schema takes, references and compositions followed: for texts that have no types of their own.
    func parts(of number: Schema.Number, depth: Int = 0) -> (properties: [String: Schema.Number], items: Schema.Number?)
    {
        guard depth < 20 else { return ([:], nil) }
        let schema = schemas[number]
        var properties = schema.properties
        var items = schema.items
        for inner in (schema.reference.map { [$0] } ?? []) + schema.allOf + schema.anyOf + schema.oneOf {
            let parts = parts(of: inner, depth: depth + 1)
            properties.merge(parts.properties) { first, _ in first }
            items = items ?? parts.items
        }
        return (properties, items)
    }
}
