/// Counts and measures of some exchanges: how many there are, how many succeeded, bytes and times.
package struct TrafficFigures: Sendable {
    /// All exchanges, whatever their outcome.
    package private(set) var count = 0
    /// Exchanges that were answered whole with a code below 400.
    package private(set) var succeeded = 0
    /// Exchanges that went wrong, by how.
    private var failures: [FailureKind: Int] = [:]
    /// Exchanges whose client went away.
    package private(set) var cancelled = 0
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
        if let kind = row.failureKind {
            failures[kind, default: 0] += 1
        } else if row.outcome == .completed {
            succeeded += 1
        } else if row.outcome == .cancelled {
            cancelled += 1
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
        cancelled += other.cancelled
        failures.merge(other.failures) { $0 + $1 }
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

    /// How many exchanges went wrong in one way.
    package func count(_ kind: FailureKind) -> Int { failures[kind] ?? 0 }

    /// Exchanges that failed: without an answer, or cut off in it.
    package var failed: Int { count(.noAnswer) + count(.cutOff) }

    /// The share of succeeded among succeeded, failed and those with an error status, 0 to 1; `nil` where there are none of these.
    package var successRate: Double? {
        let judged = succeeded + failed + count(.errorStatus)
        return judged == 0 ? nil : Double(succeeded) / Double(judged)
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
