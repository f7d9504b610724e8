extension Facet {
    /// Sorts values as they are shown: codes as numbers, then the states that stand in for a code; other facets by falling count, then by name.
    package func ordered(_ counts: [FacetCount]) -> [FacetCount] {
        guard self == .code else {
            return counts.sorted { ($1.count, $0.value) < ($0.count, $1.value) }
        }
        return counts.sorted { Facet.codeRank($0.value) < Facet.codeRank($1.value) }
    }

    /// Where a value of the code facet sorts: numbers by size, then pending, failed, tunnelled and none.
    private static func codeRank(_ value: String) -> Int {
        if let code = Int(value) { return code }
        let states = [Outcome.pending.rawValue, Outcome.failed.rawValue, Outcome.tunnelled.rawValue, none]
        return 1_000_000 + (states.firstIndex(of: value) ?? states.count)
    }
}
