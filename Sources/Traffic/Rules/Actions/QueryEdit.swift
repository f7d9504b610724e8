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
    ///
    /// - Throws: `RuleFault` where that takes too much work.
    func apply(
        to target: String,
        _ scope: inout TemplateScope
    ) throws(RuleFault) -> (target: String, changes: [EditChange]) {
        guard !isEmpty else { return (target, []) }
        let (path, query) = QueryString.split(target)
        var items = try QueryEdit.items(of: query.map(String.init) ?? "", &scope)
        var changes: [EditChange] = []
        for pattern in remove {
            try items.remove(pattern, &scope.nameWork) { name, item in
                changes.append(EditChange("query \(name)", from: item, to: nil))
            }
        }
        for item in set {
            let written = QueryEdit.written(item, &scope)
            let (before, count) = items.set(item.name, to: written)
            if before.map({ ExactText($0) }) != ExactText(written) || count > 1 {
                changes.append(EditChange("query \(item.name)", from: before, to: written))
            }
        }
        for item in add {
            let written = QueryEdit.written(item, &scope)
            items.add(item.name, written)
            changes.append(EditChange("query \(item.name)", from: nil, to: written))
        }
        guard !changes.isEmpty else { return (target, []) }
        let text = items.left.joined(separator: "&")
        scope.query = (text, items)
        return (items.left.isEmpty ? String(path) : "\(path)?\(text)", changes)
    }

    /// The items of a query, which is read where it is another than the one that a rule left last.
    private static func items(
        of query: String,
        _ scope: inout TemplateScope
    ) throws(RuleFault) -> NamedItems<String> {
        guard !query.isEmpty else { return NamedItems([], name: QueryEdit.name) }
        if let known = scope.query, known.text.utf8.elementsEqual(query.utf8) { return known.items }
        let parts = QueryString.parts(query[...]).map(String.init)
        guard scope.queryWork.read(parts.count * NamedItems<String>.itemWork) else { throw QueryEdit.tooMuch }
        let items = NamedItems(parts, name: QueryEdit.name)
        scope.query = (query, items)
        return items
    }

    /// The name of an item as it stands in a query, decoded.
    private static func name(_ item: String) -> [UInt8] {
        PercentCoding.decoded(QueryString.pair(item[...]).name.utf8)
    }

    private static let tooMuch = RuleFault("to read the query again and again takes too much work on this request")

    private static func written(_ item: Item, _ scope: inout TemplateScope) -> String {
        let value = scope.text(item.value, in: .coded)
        let parts = [item.name, value].map { PercentCoding.encoded($0.utf8, keeping: .queryPart) }
        let written = parts.joined(separator: "=")
        return scope.take(written.utf8.count - value.utf8.count) ? written : ""
    }
}
