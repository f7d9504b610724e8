import Traffic

extension SchemaJudge {
    /// The elements or members of a value, by their index, that some schemas for the value speak of.
    private struct Coverage {
        let count: Int
        /// Those that they certainly speak of.
        private(set) var certain: Set<Int> = []
        /// Those that they may speak of, where something is not understood.
        private(set) var possible: Set<Int> = []
        /// Schemas that were gone through, with whether they certainly hold.
        var seen: [Schema.Number: Bool] = [:]

        init(_ count: Int) { self.count = count }

        mutating func add(_ index: Int, isCertain: Bool) {
            if isCertain { certain.insert(index) } else { possible.insert(index) }
        }

        mutating func addAll(isCertain: Bool) {
            if isCertain { certain.formUnion(0..<count) } else { possible.formUnion(0..<count) }
        }
    }

    /// The keywords about what no other keyword for the same value speaks of (JSON Schema Core §11).
    mutating func rest(of value: JSONValue, _ schema: Schema, _ place: Place) -> SchemaVerdict {
        let parts: [(pointer: String, value: JSONValue)]
        let (inner, keyword, what): (Schema.Number, String, String)
        switch value {
        case .array(let elements):
            guard let items = schema.unevaluatedItems else { return .holds }
            (inner, keyword, what) = (items, "unevaluatedItems", "an element")
            parts = elements.enumerated().map { (JSONPointer.child($0, of: place.pointer), $1) }
        case .object(let members):
            guard let properties = schema.unevaluatedProperties else { return .holds }
            (inner, keyword, what) = (properties, "unevaluatedProperties", "a member")
            parts = members.map { (JSONPointer.child($0.name, of: place.pointer), $0.value) }
        default: return .holds
        }
        var coverage = Coverage(parts.count)
        cover(&coverage, value, place, isCertain: true, isWhole: false)
        var verdict = SchemaVerdict.holds
        for (index, part) in parts.enumerated() where !coverage.certain.contains(index) {
            if verdict == .fails, trials > 0 { return .fails }
            let within = place.inside(inner, part.pointer)
            if coverage.possible.contains(index) {
                verdict.meet(tries(part.value, within) == .holds ? .holds : .unknown)
            } else if table[inner].constant == false {
                let named = place.inside(place.schema, part.pointer)
                verdict.meet(fail(part.value, named, keyword, "is \(what) that no schema for it has"))
            } else {
                verdict.meet(check(part.value, within))
            }
        }
        return verdict
    }

    /// Adds what a schema that a value fits, and those for the same value in it, speak of.
    ///
    /// - Parameters:
    ///   - coverage: what is added to.
    ///   - value: a list or an object.
    ///   - place: the schema.
    ///   - isCertain: whether it is known that the value fits.
    ///   - isWhole: whether its own say about the rest counts, which leaves nothing.
    private mutating func cover(
        _ coverage: inout Coverage,
        _ value: JSONValue,
        _ place: Place,
        isCertain: Bool,
        isWhole: Bool = true
    ) {
        if let before = coverage.seen[place.schema], before || !isCertain { return }
        coverage.seen[place.schema] = isCertain
        guard takeStep(at: place, work: 1 + coverage.count) else { return coverage.addAll(isCertain: false) }
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
            cover(&coverage, members, schema, isCertain)
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
        for dependent in schema.dependentSchemas where value[dependent.name] != nil {
            cover(&coverage, value, place.beside(dependent.schema), isCertain: isCertain)
        }
    }

    /// Adds what a schema speaks of that the value may not fit.
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

    /// Adds the elements that a schema's own keywords speak of.
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
            let verdict = tries(element, place.inside(wanted, place.pointer))
            if verdict != .fails { coverage.add(index, isCertain: isCertain && verdict == .holds) }
        }
    }

    /// Adds the members that a schema's own keywords speak of.
    private mutating func cover(
        _ coverage: inout Coverage,
        _ members: Members,
        _ schema: Schema,
        _ isCertain: Bool
    ) {
        if schema.additionalProperties != nil { coverage.addAll(isCertain: isCertain) }
        if schema.hasUnreadPatterns { coverage.addAll(isCertain: false) }
        for (index, member) in members.enumerated() {
            if schema.properties[member.name] != nil {
                coverage.add(index, isCertain: isCertain)
            } else {
                for (pattern, _) in schema.patternProperties {
                    charge(characters: SchemaJudge.charactersOfWork + member.name.utf8.count)
                    if pattern.matches(member.name) { coverage.add(index, isCertain: isCertain) }
                }
            }
        }
    }
}
