import Traffic

/// The pairs of a URL's query, in order, as text and decoded (application/x-www-form-urlencoded, URL §5.1).
struct QueryItems: Sendable {
    /// One pair: as it stood, and decoded.
    struct Item: Sendable {
        let text: Substring
        let name: String
        let value: String
    }

    let items: [Item]

    /// Reads a query without its question mark; what is not valid percent-encoding stands for itself.
    init(_ query: String) {
        items = query.split(separator: "&").map { pair in
            let cut = pair.firstIndex(of: "=") ?? pair.endIndex
            let value = cut < pair.endIndex ? pair[pair.index(after: cut)...] : ""
            return Item(text: pair, name: PercentCoding.text(pair[..<cut]), value: PercentCoding.text(value))
        }
    }

    private init(items: [Item]) { self.items = items }

    /// The value of the first pair of this name.
    func first(_ name: String) -> String? { items.first { $0.name == name }?.value }

    /// The query without the pairs of this name.
    func removing(_ name: String) -> QueryItems { filter { $0.name != name } }

    /// The query with the pairs that are wanted.
    func filter(_ isWanted: (Item) -> Bool) -> QueryItems { QueryItems(items: items.filter(isWanted)) }

    /// The query with the value of each pair of a name as `change` makes it.
    func mapping(_ name: String, _ change: (String) throws -> String) rethrows -> QueryItems {
        QueryItems(
            items: try items.map { item in
                item.name == name ? Item(text: item.text, name: name, value: try change(item.value)) : item
            }
        )
    }

    /// The query as it stood.
    var text: String { items.map(\.text).joined(separator: "&") }
}
