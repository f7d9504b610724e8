/// What to select: a set of wanted values for each facet and a window of time.
///
/// The CLI, the URL and the API all carry the same filter.
///
/// Nothing wanted in a facet means all of it; values within a facet are joined by OR, facets by AND.
package struct Filter: Hashable, Sendable {
    /// The wanted values by facet name; a facet without an entry, or with an empty one, selects everything.
    package private(set) var selections: [String: [FacetSelector]] = [:]
    /// Only exchanges that started at or after this: microseconds since 1970.
    package var since: Int64?
    /// Only exchanges that started before this: microseconds since 1970.
    package var before: Int64?

    package init() {}

    /// Adds a wanted value to a facet.
    package mutating func select(_ selector: FacetSelector, in facet: Facet) {
        if selections[facet.name]?.contains(selector) != true { selections[facet.name, default: []].append(selector) }
    }

    /// Whether a facet's value is wanted: true where nothing is selected in it.
    package func accepts(_ value: String, in facet: Facet) -> Bool {
        guard let wanted = selections[facet.name], !wanted.isEmpty else { return true }
        return wanted.contains { $0.matches(value) }
    }

    /// Whether a facet's value is named by a selection of it, for marking it in a list.
    package func selects(_ value: String, in facet: Facet) -> Bool {
        selections[facet.name]?.contains { $0.matches(value) } ?? false
    }

    /// Whether the start lies in the window.
    package func accepts(started: Int64) -> Bool {
        if let since, started < since { return false }
        if let before, started >= before { return false }
        return true
    }

    /// Whether the exchange is selected.
    ///
    /// This is the meaning; the store's blocks are the fast path and agree with it.
    package func matches(_ summary: ExchangeSummary) -> Bool {
        accepts(started: summary.started) && Facet.all.allSatisfy { accepts($0.value(summary), in: $0) }
    }

    /// Whether anything is selected at all.
    package var isEmpty: Bool { since == nil && before == nil && selections.values.allSatisfy(\.isEmpty) }
}
