/// Compares queries and forms: by name and value, the order counting only where nothing else differs.
enum QueryDiff {
    /// Compares the queries of two targets, byte for byte where their items agree.
    static func targets(_ left: String, _ right: String, _ noise: DiffNoise, _ found: inout CaptureDifference) {
        guard left != right else { return }
        let (leftPath, rightPath) = (left.prefix { $0 != "?" }, right.prefix { $0 != "?" })
        if leftPath != rightPath {
            found.add(Difference(.request, .line, "path", .changed, left: String(leftPath), right: String(rightPath)))
        }
        let (leftQuery, rightQuery) = (left.dropFirst(leftPath.count), right.dropFirst(rightPath.count))
        guard leftQuery != rightQuery else { return }
        let isSilent = items(QueryString.items(left), QueryString.items(right), .query, noise, &found)
        guard isSilent else { return }
        let parts = [leftQuery, rightQuery].map {
            $0.dropFirst().split(separator: "&", omittingEmptySubsequences: false)
        }
        let isReordered = !leftQuery.isEmpty && !rightQuery.isEmpty && parts[0].sorted() == parts[1].sorted()
        found.add(
            Difference(
                .request,
                .line,
                isReordered ? "order of the query" : "spelling of the query",
                isReordered ? .reordered : .changed,
                left: leftQuery.isEmpty ? nil : String(leftQuery),
                right: rightQuery.isEmpty ? nil : String(rightQuery)
            )
        )
    }

    /// Compares two forms.
    static func forms(_ left: String, _ right: String, _ noise: DiffNoise, _ found: inout CaptureDifference) {
        if items(QueryString.items(form: left), QueryString.items(form: right), .form, noise, &found), left != right {
            found.add(Difference(.request, .form, "order or spelling", .reordered, left: left, right: right))
        }
    }

    /// Adds what items differ; whether none did and none was passed over.
    private static func items(
        _ left: [QueryString.Item],
        _ right: [QueryString.Item],
        _ part: Difference.Part,
        _ noise: DiffNoise,
        _ found: inout CaptureDifference
    ) -> Bool {
        let (left, right) = (values(left), values(right))
        var isSilent = true
        for name in Set(left.keys).union(right.keys).sorted() where left[name] != right[name] {
            isSilent = false
            if noise.queryNames.contains(name) {
                found.ignore("query:\(name)")
                continue
            }
            let change: Difference.Change = left[name] == nil ? .added : right[name] == nil ? .removed : .changed
            let (one, other) = (left[name]?.joined(separator: ", "), right[name]?.joined(separator: ", "))
            found.add(Difference(.request, part, name, change, left: one, right: other))
        }
        return isSilent
    }

    /// The values of each name, in order.
    private static func values(_ items: [QueryString.Item]) -> [String: [String]] {
        items.reduce(into: [:]) { $0[$1.name, default: []].append($1.value) }
    }

    /// A query that equal items give, in whatever order they came, noise left out.
    static func normalised(_ target: String, _ noise: DiffNoise) -> String {
        QueryString.items(target).filter { !noise.queryNames.contains($0.name) }
            .enumerated().sorted { ($0.element.name, $0.offset) < ($1.element.name, $1.offset) }
            .map { "\(PercentCoding.form($0.element.name))=\(PercentCoding.form($0.element.value))" }
            .joined(separator: "&")
    }

    /// The names of a query's items, in order of the alphabet.
    static func names(_ target: String, _ noise: DiffNoise) -> String {
        QueryString.items(target).map(\.name).filter { !noise.queryNames.contains($0) }.sorted()
            .map(PercentCoding.form).joined(separator: "&")
    }
}
