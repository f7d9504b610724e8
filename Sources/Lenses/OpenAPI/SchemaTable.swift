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

    /// Schemas within each other that are followed for what may be said without a value.
    private static let depthLimit = 20

    /// The types that a value may have, references and compositions followed, each schema once.
    func kinds(of number: Schema.Number) -> JSONKind {
        var known: [Schema.Number: JSONKind] = [:]
        return kinds(of: number, depth: 0, &known)
    }

    private func kinds(of number: Schema.Number, depth: Int, _ known: inout [Schema.Number: JSONKind]) -> JSONKind {
        guard depth < SchemaTable.depthLimit else { return .any }
        if let kinds = known[number] { return kinds }
        // What leads back to itself forbids nothing more by that.
        known[number] = .any
        let schema = schemas[number]
        var kinds = schema.kinds
        for part in (schema.reference.map { [$0] } ?? []) + schema.allOf {
            kinds.formIntersection(self.kinds(of: part, depth: depth + 1, &known))
        }
        for choice in [schema.anyOf, schema.oneOf] where !choice.isEmpty {
            kinds.formIntersection(
                choice.reduce(into: []) { $0.formUnion(self.kinds(of: $1, depth: depth + 1, &known)) }
            )
        }
        if schema.isNullable { kinds.insert(.null) }
        known[number] = kinds
        return kinds
    }

    /// What the members and elements of a value are held to.
    typealias Parts = (properties: [String: Schema.Number], items: Schema.Number?)

    /// The schemas of the members and elements of what a schema takes, references and compositions followed: for texts that have no types of their own.
    func parts(of number: Schema.Number) -> Parts {
        var (parts, seen): (Parts, Set<Schema.Number>) = (([:], nil), [])
        gather(&parts, from: number, depth: 0, &seen)
        return parts
    }

    /// Adds what a schema says and what was not said before, each schema once.
    private func gather(_ parts: inout Parts, from number: Schema.Number, depth: Int, _ seen: inout Set<Schema.Number>)
    {
        guard depth < SchemaTable.depthLimit, seen.insert(number).inserted else { return }
        let schema = schemas[number]
        parts.properties.merge(schema.properties) { first, _ in first }
        parts.items = parts.items ?? schema.items
        for inner in (schema.reference.map { [$0] } ?? []) + schema.allOf + schema.anyOf + schema.oneOf {
            gather(&parts, from: inner, depth: depth + 1, &seen)
        }
    }
}
