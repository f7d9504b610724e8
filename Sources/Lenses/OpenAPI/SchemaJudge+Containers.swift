import Traffic

extension SchemaJudge {
    /// The keywords about lists.
    mutating func list(_ elements: [JSONValue], _ value: JSONValue, _ schema: Schema, _ place: Place) -> Bool {
        var holds = true
        if let least = schema.minItems, elements.count < least {
            holds = fail(value, place, "minItems", "has \(elements.count) elements; expected \(least) or more")
        }
        if let most = schema.maxItems, elements.count > most {
            holds = fail(value, place, "maxItems", "has \(elements.count) elements; expected \(most) or fewer")
        }
        if schema.hasUniqueItems, let twice = SchemaJudge.repeated(elements) {
            holds = fail(value, place, "uniqueItems", "has element \(twice) twice")
        }
        if !schema.prefixItems.isEmpty || schema.items != nil {
            for (index, element) in elements.enumerated() {
                let inner = index < schema.prefixItems.count ? schema.prefixItems[index] : schema.items
                guard let inner, holds || trials == 0 else { break }
                holds = check(element, place.inside(inner, JSONPointer.child(index, of: place.pointer))) && holds
            }
        }
        guard let wanted = schema.contains else { return holds }
        var count = 0
        for element in elements where tries(element, place.inside(wanted, place.pointer)) { count += 1 }
        if count < schema.minContains {
            holds = fail(
                value,
                place,
                "contains",
                "has \(count) of the elements wanted; expected \(schema.minContains)"
            )
        }
        if let most = schema.maxContains, count > most {
            holds = fail(value, place, "maxContains", "has \(count) of the elements wanted; expected at most \(most)")
        }
        return holds
    }

    /// The index of the first element that stood before.
    private static func repeated(_ elements: [JSONValue]) -> Int? {
        var seen: Set<String> = []
        return elements.firstIndex { !seen.insert($0.canonical).inserted }
    }

    /// The keywords about objects.
    mutating func object(
        _ members: [(name: String, value: JSONValue)],
        _ value: JSONValue,
        _ schema: Schema,
        _ place: Place
    ) -> Bool {
        var holds = true
        if schema.minProperties != nil || schema.maxProperties != nil {
            let count = Set(members.map(\.name)).count
            if let least = schema.minProperties, count < least {
                holds = fail(value, place, "minProperties", "has \(count) members; expected \(least) or more")
            }
            if let most = schema.maxProperties, count > most {
                holds = fail(value, place, "maxProperties", "has \(count) members; expected \(most) or fewer")
            }
        }
        for name in schema.required where !isThere(name, members) && isAsked(name, schema) {
            holds = fail(value, place, "required", "has no \(name), which is required")
        }
        for dependent in schema.dependentRequired where isThere(dependent.name, members) {
            for name in dependent.needed where !isThere(name, members) {
                holds = fail(value, place, "dependentRequired", "has \(dependent.name) and no \(name)")
            }
        }
        for member in members {
            // While a choice is tried, the first fault decides.
            if !holds, trials > 0 { return false }
            holds = self.member(member, schema, place) && holds
        }
        return holds
    }

    private mutating func member(_ member: (name: String, value: JSONValue), _ schema: Schema, _ place: Place) -> Bool {
        var holds = true
        var isKnown = false
        // Made once a schema needs it: most members of most bodies are as they should be.
        let pointer = JSONPointer.child(member.name, of: place.pointer)
        if let names = schema.propertyNames {
            holds = check(.string(member.name), place.inside(names, pointer)) && holds
        }
        if let inner = schema.properties[member.name] {
            isKnown = true
            holds = check(member.value, place.inside(inner, pointer)) && holds
        }
        for (pattern, inner) in schema.patternProperties where pattern.matches(member.name) {
            isKnown = true
            holds = check(member.value, place.inside(inner, pointer)) && holds
        }
        guard !isKnown, let inner = schema.additionalProperties else { return holds }
        if table[inner].constant == false {
            return fail(
                member.value,
                place.inside(place.schema, pointer),
                "additionalProperties",
                "is a member that the schema does not have"
            )
        }
        return check(member.value, place.inside(inner, pointer)) && holds
    }

    private func isThere(_ name: String, _ members: [(name: String, value: JSONValue)]) -> Bool {
        members.contains { $0.name == name }
    }

    /// Whether a required member is required in this direction.
    private func isAsked(_ name: String, _ schema: Schema) -> Bool {
        guard let direction, let number = schema.properties[name] else { return true }
        var inner = table[number]
        if !inner.isReadOnly, !inner.isWriteOnly, let reference = inner.reference { inner = table[reference] }
        return direction == .request ? !inner.isReadOnly : !inner.isWriteOnly
    }

    /// References and compositions: other schemas for the same value.
    mutating func composed(_ value: JSONValue, _ schema: Schema, _ place: Place) -> Bool {
        var holds = true
        if let reference = schema.reference { holds = check(value, place.beside(reference)) && holds }
        for part in schema.allOf { holds = check(value, place.beside(part)) && holds }
        if !schema.anyOf.isEmpty, fitting(value, schema.anyOf, place, atMost: 1) == 0 {
            let nearest = isTold("anyOf", at: place) ? nearest(value, schema.anyOf) : ""
            let count = schema.anyOf.count
            holds = fail(value, place, "anyOf", "fits none of the \(count) schemas it may have\(nearest)")
        }
        if !schema.oneOf.isEmpty {
            let fitting = fitting(value, schema.oneOf, place, atMost: .max)
            if fitting == 0 {
                let nearest = isTold("oneOf", at: place) ? nearest(value, schema.oneOf) : ""
                let count = schema.oneOf.count
                holds = fail(value, place, "oneOf", "fits none of the \(count) schemas it may have\(nearest)")
            } else if fitting > 1 {
                holds = fail(value, place, "oneOf", "fits \(fitting) schemas where it should fit one")
            }
        }
        if let not = schema.not, tries(value, place.beside(not)) {
            holds = fail(value, place, "not", "is \(value.brief), which is what it must not be")
        }
        return holds
    }

    /// How many of some choices a value fits; no more are tried than are asked for.
    private mutating func fitting(_ value: JSONValue, _ choices: [Schema.Number], _ place: Place, atMost most: Int)
        -> Int
    {
        var count = 0
        for choice in choices where count < most && tries(value, place.beside(choice)) { count += 1 }
        return count
    }

    /// What is wrong by the choice that it comes nearest to: the one whose first fault lies deepest.
    private func nearest(_ value: JSONValue, _ choices: [Schema.Number]) -> String {
        guard explains else { return "" }
        var best: Fault?
        for choice in choices.prefix(20) {
            var judge = SchemaJudge(table, direction: direction, workLimit: 100_000)
            judge.explains = false
            guard let fault = judge.faults(of: value, by: choice).first else { continue }
            if best.map({ $0.pointer.utf8.count < fault.pointer.utf8.count }) ?? true { best = fault }
        }
        guard let best else { return "" }
        return "; by the nearest, \(best.pointer.isEmpty ? "it" : best.pointer) \(best.sentence)"
    }
}
