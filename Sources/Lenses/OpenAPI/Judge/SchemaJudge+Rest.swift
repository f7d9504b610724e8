import Traffic

extension SchemaJudge {
    /// A schema with the way to it, which decides the targets of the dynamic references in it.
    private struct Visit: Hashable {
        let schema: Schema.Number
        let scope: [String]
    }

    /// The elements or members of a value, by their index, that some schemas for the value describe.
    private struct Coverage {
        let count: Int
        /// The elements or members that are certainly described.
        private(set) var certain: Set<Int> = []
        /// The elements or members that may be described, where something is not understood.
        private(set) var possible: Set<Int> = []
        /// The schemas that were visited, with whether they certainly hold.
        var seen: [Visit: Bool] = [:]

        init(_ count: Int) { self.count = count }

        mutating func add(_ index: Int, isCertain: Bool) {
            if isCertain { certain.insert(index) } else { possible.insert(index) }
        }

        mutating func addAll(isCertain: Bool) {
            if isCertain { certain.formUnion(0..<count) } else { possible.formUnion(0..<count) }
        }
    }

    /// Checks the keywords about elements and members that no other keyword for the same value describes (JSON Schema Core §11).
    mutating func rest(of value: JSONValue, _ schema: Schema, _ place: Place) -> SchemaVerdict {
        let parts: [(name: String?, value: JSONValue)]
        let (inner, keyword, what): (Schema.Number, String, String)
        switch value {
        case .array(let elements):
            guard let items = schema.unevaluatedItems else { return .holds }
            (inner, keyword, what) = (items, "unevaluatedItems", "an element")
            parts = elements.map { (nil, $0) }
        case .object(let members):
            guard let properties = schema.unevaluatedProperties else { return .holds }
            (inner, keyword, what) = (properties, "unevaluatedProperties", "a member")
            parts = members.map { ($0.name, $0.value) }
        default: return .holds
        }
        var coverage = Coverage(parts.count)
        cover(&coverage, value, place, isCertain: true, isWhole: false)
        var verdict = SchemaVerdict.holds
        for (index, part) in parts.enumerated() where !coverage.certain.contains(index) {
            if verdict == .fails, trials > 0 { return .fails }
            func within(_ schema: Schema.Number) -> Place {
                part.name.map { place.inside(schema, member: $0) } ?? place.inside(schema, element: index)
            }
            if coverage.possible.contains(index) {
                verdict.meet(tries(part.value, within(inner)) == .holds ? .holds : .unknown)
            } else if table[inner].constant == false {
                let own = within(place.schema)
                verdict.meet(fail(part.value, own, keyword, "is \(what) that no schema for it has"))
            } else {
                verdict.meet(check(part.value, within(inner)))
            }
        }
        return verdict
    }

    /// Adds the elements or members that a fitting schema, and those for the same value in it, describe.
    ///
    /// - Parameters:
    ///   - coverage: the coverage to add to.
    ///   - value: a list or an object.
    ///   - place: the schema.
    ///   - isCertain: whether the value is known to fit.
    ///   - isWhole: whether the schema's own keyword about the rest counts, which describes everything.
    private mutating func cover(
        _ coverage: inout Coverage,
        _ value: JSONValue,
        _ place: Place,
        isCertain: Bool,
        isWhole: Bool = true
    ) {
        guard takeStep(at: place, work: 1 + scopeWork) else { return coverage.addAll(isCertain: false) }
        let visit = Visit(schema: place.schema, scope: scope)
        if let before = coverage.seen[visit], before || !isCertain { return }
        coverage.seen[visit] = isCertain
        guard takeStep(at: place, work: coverage.count) else { return coverage.addAll(isCertain: false) }
        let schema = table[place.schema]
        let isEntered = enter(schema)
        defer { if isEntered { leave() } }
        if !schema.uncheckedKinds.isDisjoint(with: JSONKind(of: value)) { coverage.addAll(isCertain: false) }
        switch value {
        case .array(let elements):
            if isWhole, schema.unevaluatedItems != nil { coverage.addAll(isCertain: isCertain) }
            cover(&coverage, elements, schema, place, isCertain)
        case .object(let members):
            if isWhole, schema.unevaluatedProperties != nil { coverage.addAll(isCertain: isCertain) }
            cover(&coverage, members, schema, place, isCertain)
        default: return
        }
        let dynamic = schema.dynamicReference.map { target(of: $0) }
        for part in [schema.reference, dynamic].compactMap({ $0 }) + schema.allOf {
            cover(&coverage, value, place.beside(part), isCertain: isCertain)
        }
        for choice in schema.anyOf + schema.oneOf {
            coverTried(&coverage, value, place.beside(choice), isCertain, tries(value, place.beside(choice)))
        }
        if let condition = schema.condition {
            let verdict = tries(value, place.beside(condition))
            coverTried(&coverage, value, place.beside(condition), isCertain, verdict)
            if let then = schema.then { coverTried(&coverage, value, place.beside(then), isCertain, verdict) }
            if let otherwise = schema.otherwise {
                coverTried(&coverage, value, place.beside(otherwise), isCertain, verdict.opposite)
            }
        }
        guard let dependents = dependents(of: value, schema, place) else { return coverage.addAll(isCertain: false) }
        for dependent in dependents { cover(&coverage, value, place.beside(dependent), isCertain: isCertain) }
    }

    /// Adds the elements or members that a schema describes which the value may not fit.
    private mutating func coverTried(
        _ coverage: inout Coverage,
        _ value: JSONValue,
        _ place: Place,
        _ isCertain: Bool,
        _ verdict: SchemaVerdict
    ) {
        guard verdict != .fails else { return }
        cover(&coverage, value, place, isCertain: isCertain && verdict == .holds)
    }

    /// Adds the elements that a schema's own keywords describe.
    private mutating func cover(
        _ coverage: inout Coverage,
        _ elements: [JSONValue],
        _ schema: Schema,
        _ place: Place,
        _ isCertain: Bool
    ) {
        if schema.items != nil { coverage.addAll(isCertain: isCertain) }
        for index in elements.indices.prefix(schema.prefixItems.count) { coverage.add(index, isCertain: isCertain) }
        guard let wanted = schema.contains else { return }
        for (index, element) in elements.enumerated() {
            let verdict = tries(element, place.inside(wanted, element: index))
            if verdict != .fails { coverage.add(index, isCertain: isCertain && verdict == .holds) }
        }
    }

    /// Adds the members that a schema's own keywords describe.
    private mutating func cover(
        _ coverage: inout Coverage,
        _ members: Members,
        _ schema: Schema,
        _ place: Place,
        _ isCertain: Bool
    ) {
        if schema.additionalProperties != nil { coverage.addAll(isCertain: isCertain) }
        if schema.hasUnreadPatterns { coverage.addAll(isCertain: false) }
        guard takeNames(members.lazy.map(\.name), at: place) else { return coverage.addAll(isCertain: false) }
        for (index, member) in members.enumerated() {
            if schema.properties[ExactText(member.name)] != nil {
                coverage.add(index, isCertain: isCertain)
            } else {
                for (pattern, _) in schema.patternProperties {
                    switch matches(pattern, member.name) {
                    case true?: coverage.add(index, isCertain: isCertain)
                    case false?: break
                    case nil: coverage.add(index, isCertain: false)
                    }
                }
            }
        }
    }
}
