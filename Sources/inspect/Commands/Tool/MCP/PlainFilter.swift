import Traffic

/// The part of a filter that tells nothing of masked secrets, so that the unmasked record may answer it.
///
/// A test of a text that holds a secret tells the secret, one character at a time: by what it selects, by how much, and by what it leaves out. So a
/// test is plain only where no secret can be in what it looks at: numbers, times, traits, and categories of whose values none is masked.
struct PlainFilter {
    /// The plain tests alone; they select at least what the whole filter selects, whatever its other tests say.
    let filter: Filter
    /// Whether the filter has no other tests.
    let isWhole: Bool

    /// - Parameters:
    ///   - filter: what was asked.
    ///   - isPlain: whether no value of a category is masked.
    init(_ filter: Filter, isPlain: (Facet) -> Bool) {
        var plain = Filter()
        var isWhole = true
        (plain.since, plain.before) = (filter.since, filter.before)
        for facet in Facet.all {
            guard let wanted = filter.selections[facet.name], !wanted.isEmpty else { continue }
            guard isPlain(facet) else {
                isWhole = false
                continue
            }
            for selector in wanted { plain.select(selector, in: facet) }
        }
        for condition in filter.conditions {
            if !PlainFilter.isPlain(condition, isPlain) { isWhole = false }
            if let bound = PlainFilter.bound(condition, isUpper: true, isPlain) { plain.require(bound) }
        }
        (self.filter, self.isWhole) = (plain, isWhole)
    }

    private static func isPlain(_ condition: FilterCondition, _ isPlain: (Facet) -> Bool) -> Bool {
        switch condition {
        case .test(.facet(let facet, _)): isPlain(facet)
        case .test(.number), .test(.since), .test(.before), .test(.trait): true
        case .test(.line), .test(.header), .test(.body), .test(.json), .test(.message), .test(.text): false
        case .not(let part): PlainFilter.isPlain(part, isPlain)
        case .all(let parts), .any(let parts): parts.allSatisfy { PlainFilter.isPlain($0, isPlain) }
        }
    }

    /// A plain condition that holds wherever this one may hold (the upper bound), or only where this one must hold (the lower bound); `nil` where
    /// there is no such condition.
    private static func bound(
        _ condition: FilterCondition,
        isUpper: Bool,
        _ isPlain: (Facet) -> Bool
    ) -> FilterCondition? {
        switch condition {
        case .test: return PlainFilter.isPlain(condition, isPlain) ? condition : nil
        case .not(let part): return bound(part, isUpper: !isUpper, isPlain).map(FilterCondition.negation)
        case .all(let parts), .any(let parts):
            let isAll = if case .all = condition { true } else { false }
            let bounds = parts.compactMap { bound($0, isUpper: isUpper, isPlain) }
            // The upper bound of alternatives needs a bound of each, and that of a conjunction needs one; for the lower bound it is the other way round.
            guard !bounds.isEmpty, isAll == isUpper || bounds.count == parts.count else { return nil }
            return isAll ? .allOf(bounds) : .anyOf(bounds)
        }
    }
}
