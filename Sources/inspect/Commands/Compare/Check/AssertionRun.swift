import Traffic

/// Checks assertions against the exchanges that a filter selects.
struct AssertionRun {
    /// One assertion with its result.
    struct Result {
        let assertion: Assertion
        /// What was measured; `nil` where nothing was timed.
        let value: Int64?
        let holds: Bool
        /// Exchanges that speak against it: the newest, or the slowest for times.
        var offenders: [ExchangeSummary] = []
        /// How many exchanges speak against it, listed or not.
        var offenderCount = 0
    }

    private let assertions: [Assertion]
    private let rowLimit: Int

    /// - Parameters:
    ///   - assertions: what must hold.
    ///   - rowLimit: exchanges that are kept for each failed assertion.
    init(_ assertions: [Assertion], rowLimit: Int) {
        self.assertions = assertions
        self.rowLimit = rowLimit
    }

    /// Measures, and reads the exchanges again for those that speak against a failed assertion.
    ///
    /// - Returns: the results, and how many exchanges were not counted and were searched in part only.
    /// - Throws: `StoreError`.
    func results(of filter: Filter, in reader: ExchangeReader) throws -> (all: [Result], searchedInPart: Int) {
        var figures = TrafficFigures()
        let searchedInPart = try reader.each(filter) { figures.add($0) }
        var results = assertions.map {
            Result(assertion: $0, value: $0.value(of: figures), holds: $0.holds(for: figures))
        }
        guard results.contains(where: { !$0.holds }) else { return (results, searchedInPart) }
        try reader.each(filter) { row in
            for index in results.indices where !results[index].holds {
                guard results[index].assertion.isOffended(by: row, of: figures) else { continue }
                results[index].offenderCount += 1
                insert(row, into: &results[index])
            }
        }
        return (results, searchedInPart)
    }

    /// Keeps the newest, or for times the slowest, first.
    private func insert(_ row: ExchangeSummary, into result: inout Result) {
        let isCount = result.assertion.measure == .count
        let measure = { (row: ExchangeSummary) in isCount ? row.id : row.duration ?? 0 }
        if result.offenders.count == rowLimit, let last = result.offenders.last, measure(last) >= measure(row) {
            return
        }
        let place = result.offenders.firstIndex { measure($0) < measure(row) } ?? result.offenders.count
        result.offenders.insert(row, at: place)
        if result.offenders.count > rowLimit { result.offenders.removeLast() }
    }
}
