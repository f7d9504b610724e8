import Traffic

/// What exchanges brought of a resource's rows, for its map.
package struct ResourceMap: Sendable {
    package let resource: String
    /// Where in the resource each page starts, with what it had.
    private var pages: [Int: (exchange: ExchangeID, geometry: RecordGeometry)] = [:]
    /// Rows that the resource has, where the portal says.
    package private(set) var total: Int64?

    init(resource: String) { self.resource = resource }

    /// Adds a page; one that starts where another did takes its place.
    mutating func add(_ result: JSONValue, start: Int, exchange: ExchangeID) {
        pages[start] = (exchange, RecordGeometry(records: result["records"]?.elements ?? []))
        total = result["total"]?.integer ?? total
    }

    /// The exchanges, by the rows that they brought.
    package var exchanges: [ExchangeID] { pages.sorted { $0.key < $1.key }.map(\.value.exchange) }

    /// All rows' geometry together.
    package var geometry: RecordGeometry {
        var all = RecordGeometry()
        for page in pages.sorted(by: { $0.key < $1.key }) { all.add(page.value.geometry) }
        return all
    }
}
