/// What to select: wanted values for each facet, a window of time, and any further conditions.
///
/// The flags of the CLI, the query text and the API all make the same filter.
///
/// Nothing wanted in a facet means all of it; values within a facet are joined by OR, facets and conditions by AND.
package struct Filter: Hashable, Sendable {
    /// The wanted values by facet name; a facet without an entry, or with an empty one, selects everything.
    package private(set) var selections: [String: [FacetSelector]] = [:]
    /// Only exchanges that started at or after this: microseconds since 1970.
    package var since: Int64?
    /// Only exchanges that started before this: microseconds since 1970.
    package var before: Int64?
    /// Further conditions, each of which must hold; none of them is itself a list of conditions that must all hold.
    package private(set) var conditions: [FilterCondition] = []

    package init() {}

    /// A filter that selects the exchanges for which a condition holds.
    package init(_ condition: FilterCondition) { require(condition) }

    /// Adds a wanted value to a facet.
    package mutating func select(_ selector: FacetSelector, in facet: Facet) {
        if selections[facet.name]?.contains(selector) != true { selections[facet.name, default: []].append(selector) }
    }

    /// Narrows the filter: the condition must hold too.
    ///
    /// A facet's wanted values become its selection, unless it has one, and times narrow the window.
    package mutating func require(_ condition: FilterCondition) {
        switch condition {
        case .all(let parts): for part in parts { require(part) }
        case .test(.facet(let facet, let wanted)) where selections[facet.name]?.isEmpty ?? true:
            for selector in wanted { select(selector, in: facet) }
        case .test(.since(let time)): since = max(since ?? time, time)
        case .test(.before(let time)): before = min(before ?? time, time)
        case .any, .not, .test: conditions.append(condition)
        }
    }

    /// Narrows the filter by another: both must select an exchange.
    package mutating func require(_ other: Filter) {
        for facet in Facet.all {
            if let wanted = other.selections[facet.name], !wanted.isEmpty { require(.test(.facet(facet, wanted))) }
        }
        if let since = other.since { require(.test(.since(since))) }
        if let before = other.before { require(.test(.before(before))) }
        conditions += other.conditions
    }

    /// Whether a facet's value is wanted: true where nothing is selected in it.
    package func accepts(_ value: String, in facet: Facet) -> Bool {
        guard let wanted = selections[facet.name], !wanted.isEmpty else { return true }
        return facet.isMeant(value, by: wanted)
    }

    /// Whether a facet's value is named by a selection of it, for marking it in a list.
    package func selects(_ value: String, in facet: Facet) -> Bool {
        facet.isMeant(value, by: selections[facet.name] ?? [])
    }

    /// Whether the start lies in the window.
    package func accepts(started: Int64) -> Bool {
        if let since, started < since { return false }
        if let before, started >= before { return false }
        return true
    }

    /// Whether anything is selected at all.
    package var isEmpty: Bool {
        since == nil && before == nil && conditions.isEmpty && selections.values.allSatisfy(\.isEmpty)
    }
}
