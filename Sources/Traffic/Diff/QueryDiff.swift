/// Compares queries and forms: by name and value, the order counting only where nothing else differs.
enum QueryDiff {
    /// Compares the queries of two targets, byte for byte where their items agree.
    static func targets(_ left: String, _ right: String, _ noise: DiffNoise, _ found: inout CaptureDifference) {
        guard ExactText(left) != ExactText(right) else { return }
        let (leftPath, rightPath) = (QueryString.split(left).path, QueryString.split(right).path)
        if ExactText(leftPath) != ExactText(rightPath) {
            found.add(Difference(.request, .line, "path", .changed, left: String(leftPath), right: String(rightPath)))
        }
        let (leftQuery, rightQuery) = (left[leftPath.endIndex...], right[rightPath.endIndex...])
        guard ExactText(leftQuery) != ExactText(rightQuery) else { return }
        let isSilent = items(QueryString.items(left), QueryString.items(right), .query, noise, &found)
        guard isSilent else { return }
        func parts(_ query: Substring) -> [ExactText] {
            QueryString.parts(Substring(query.utf8.dropFirst())).map { ExactText($0) }.sorted()
        }
        let isReordered = !leftQuery.isEmpty && !rightQuery.isEmpty && parts(leftQuery) == parts(rightQuery)
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
        let isSilent = items(QueryString.items(form: left), QueryString.items(form: right), .form, noise, &found)
        if isSilent, ExactText(left) != ExactText(right) {
            found.add(Difference(.request, .form, "order or spelling", .reordered, left: left, right: right))
        }
    }

    /// Adds the items that differ; true where none differs and none was ignored.
    private static func items(
        _ left: [QueryString.Item],
        _ right: [QueryString.Item],
        _ part: Difference.Part,
        _ noise: DiffNoise,
        _ found: inout CaptureDifference
    ) -> Bool {
        let (left, right) = (values(left), values(right))
        var isSilent = true
        for key in Set(left.keys).union(right.keys).sorted() where left[key] != right[key] {
            isSilent = false
            let name = String(key.text)
            if noise.queryNames.contains(name) {
                found.ignore("query:\(name)")
                continue
            }
            let change: Difference.Change = left[key] == nil ? .added : right[key] == nil ? .removed : .changed
            let (one, other) = (left[key].map(joined), right[key].map(joined))
            found.add(Difference(.request, part, name, change, left: one, right: other))
        }
        return isSilent
    }

    /// The values of each name, in order.
    private static func values(_ items: [QueryString.Item]) -> [ExactText: [ExactText]] {
        items.reduce(into: [:]) { $0[ExactText($1.name), default: []].append(ExactText($1.value)) }
    }

    private static func joined(_ values: [ExactText]) -> String { values.map(\.text).joined(separator: ", ") }

    /// A text that is the same for queries with equal items, in whatever order they came; noise is left out.
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
