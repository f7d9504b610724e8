import Traffic

/// The schemas of a document by number, with their assertions that are not checked.
struct SchemaTable: Sendable {
    private(set) var schemas: [Schema] = []
    /// The assertions that are not checked, with the first place of each.
    private(set) var unchecked: [(keyword: String, place: String)] = []
    /// Whether a reference in the document has several targets, by the schemas that led to it.
    var isDynamic = false
    private var numbers: [ExactText: Schema.Number] = [:]

    subscript(_ number: Schema.Number) -> Schema { schemas[number] }

    /// The number of a place's schema; `nil` where it was not read yet.
    func number(at place: String) -> Schema.Number? { numbers[ExactText(place)] }

    /// Makes room for the schema of a place before it is read, so that it may refer to itself.
    mutating func reserve(_ place: String) -> Schema.Number {
        schemas.append(Schema(place: place))
        numbers[ExactText(place)] = schemas.count - 1
        return schemas.count - 1
    }

    mutating func set(_ number: Schema.Number, _ schema: Schema) { schemas[number] = schema }

    /// The most assertions that are noted: these are enough to say that not all is checked.
    private static let uncheckedLimit = 100

    /// Notes an assertion that is not checked; each is noted once.
    mutating func leaveUnchecked(_ keyword: String, at place: String) {
        guard unchecked.count < SchemaTable.uncheckedLimit else { return }
        if !unchecked.contains(where: { $0.keyword == keyword }) { unchecked.append((keyword, place)) }
    }

    /// The most levels of schemas that are followed where there is no value.
    private static let depthLimit = 20

    /// The types that a value may have, references and compositions followed, each schema once.
    ///
    /// - Parameters:
    ///   - number: the schema.
    ///   - work: the steps that may be taken; each visit to a schema takes one off.
    /// - Returns: the types.
    func kinds(of number: Schema.Number, work: inout Int) -> JSONKind {
        var known: [Schema.Number: JSONKind] = [:]
        return kinds(of: number, depth: 0, &known, &work)
    }

    private func kinds(
        of number: Schema.Number,
        depth: Int,
        _ known: inout [Schema.Number: JSONKind],
        _ work: inout Int
    ) -> JSONKind {
        work -= 1
        guard depth < SchemaTable.depthLimit else { return .any }
        if let kinds = known[number] { return kinds }
        // A reference back to the same schema forbids nothing more.
        known[number] = .any
        let schema = schemas[number]
        var kinds = schema.kinds
        for part in (schema.reference.map { [$0] } ?? []) + schema.allOf {
            kinds.formIntersection(self.kinds(of: part, depth: depth + 1, &known, &work))
        }
        for choices in [schema.anyOf, schema.oneOf] where !choices.isEmpty {
            var any: JSONKind = []
            for choice in choices { any.formUnion(self.kinds(of: choice, depth: depth + 1, &known, &work)) }
            kinds.formIntersection(any)
        }
        if schema.isNullable { kinds.insert(.null) }
        known[number] = kinds
        return kinds
    }

    /// The schemas of a value's members and elements.
    typealias Parts = (properties: [ExactText: Schema.Number], items: Schema.Number?)

    /// The schemas of the members and elements of a schema's values, references and compositions followed; for texts, which have no types.
    ///
    /// - Parameters:
    ///   - number: the schema.
    ///   - work: the steps that may be taken; each visit to a schema takes one off, and each member one.
    /// - Returns: the schemas.
    func parts(of number: Schema.Number, work: inout Int) -> Parts {
        var (parts, seen): (Parts, Set<Schema.Number>) = (([:], nil), [])
        gather(&parts, from: number, depth: 0, &seen, &work)
        return parts
    }

    /// Adds the parts of a schema that were not added before, each schema once.
    private func gather(
        _ parts: inout Parts,
        from number: Schema.Number,
        depth: Int,
        _ seen: inout Set<Schema.Number>,
        _ work: inout Int
    ) {
        work -= 1
        guard depth < SchemaTable.depthLimit, seen.insert(number).inserted else { return }
        let schema = schemas[number]
        work -= schema.properties.count
        parts.properties.merge(schema.properties) { first, _ in first }
        parts.items = parts.items ?? schema.items
        let others = schema.allOf + schema.anyOf + schema.oneOf + schema.branches
        for inner in (schema.reference.map { [$0] } ?? []) + others {
            gather(&parts, from: inner, depth: depth + 1, &seen, &work)
        }
    }

    /// Whether the objects of a schema have no members but those that the schema names.
    ///
    /// - Parameters:
    ///   - number: the schema.
    ///   - work: the steps that may be taken; each visit to a schema takes one off.
    /// - Returns: whether it is closed.
    func isClosed(_ number: Schema.Number, work: inout Int) -> Bool {
        gathered(from: number, work: &work).contains { place in
            schemas[place].additionalProperties.map { schemas[$0].constant == false } ?? false
        }
    }

    /// The names of an object's members that are only read, or only written.
    typealias OneWay = (read: Set<ExactText>, written: Set<ExactText>)

    /// The names of members that are only read or only written in a schema's objects, by the schemas of the members and those that these refer to.
    ///
    /// - Parameters:
    ///   - number: the schema.
    ///   - work: the steps that may be taken; each visit to a schema takes one off.
    /// - Returns: the names; `nil` where there are too many schemas.
    func oneWay(of number: Schema.Number, work: inout Int) -> OneWay? {
        var (read, written): OneWay = ([], [])
        for object in gathered(from: number, choices: true, work: &work) {
            for (name, property) in schemas[object].properties {
                let parts = gathered(from: property, work: &work)
                guard work > 0 else { return nil }
                if parts.contains(where: { schemas[$0].isReadOnly }) { read.insert(name) }
                if parts.contains(where: { schemas[$0].isWriteOnly }) { written.insert(name) }
            }
        }
        return (read, written)
    }

    /// A schema, and the schemas for the same value that it refers to or is made of.
    private func gathered(from number: Schema.Number, choices: Bool = false, work: inout Int) -> [Schema.Number] {
        var (found, seen) = ([number], Set([number]))
        var place = 0
        while place < found.count {
            let schema = schemas[found[place]]
            place += 1
            let others =
                (schema.reference.map { [$0] } ?? []) + schema.allOf
                + (choices ? schema.anyOf + schema.oneOf + schema.branches : [])
            work -= 1 + others.count
            for inner in others where seen.insert(inner).inserted { found.append(inner) }
        }
        return found
    }
}
