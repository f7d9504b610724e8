/// Says when bytes may pass so that no more than a rate comes of it, in the order in which they were asked for.
///
/// It counts a line that is in use until a moment: whoever asks gets the next stretch of it. A line that was idle gives one quantum of credit and no
/// more, so that an idle time never becomes a burst. Times are nanoseconds of a clock that the caller looks at.
package struct TokenBucket: Sendable {
    /// The stretch of the line that is given out at most at once: 10 ms.
    package static let quantum: Int64 = 10_000_000

    package let rate: ByteRate
    /// The moment until which the line is given out.
    private var busyUntil = Int64.min / 2

    package init(_ rate: ByteRate) { self.rate = rate }

    /// Bytes that pass in a quantum, at least 1.
    private var quantumBytes: Int { max(1, Int(rate.bytesPerSecond / 100)) }

    /// Gives out the next stretch of the line.
    ///
    /// - Parameters:
    ///   - wanted: bytes that wait, at least 1.
    ///   - ready: since when they wait.
    /// - Returns: how many of them have the stretch, at least 1, and when they may pass.
    package mutating func take(_ wanted: Int, ready: Int64) -> (count: Int, at: Int64) {
        let count = min(wanted, quantumBytes)
        busyUntil = max(busyUntil, ready - TokenBucket.quantum) + rate.nanoseconds(count)
        return (count, busyUntil)
    }

    /// Takes back a stretch that was given out and not used.
    package mutating func giveBack(_ count: Int) { busyUntil -= rate.nanoseconds(count) }
}
