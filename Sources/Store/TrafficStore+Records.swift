import Traffic

extension TrafficStore {
    /// Rows read at a time.
    private static var pageRows: Int { 1_000 }

    /// One exchange with its line; `nil` when it is not there (any more).
    package func record(_ id: ExchangeID) throws -> ExchangeRecord? {
        guard let exchange = try exchange(id) else { return nil }
        return ExchangeRecord(exchange: exchange, summary: try summaries(of: [id]).first)
    }

    /// Gives the line of each exchange that a filter selects now, oldest first.
    ///
    /// - Throws: `StoreError`, and what `give` throws.
    package func eachSummary(_ filter: Filter, _ give: (ExchangeSummary) throws -> Void) throws {
        try eachSummary(of: ids(filter), give)
    }

    /// Gives the line of each of these exchanges; one that is gone is left out.
    ///
    /// - Throws: `StoreError`, and what `give` throws.
    package func eachSummary(of ids: [ExchangeID], _ give: (ExchangeSummary) throws -> Void) throws {
        var rest = ids[...]
        while !rest.isEmpty {
            for row in try summaries(of: Array(rest.prefix(TrafficStore.pageRows))) {
                // What is done with one may take long.
                try Task.checkCancellation()
                try give(row)
            }
            rest = rest.dropFirst(TrafficStore.pageRows)
        }
    }
}
