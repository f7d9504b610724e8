import Traffic

/// A value of a facet, with the count of datasets that have it.
package struct DatasetFacetCount: Sendable, Equatable {
    package let value: String
    package let count: Int

    package init(value: String, count: Int) { (self.value, self.count) = (value, count) }

    /// Counts values: the most frequent first, equally frequent ones by name.
    package static func counted(_ values: some Sequence<String>) -> [DatasetFacetCount] {
        var counts: [String: Int] = [:]
        for value in values { counts[value, default: 0] += 1 }
        return sorted(counts)
    }

    /// The counts of a search's `facets`, else of its `search_facets`, by field in the portal's order.
    static func fields(of result: JSONValue) -> [(field: String, counts: [DatasetFacetCount])] {
        if case .object(let members)? = result["facets"], !members.isEmpty {
            return members.compactMap { member in
                guard case .object(let values) = member.value else { return nil }
                return (member.name, sorted(numbers(values.map { ($0.name, $0.value) })))
            }
        }
        guard case .object(let members)? = result["search_facets"] else { return [] }
        return members.map { member in
            let items = member.value["items"]?.elements ?? []
            return (member.name, sorted(numbers(items.map { ($0["name"]?.string ?? "", $0["count"] ?? .null) })))
        }
    }

    private static func numbers(_ pairs: [(String, JSONValue)]) -> [String: Int] {
        Dictionary(
            pairs.compactMap { name, value in value.integer.flatMap { Int(exactly: $0) }.map { (name, $0) } },
            uniquingKeysWith: { _, last in last }
        )
    }

    private static func sorted(_ counts: [String: Int]) -> [DatasetFacetCount] {
        counts.map { DatasetFacetCount(value: $0.key, count: $0.value) }
            .sorted { ($1.count, $0.value) < ($0.count, $1.value) }
    }
}
