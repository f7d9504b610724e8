import Traffic

extension SchemaJudge {
    typealias Members = [(name: String, value: JSONValue)]

    /// Checks the keywords about lists.
    mutating func list(_ elements: [JSONValue], _ value: JSONValue, _ schema: Schema, _ place: Place) -> SchemaVerdict {
        var verdict = SchemaVerdict.holds
        if let least = schema.minItems, elements.count < least {
            verdict = fail(value, place, "minItems", "has \(elements.count) elements; expected \(least) or more")
        }
        if let most = schema.maxItems, elements.count > most {
            verdict = fail(value, place, "maxItems", "has \(elements.count) elements; expected \(most) or fewer")
        }
        if schema.hasUniqueItems, let twice = repeated(elements) {
            verdict = fail(value, place, "uniqueItems", "has element \(twice) twice")
        }
        if !schema.prefixItems.isEmpty || schema.items != nil {
            for (index, element) in elements.enumerated() {
                let inner = index < schema.prefixItems.count ? schema.prefixItems[index] : schema.items
                guard let inner, verdict != .fails || trials == 0 else { break }
                verdict.meet(check(element, place.inside(inner, element: index)))
            }
        }
        verdict.meet(contained(elements, value, schema, place))
        return verdict
    }

    /// Checks how many elements fit `contains`.
    private mutating func contained(_ elements: [JSONValue], _ value: JSONValue, _ schema: Schema, _ place: Place)
        -> SchemaVerdict
    {
        guard let wanted = schema.contains else { return .holds }
        var (certain, possible) = (0, 0)
        for (index, element) in elements.enumerated() {
            let verdict = tries(element, place.inside(wanted, element: index))
            if verdict == .holds { certain += 1 }
            if verdict != .fails { possible += 1 }
        }
        if possible < schema.minContains {
            return fail(
                value,
                place,
                "contains",
                "has \(possible) of the elements wanted; expected \(schema.minContains)"
            )
        }
        if let most = schema.maxContains, certain > most {
            return fail(
                value,
                place,
                "maxContains",
                "has \(certain) of the elements wanted; expected at most \(most)"
            )
        }
        return certain < schema.minContains || schema.maxContains.map { possible > $0 } == true ? .unknown : .holds
    }

    /// The index of the first element that repeats an earlier one; `nil` where none does.
    private mutating func repeated(_ elements: [JSONValue]) -> Int? {
        var seen: Set<String> = []
        return elements.firstIndex { element in
            let text = element.canonical
            charge(characters: SchemaJudge.charactersOfWork + text.utf8.count)
            return !seen.insert(text).inserted
        }
    }

    /// Checks the keywords about objects.
    mutating func object(_ members: Members, _ value: JSONValue, _ schema: Schema, _ place: Place) -> SchemaVerdict {
        // Each name is looked up, whether or not the schema describes it.
        guard takeNames(members.lazy.map(\.name), at: place) else { return .unknown }
        var verdict = schema.asksForNames ? named(members, value, schema, place) : .holds
        for member in members {
            // While a choice is tried, the first fault decides.
            if verdict == .fails, trials > 0 { return .fails }
            verdict.meet(self.member(member, schema, place))
        }
        return verdict
    }

    /// Checks the keywords about which members an object has, and how many.
    private mutating func named(_ members: Members, _ value: JSONValue, _ schema: Schema, _ place: Place)
        -> SchemaVerdict
    {
        guard takeNames(members.lazy.map(\.name), at: place), takeNames(schema.required, at: place),
            takeNames(schema.dependentRequired.lazy.map(\.name), at: place)
        else { return .unknown }
        var verdict = SchemaVerdict.holds
        let names = SchemaJudge.names(members)
        if let least = schema.minProperties, names.count < least {
            verdict = fail(value, place, "minProperties", "has \(names.count) members; expected \(least) or more")
        }
        if let most = schema.maxProperties, names.count > most {
            verdict = fail(value, place, "maxProperties", "has \(names.count) members; expected \(most) or fewer")
        }
        for name in schema.required where !names.contains(ExactText(name)) {
            guard let isAsked = isAsked(name, place) else { return min(verdict, .unknown) }
            if isAsked { verdict = fail(value, place, "required", "has no \(name), which is required") }
        }
        for dependent in schema.dependentRequired where names.contains(ExactText(dependent.name)) {
            guard takeNames(dependent.needed, at: place) else { return min(verdict, .unknown) }
            for name in dependent.needed where !names.contains(ExactText(name)) {
                verdict = fail(value, place, "dependentRequired", "has \(dependent.name) and no \(name)")
            }
        }
        return verdict
    }

    /// The names of an object's members, each once.
    private static func names(_ members: Members) -> Set<ExactText> { Set(members.lazy.map { ExactText($0.name) }) }

    private mutating func member(_ member: Members.Element, _ schema: Schema, _ place: Place) -> SchemaVerdict {
        var verdict = SchemaVerdict.holds
        var isKnown = false
        if let names = schema.propertyNames {
            verdict.meet(check(.string(member.name), place.inside(names, member: member.name)))
        }
        if let inner = schema.properties[ExactText(member.name)] {
            isKnown = true
            verdict.meet(check(member.value, place.inside(inner, member: member.name)))
        }
        for (pattern, inner) in schema.patternProperties {
            guard let isMatch = matches(pattern, member.name) else { return min(verdict, .unknown) }
            guard isMatch else { continue }
            isKnown = true
            verdict.meet(check(member.value, place.inside(inner, member: member.name)))
        }
        // A pattern that is not understood may be about this name.
        if schema.hasUnreadPatterns {
            verdict.meet(.unknown)
            return verdict
        }
        guard !isKnown, let inner = schema.additionalProperties else { return verdict }
        if table[inner].constant == false {
            return fail(
                member.value,
                place.inside(place.schema, member: member.name),
                "additionalProperties",
                "is a member that the schema does not have"
            )
        }
        verdict.meet(check(member.value, place.inside(inner, member: member.name)))
        return verdict
    }

    /// Whether a required member is required in this direction; `nil` where it takes too much work to find out.
    ///
    /// A member that is only read is not sent, and the other way round (OpenAPI 3.0.3 §4.7.24.2), whichever of the value's
    /// schemas says so.
    private mutating func isAsked(_ name: String, _ place: Place) -> Bool? {
        switch direction {
        case nil: true
        case .request?: oneWay(of: place.whole).map { !$0.read.contains(ExactText(name)) }
        case .response?: oneWay(of: place.whole).map { !$0.written.contains(ExactText(name)) }
        }
    }

    /// Checks references and compositions: other schemas for the same value.
    mutating func composed(_ value: JSONValue, _ schema: Schema, _ place: Place) -> SchemaVerdict {
        var verdict = SchemaVerdict.holds
        if let reference = schema.reference { verdict.meet(check(value, place.beside(reference))) }
        for part in schema.allOf {
            if verdict == .fails, trials > 0 { return .fails }
            verdict.meet(check(value, place.beside(part)))
        }
        if !schema.anyOf.isEmpty { verdict.meet(any(value, schema, place)) }
        if !schema.oneOf.isEmpty { verdict.meet(one(value, schema, place)) }
        if let not = schema.not {
            let opposite = tries(value, place.beside(not)).opposite
            verdict.meet(
                opposite == .fails
                    ? fail(value, place, "not", "is \(value.brief), which is what it must not be") : opposite
            )
        }
        if let reference = schema.dynamicReference {
            verdict.meet(check(value, place.beside(target(of: reference))))
        }
        if let condition = schema.condition { verdict.meet(conditional(condition, value, schema, place)) }
        guard let dependents = dependents(of: value, schema, place) else { return min(verdict, .unknown) }
        for dependent in dependents { verdict.meet(check(value, place.beside(dependent))) }
        return verdict
    }

    /// The schemas that hold for an object because it has some member; `nil` where it takes too much work to find them.
    mutating func dependents(of value: JSONValue, _ schema: Schema, _ place: Place) -> [Schema.Number]? {
        guard !schema.dependentSchemas.isEmpty, case .object(let members) = value else { return [] }
        guard takeNames(members.lazy.map(\.name), at: place),
            takeNames(schema.dependentSchemas.lazy.map(\.name), at: place)
        else { return nil }
        let names = SchemaJudge.names(members)
        return schema.dependentSchemas.filter { names.contains(ExactText($0.name)) }.map(\.schema)
    }

    /// Checks `then` or `else`, or both where it cannot be told whether `if` holds.
    private mutating func conditional(
        _ condition: Schema.Number,
        _ value: JSONValue,
        _ schema: Schema,
        _ place: Place
    ) -> SchemaVerdict {
        guard schema.then != nil || schema.otherwise != nil else { return .holds }
        switch tries(value, place.beside(condition)) {
        case .holds: return schema.then.map { check(value, place.beside($0)) } ?? .holds
        case .fails: return schema.otherwise.map { check(value, place.beside($0)) } ?? .holds
        case .unknown:
            let verdicts = [schema.then, schema.otherwise].map { branch in
                branch.map { tries(value, place.beside($0)) } ?? .holds
            }
            guard verdicts[0] == verdicts[1] else { return .unknown }
            return verdicts[0] == .fails
                ? fail(value, place, "if", "fits neither then nor else, one of which it must") : verdicts[0]
        }
    }

    private mutating func any(_ value: JSONValue, _ schema: Schema, _ place: Place) -> SchemaVerdict {
        var best = SchemaVerdict.fails
        for choice in schema.anyOf where best != .holds { best = max(best, tries(value, place.beside(choice))) }
        guard best == .fails else { return best }
        return none(of: schema.anyOf, "anyOf", value, place)
    }

    private mutating func one(_ value: JSONValue, _ schema: Schema, _ place: Place) -> SchemaVerdict {
        var (certain, possible) = (0, 0)
        for choice in schema.oneOf {
            let verdict = tries(value, place.beside(choice))
            if verdict == .holds { certain += 1 }
            if verdict != .fails { possible += 1 }
            if certain > 1, trials > 0 { break }
        }
        if certain > 1 { return fail(value, place, "oneOf", "fits \(certain) schemas where it should fit one") }
        if possible == 0 { return none(of: schema.oneOf, "oneOf", value, place) }
        return certain == possible ? .holds : .unknown
    }

    private mutating func none(
        of choices: [Schema.Number],
        _ keyword: String,
        _ value: JSONValue,
        _ place: Place
    ) -> SchemaVerdict {
        let nearest = isTold(keyword, at: place) ? nearest(value, choices) : ""
        return fail(value, place, keyword, "fits none of the \(choices.count) schemas it may have\(nearest)")
    }
}
