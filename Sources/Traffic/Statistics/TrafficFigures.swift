/// Counts and measures of some exchanges: how many there are, how many succeeded, bytes and times.
package struct TrafficFigures: Sendable {
    /// All exchanges, whatever their outcome.
    package private(set) var count = 0
    /// Exchanges that were answered whole with a code below 400.
    package private(set) var succeeded = 0
    /// Exchanges that failed or were answered with a code of 400 or more.
    package private(set) var failed = 0
    /// Bytes of the requests' bodies, as on the wire.
    package private(set) var requestBytes: Int64 = 0
    /// Bytes of the responses' bodies, as on the wire.
    package private(set) var responseBytes: Int64 = 0
    /// The microseconds of each exchange that has ended, tunnels and WebSockets aside; eight bytes each.
    private var durations: [Int64] = []

    package init() {}

    /// Counts one exchange.
    package mutating func add(_ row: ExchangeSummary) {
        count += 1
        requestBytes = TrafficFigures.sum(requestBytes, row.requestBytes)
        responseBytes = TrafficFigures.sum(responseBytes, row.responseBytes)
        if row.outcome == .failed || row.code.map({ $0 >= 400 }) == true {
            failed += 1
        } else if row.outcome == .completed {
            succeeded += 1
        }
        if let duration = row.duration, TrafficFigures.isTimed(row) { durations.append(duration) }
    }

    /// Whether its time says how fast an answer was; the time of a tunnel or a WebSocket says how long it was open.
    package static func isTimed(_ row: ExchangeSummary) -> Bool {
        row.outcome != .tunnelled && row.version != .webSocket
    }

    /// Adds the figures of others.
    mutating func join(_ other: TrafficFigures) {
        count += other.count
        succeeded += other.succeeded
        failed += other.failed
        requestBytes = TrafficFigures.sum(requestBytes, other.requestBytes)
        responseBytes = TrafficFigures.sum(responseBytes, other.responseBytes)
        durations += other.durations
    }

    /// The sum of two counts of bytes, at most the greatest number: a store may say any.
    private static func sum(_ one: Int64, _ other: Int64) -> Int64 {
        let (sum, isBeyond) = one.addingReportingOverflow(other)
        return isBeyond ? .max : sum
    }

    /// How many times were measured.
    package var timed: Int { durations.count }

    /// The share of succeeded among succeeded and failed exchanges, 0 to 1; `nil` where there is neither.
    package var successRate: Double? {
        succeeded + failed == 0 ? nil : Double(succeeded) / Double(succeeded + failed)
    }

    /// The percentiles of the times, in microseconds; `nil` where nothing was timed.
    ///
    /// They go by nearest rank: each is a measured time, never one in between.
    package func percentiles(_ parts: [Int]) -> [Int64]? {
        guard !durations.isEmpty else { return nil }
        let sorted = durations.sorted()
        return parts.map { part in
            let rank = (sorted.count * min(100, max(0, part)) + 99) / 100
            return sorted[max(0, min(sorted.count, rank) - 1)]
        }
    }
}
