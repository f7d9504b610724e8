import Archive
import Store
import Traffic

/// What `inspect ls` shows: a page of the matching rows, and on a terminal how many match.
struct ListReport: RowReport {
    let store: TrafficStore
    /// Selects the page, and counts no categories.
    let query: ListingQuery

    /// Writes one object with everything counted; see `ListingJSON`.
    func write(to json: inout JSONWriter, handOn: (inout JSONWriter) throws -> Void) throws {
        var query = query
        query.countsFacets = true
        ListingJSON.write(try Progress.counting { try store.list(query, progress: $0) }, to: &json)
    }

    func eachRow(_ give: ([UInt8]) throws -> Void) throws {
        for row in try store.page(query).exchanges { try give(ListingJSON.line(row)) }
    }

    /// Writes the rows, which need nothing counted, at once, and for a person the numbers after them.
    func print(to console: Console) throws {
        let lines = ListingLines(layout: console.layout)
        let rows = try store.page(query)
        try lines.eachRow(rows.exchanges) { line, _ in try console.line(line) }
        guard console.isTerminal else { return }
        try console.flush()
        var query = query
        query.limit = 0
        var counted = try Progress.counting { try store.list(query, progress: $0) }
        (counted.exchanges, counted.next) = (rows.exchanges, rows.next)
        let sentence = query.filter.isEmpty ? nil : query.filter.sentence
        for line in lines.summary(counted, sentence: sentence) { try console.line(line) }
    }
}
