import Lenses
import Store
import Traffic

/// A check of all exchanges that a filter selects, answered as a whole or with lines on how far it is.
struct CheckAnswer: Sendable {
    let filter: Filter
    let rules: RuleSelection
    /// Findings of each rule that are told.
    let shownLimit: Int
    /// Whether notices fail too.
    let isStrict: Bool
    /// The time between two lines.
    let interval: Duration
    let clock: TimeSource

    /// What `inspect check --json` prints.
    func bytes(in store: TrafficStore) throws -> [UInt8] { try bytes(in: store) { _, _, _ in } }

    /// Writes a line of JSON at once and then now and then, which says how far the check is and what it has found so far, and at last the whole check or
    /// an error.
    ///
    /// - Parameters:
    ///   - store: where the exchanges are.
    ///   - write: takes each line; takes no bytes at every exchange, and throws when the asker has left.
    /// - Throws: what `write` throws, `CancellationError`.
    func write(in store: TrafficStore, _ write: ([UInt8]) throws -> Void) throws {
        var last: Duration?
        do {
            let whole = try bytes(in: store) { run, looked, total in
                let now = clock.uptime
                if let last, now - last < interval { return try write([]) }
                last = now
                try write(run.progress(looked: looked, total: total))
            }
            try write(whole)
        } catch let error as StoreError {
            try write(CountingAnswer.line { $0.string("error", WebFailure(error).sentence) })
        }
    }

    private func bytes(
        in store: TrafficStore,
        telling tell: (_ run: CheckRun, _ looked: Int, _ total: Int) throws -> Void
    ) throws -> [UInt8] {
        var run = CheckRun(selects: rules.includes, document: nil, shownLimit: shownLimit)
        run.searchedInPart = try store.eachSummary(filter, telling: { try tell(run, $0, $1) }) { row in
            guard let exchange = try store.exchange(row.id) else { return }
            let record = ExchangeRecord(exchange: exchange, summary: row)
            let capture = try run.capture(record, source: store.body)
            try run.add(capture) { id in try store.record(id).map { try Capture($0, source: store.body) } }
        }
        return run.json(title: filter.isEmpty ? "all exchanges" : filter.sentence, isStrict: isStrict)
    }
}
