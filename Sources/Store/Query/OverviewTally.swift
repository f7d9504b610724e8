import Traffic

/// Counts the exchanges that a filter selects by number and by time: blocks by their columns, rows one by one.
struct OverviewTally {
    /// Buckets that there are at most.
    static let bucketLimit: Int64 = 4096
    /// Numbers of a bucket at least, so that a million exchanges have 3,907 of them.
    static let bucketLeast: Int64 = 256

    /// The number at which the first bucket begins.
    let first: ExchangeID
    /// Numbers of a bucket, as a power of two.
    private let shift: Int
    /// How many are selected in each bucket.
    private(set) var counts: [Int]
    private(set) var strip: TimeStrip?
    private let countsBuckets: Bool

    /// Numbers of a bucket.
    var bucketSize: Int64 { 1 << Int64(shift) }

    /// - Parameters:
    ///   - ids: the numbers of the oldest and the newest exchange; `nil` where there is none.
    ///   - strip: where to count by time; `nil` counts by number only.
    ///   - countsBuckets: whether to count by number.
    init(ids: ClosedRange<ExchangeID>?, strip: TimeStrip?, countsBuckets: Bool = true) {
        var shift = OverviewTally.bucketLeast.trailingZeroBitCount
        guard let ids else {
            (first, self.shift, counts, self.strip, self.countsBuckets) = (1, shift, [], strip, countsBuckets)
            return
        }
        func bucket(_ id: ExchangeID) -> Int64 { (id - 1) >> Int64(shift) }
        while bucket(ids.upperBound) - bucket(ids.lowerBound) >= OverviewTally.bucketLimit { shift += 1 }
        first = bucket(ids.lowerBound) << Int64(shift) + 1
        counts = Array(repeating: 0, count: Int(bucket(ids.upperBound) - bucket(ids.lowerBound)) + 1)
        (self.shift, self.strip, self.countsBuckets) = (shift, strip, countsBuckets)
    }

    /// Counts one exchange.
    mutating func add(_ exchange: ExchangeSummary) {
        count(exchange.id)
        strip?.add(started: exchange.started, StripKind(exchange.outcome, code: exchange.code))
    }

    private mutating func count(_ id: ExchangeID) {
        let bucket = Int((id - first) >> Int64(shift))
        if countsBuckets, counts.indices.contains(bucket) { counts[bucket] += 1 }
    }

    /// Counts the selected exchanges of a block.
    ///
    /// - Parameters:
    ///   - block: the block.
    ///   - selected: what the filter selects of it.
    ///   - starts: reads when its exchanges started; called only where exchanges are counted by time.
    mutating func add(_ block: FacetBlock, _ selected: FacetTally.Selected, starts: () throws -> [Int64]) rethrows {
        if case .none = selected { return }
        let firstID = block.firstID
        switch selected {
        case .none: break
        case .all: for offset in block.offsets { count(firstID + ExchangeID(offset)) }
        case .some(let rows): for row in rows { count(firstID + ExchangeID(block.offsets[row])) }
        }
        guard strip != nil, let kinds = StripKinds(block) else { return }
        let starts = try starts()
        switch selected {
        case .none: break
        case .all: for row in block.offsets.indices { strip?.add(started: starts[row], kinds[row]) }
        case .some(let rows): for row in rows { strip?.add(started: starts[row], kinds[row]) }
        }
    }

    /// The kinds of a block's exchanges, by their position in it.
    private struct StripKinds {
        private let outcomes: FacetBlock.Column
        private let codes: FacetBlock.Column
        /// By outcome; `nil` where the code says it.
        private let byOutcome: [StripKind?]
        private let byCode: [StripKind]

        init?(_ block: FacetBlock) {
            guard let outcome = Facet.all.firstIndex(of: .outcome), let code = Facet.all.firstIndex(of: .code) else {
                return nil
            }
            (outcomes, codes) = (block.columns[outcome], block.columns[code])
            byOutcome = outcomes.values.map { text in
                let outcome = Outcome(rawValue: text) ?? .completed
                return outcome == .completed ? nil : StripKind(outcome, code: nil)
            }
            byCode = codes.values.map { StripKind(code: Int($0)) }
        }

        subscript(_ row: Int) -> StripKind {
            byOutcome[outcomes.codes.isEmpty ? 0 : Int(outcomes.codes[row])]
                ?? byCode[codes.codes.isEmpty ? 0 : Int(codes.codes[row])]
        }
    }
}
