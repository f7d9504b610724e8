package import Traffic

extension TrafficStore {
    /// Where the exchanges that a filter selects are, by number and by time, without reading a row that a block answers for.
    ///
    /// - Parameters:
    ///   - filter: what to count.
    ///   - slots: slots of the strip at most; `nil` leaves the strip out.
    ///   - isStripWhole: whether the strip goes over the whole capture, past the filter's window of time.
    /// - Returns: the counts.
    /// - Throws: `StoreError`.
    package func overview(_ filter: Filter, slots: Int? = nil, isStripWhole: Bool = false) throws -> Overview {
        try read { db in
            let bounds = try StoreBounds(in: db, cache: self.cache)
            func strip(_ filter: Filter) -> TimeStrip? {
                let (earliest, latest) = (bounds.started?.lowerBound, bounds.started?.upperBound)
                return slots.map {
                    TimeStrip(
                        from: filter.since ?? earliest ?? 0,
                        to: filter.before ?? latest.map { $0 + 1 } ?? 0,
                        slots: $0
                    )
                }
            }
            var whole = filter
            (whole.since, whole.before) = (nil, nil)
            let isApart = isStripWhole && whole != filter
            let tally = OverviewTally(ids: bounds.ids, strip: isApart ? nil : strip(filter))
            let answer = try ExchangeQuery.overview(filter, tally, in: db, cache: self.cache, judge: self.judge)
            var drawn = answer.tally.strip
            if isApart {
                let beside = OverviewTally(ids: bounds.ids, strip: strip(whole), countsBuckets: false)
                let all = try ExchangeQuery.overview(whole, beside, in: db, cache: self.cache, judge: self.judge)
                drawn = all.tally.strip
            }
            return Overview(
                total: answer.total,
                matched: answer.matched,
                first: answer.tally.first,
                bucketSize: answer.tally.bucketSize,
                counts: answer.tally.counts,
                strip: drawn
            )
        }
    }
}
