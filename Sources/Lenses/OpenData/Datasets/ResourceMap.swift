package import Traffic

/// The rows of a resource that exchanges brought, for a map.
package struct ResourceMap: Sendable {
    /// The rows that one exchange brought.
    private struct Page {
        let exchange: ExchangeID
        let rows: [RowGeometry]
        let extent: MapExtent?
    }

    package let resource: String
    /// The pages, by their first row's index in the resource.
    private var pages: [Int: Page] = [:]
    /// The count of the resource's rows; `nil` where the portal does not say.
    package private(set) var total: Int64?

    init(resource: String) { self.resource = resource }

    /// Adds a page; it replaces a page with the same start, unless that has more rows.
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

    /// The exchanges in the order of their rows, without those whose rows other exchanges brought too.
    package var exchanges: [ExchangeID] { parts.map(\.page.exchange) }

    /// The geometry of all rows together, each row counted once.
    package var geometry: RecordGeometry {
        var all = RecordGeometry()
        for part in parts {
            all.add(RecordGeometry(part.page.rows.dropFirst(part.known), extent: part.page.extent))
        }
        return all
    }

    /// The rows without a pin, by the reason.
    package var pinless: [PinlessRows] {
        var byReason: [PinlessRows.Reason: PinlessRows] = [:]
        func add(_ rows: ClosedRange<Int>, _ reason: PinlessRows.Reason) {
            byReason[reason, default: PinlessRows(reason)].add(rows)
        }
        var next = 1
        for part in parts {
            let first = part.start + part.known + 1
            if next < first { add(next...first - 1, .notAskedFor) }
            next = first
            for row in part.page.rows.dropFirst(part.known) {
                if let reason = row.pinless { add(next...next, reason) }
                next += 1
            }
        }
        if let total = total.flatMap({ Int(exactly: $0) }), next <= total { add(next...total, .notAskedFor) }
        return PinlessRows.Reason.allCases.compactMap { byReason[$0] }
    }

    /// The pages by their rows, each with the index of its first row, and how many of its first rows a page before it has: apps may ask again for rows.
    private var parts: [(page: Page, start: Int, known: Int)] {
        var parts: [(page: Page, start: Int, known: Int)] = []
        var position = 0
        for (start, page) in pages.sorted(by: { $0.key < $1.key }) {
            let known = max(0, position - start)
            guard known < page.rows.count else { continue }
            parts.append((page, start, known))
            position = start + page.rows.count
        }
        return parts
    }
}
