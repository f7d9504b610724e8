/// The changes to a query: remove, set, add, in this order; every other item keeps its bytes and its place.
package struct QueryEdit: Hashable, Sendable {
    /// An item to write; name and value are not encoded yet.
    package struct Item: Hashable, Sendable {
        package var name: String
        package var value: Template
    }

    package var remove: [NameGlob] = []
    /// Each replaces the first of its name; others of that name are removed.
    package var set: [Item] = []
    package var add: [Item] = []

    package init() {}

    package var isEmpty: Bool { self == QueryEdit() }

    /// Whether the request's body is needed first.
    var needsBody: Bool { (set + add).contains { $0.value.needsBody } }

    /// A target with the edits made.
    func apply(to target: String, _ scope: inout TemplateScope) -> (target: String, changes: [EditChange]) {
        let (path, query) = QueryString.split(target)
        var items = (query ?? "").isEmpty ? [] : QueryString.parts(query ?? "").map(String.init)
        var changes: [EditChange] = []
        for pattern in remove {
            items.removeAll { item in
                guard pattern.matches(QueryEdit.name(item)) else { return false }
                changes.append(EditChange("query \(QueryEdit.name(item))", from: item, to: nil))
                return true
            }
        }
        for item in set {
            let written = QueryEdit.written(item, &scope)
            let place = items.firstIndex { QueryEdit.name($0) == item.name }
            let before = place.map { items[$0] }
            let count = items.count
            items.removeAll { QueryEdit.name($0) == item.name }
            items.insert(written, at: min(place ?? items.count, items.count))
            if before != written || count != items.count {
                changes.append(EditChange("query \(item.name)", from: before, to: written))
            }
        }
        for item in add {
            let written = QueryEdit.written(item, &scope)
            items.append(written)
            changes.append(EditChange("query \(item.name)", from: nil, to: written))
        }
        guard !changes.isEmpty else { return (target, []) }
        return (items.isEmpty ? String(path) : "\(path)?\(items.joined(separator: "&"))", changes)
    }

    /// The name of an item as it stands in a query, decoded.
    private static func name(_ item: String) -> String {
        ByteText.lossless(PercentCoding.decoded(QueryString.pair(item[...]).name.utf8))
    }

    private static func written(_ item: Item, _ scope: inout TemplateScope) -> String {
        let value = scope.text(item.value)
        return [item.name, value].map { PercentCoding.encoded($0.utf8, keeping: .queryPart) }.joined(separator: "=")
    }
}
