extension Facet {
    /// Sorts values as they are shown; by name, codes are numbers, and the states that stand in for a code follow them.
    package func ordered(_ counts: [FacetCount], by order: FacetOrder = .name) -> [FacetCount] {
        counts.sorted { left, right in
            if order == .count, left.count != right.count { return left.count > right.count }
            let (first, second) = (rank(left.value), rank(right.value))
            return first != second ? first < second : left.value < right.value
        }
    }

    /// Where a value of the code facet sorts: numbers by size, then the states of `codeless` and none; 0 for a value of any other facet.
    private func rank(_ value: String) -> Int {
        guard self == .code else { return 0 }
        if let code = Int(value) { return code }
        let states = Facet.codeless + [Facet.none]
        return 1_000_000 + (states.firstIndex(of: value) ?? states.count)
    }
}
