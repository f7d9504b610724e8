/// When each of many replays is due.
package struct ReplaySchedule: Sendable {
    /// How they are spaced.
    package enum Pace: Hashable, Sendable {
        /// Each as soon as there is room.
        case free
        /// So many a second.
        case rate(Double)
        /// As far apart as they were recorded.
        case asRecorded
    }

    /// A delay beyond which no time is made up: a burst after a standstill is not the rate asked for.
    private static let patience: Duration = .seconds(1)

    private let pace: Pace
    private var count = 0
    /// What was lost in standstills.
    private var lost: Duration = .zero
    /// The recorded start of the first.
    private var first: Int64?

    package init(_ pace: Pace) { self.pace = pace }

    /// How long after the first one the next is due.
    ///
    /// - Parameters:
    ///   - recorded: when it was recorded: microseconds since 1970.
    ///   - now: how long after the first one it is now.
    /// - Returns: how long after the first one it is due; in the past where it is due at once.
    package mutating func next(recorded: Int64, now: Duration) -> Duration {
        defer { count += 1 }
        let ideal: Duration
        switch pace {
        case .free: return now
        case .rate(let rate): ideal = .seconds(Double(count) / rate)
        case .asRecorded:
            let start = first ?? recorded
            first = start
            ideal = .microseconds(max(0, recorded - start))
        }
        if now - (ideal + lost) > ReplaySchedule.patience { lost = now - ideal }
        return ideal + lost
    }
}
