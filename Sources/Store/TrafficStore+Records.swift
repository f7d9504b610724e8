package import Traffic

extension TrafficStore {
    /// Rows read at a time.
    private static var pageRows: Int { 1_000 }

    /// One exchange with its line; `nil` when it is not there, or was deleted.
    package func record(_ id: ExchangeID) throws -> ExchangeRecord? {
        guard let exchange = try exchange(id) else { return nil }
        return ExchangeRecord(exchange: exchange, summary: try summaries(of: [id]).first)
    }

    /// Walks the exchanges that a filter selects, oldest first, a stretch at a time, with a snapshot for each and none while `give` runs.
    ///
    /// A walk may take minutes, and `give` may write to a pipe that nobody reads: a snapshot held meanwhile would let the log grow without a
    /// bound. So each exchange is judged as it is when the walk comes to it, and is given once at most. An exchange that is deleted before is not
    /// given, nor is an exchange that is recorded after the beginning.
    ///
    /// - Parameters:
    ///   - filter: what to give.
    ///   - give: takes the numbers of a stretch, ascending, and how many exchanges were looked at for them; there may be none.
    /// - Returns: exchanges that were not given and were searched in part only (`Listing.searchedInPart`).
    /// - Throws: `StoreError`, and what `give` throws.
    @discardableResult
    func eachStretch(of filter: Filter, _ give: (_ ids: [ExchangeID], _ looked: Int) throws -> Void) throws -> Int {
        let last = try read(TrafficStore.lastID)
        var searchedInPart = 0
        var through: ExchangeID? = 0
        while let before = through, before < last {
            let stretch = try read { db in
                try ExchangeQuery.stretch(of: filter, after: before, in: db, cache: self.cache, judge: self.judge)
            }
            try give(stretch.ids.filter { $0 <= last }, stretch.looked)
            searchedInPart += stretch.searchedInPart
            through = stretch.through
        }
        return searchedInPart
    }

    /// Gives the line of each exchange that a filter selects, oldest first; see `eachStretch(of:_:)` for what becomes of a change meanwhile.
    ///
    /// - Returns: exchanges that were not given and were searched in part only (`Listing.searchedInPart`).
    /// - Throws: `StoreError`, and what `give` throws.
    @discardableResult
    package func eachSummary(_ filter: Filter, _ give: (ExchangeSummary) throws -> Void) throws -> Int {
        try eachStretch(of: filter) { ids, _ in try eachSummary(of: ids, give) }
    }

    /// Gives the line of each exchange that a filter selects, as `eachSummary(_:_:)` does, and tells how far the walk is.
    ///
    /// - Parameters:
    ///   - filter: what to give.
    ///   - tell: takes how many exchanges were looked at and how many there are: before the first, after each that was given, and after each stretch.
    ///   - give: takes the line of an exchange.
    /// - Returns: exchanges that were not given and were searched in part only (`Listing.searchedInPart`).
    /// - Throws: `StoreError`, and what `tell` and `give` throw.
    package func eachSummary(
        _ filter: Filter,
        telling tell: (_ looked: Int, _ total: Int) throws -> Void,
        _ give: (ExchangeSummary) throws -> Void
    ) throws -> Int {
        let total = try list(ListingQuery(filter: Filter(), limit: 0, countsFacets: false)).total
        var before = 0
        try tell(0, total)
        return try eachStretch(of: filter) { ids, looked in
            var given = 0
            try eachSummary(of: ids) { row in
                try give(row)
                given += 1
                // What is looked at to find the exchanges of a stretch is spread over them, so that the number grows with the work.
                try tell(min(total, before + looked * given / ids.count), total)
            }
            before += looked
            try tell(min(total, before), total)
        }
    }

    /// Gives the line of each of these exchanges; exchanges that are gone are left out.
    ///
    /// - Throws: `StoreError`, and what `give` throws.
    package func eachSummary(of ids: [ExchangeID], _ give: (ExchangeSummary) throws -> Void) throws {
        var rest = ids[...]
        while !rest.isEmpty {
            for row in try summaries(of: Array(rest.prefix(TrafficStore.pageRows))) {
                // `give` may take long.
                try Task.checkCancellation()
                try give(row)
            }
            rest = rest.dropFirst(TrafficStore.pageRows)
        }
    }
}
