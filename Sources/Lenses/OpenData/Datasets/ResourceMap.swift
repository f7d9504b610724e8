import Traffic

/// What exchanges brought of a resource's rows, for its map.
package struct ResourceMap: Sendable {
    /// Rows that one exchange brought.
    private struct Page {
        let exchange: ExchangeID
        let rows: [RowGeometry]
        let extent: MapExtent?
    }

    package let resource: String
    /// By where in the resource they start.
    private var pages: [Int: Page] = [:]
    /// Rows that the resource has, where the portal says.
    package private(set) var total: Int64?

    init(resource: String) { self.resource = resource }

    /// Adds a page; one that starts where another did takes its place, unless it has fewer rows.
    mutating func add(_ result: JSONValue, start: Int, exchange: ExchangeID) {
        total = result["total"]?.integer ?? total
        let records = result["records"]?.elements ?? []
        if let known = pages[start], known.rows.count > records.count { return }
        var rows: [RowGeometry] = []
        var extent: MapExtent?
        for record in records {
            let (row, own) = RowGeometry.read(record)
            rows.append(row)
            extent = MapExtent.union(extent, own)
        }
        pages[start] = Page(exchange: exchange, rows: rows, extent: extent)
    }

    /// The exchanges, by the rows that they brought; one that brought none that another did not is left out.
    package var exchanges: [ExchangeID] { parts.map(\.page.exchange) }

    /// All rows' geometry together, each row once.
    package var geometry: RecordGeometry {
        var all = RecordGeometry()
        for part in parts {
            all.add(RecordGeometry(part.page.rows.dropFirst(part.known), extent: part.page.extent))
        }
        return all
    }

    /// The pages by their rows, each with how many of its first rows are on a page before it: apps may ask for rows that they have.
    private var parts: [(page: Page, known: Int)] {
        var parts: [(page: Page, known: Int)] = []
        var position = 0
        for (start, page) in pages.sorted(by: { $0.key < $1.key }) {
            let known = max(0, position - start)
            guard known < page.rows.count else { continue }
            parts.append((page, known))
            position = start + page.rows.count
        }
        return parts
    }
}
