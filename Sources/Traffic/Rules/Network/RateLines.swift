import Synchronization

/// The lines of one throttle, by what shares each of them.
final class RateLines: Sendable {
    private struct Key: Hashable {
        let side: MessageSide
        let sharer: String
    }

    private struct Known {
        var lines: [Key: RateLine] = [:]
        /// Lines that are kept before those are looked for that no exchange uses any more: twice as many as were in use the last time, so that a
        /// new line costs the same however many there are.
        var limit = leastLimit
    }

    /// As many are kept in any case.
    private static let leastLimit = 1_024

    private let known = Mutex(Known())

    /// The line of a direction for those that share it.
    ///
    /// - Parameters:
    ///   - side: the message whose bytes it carries.
    ///   - rate: its rate.
    ///   - sharer: names what shares the line.
    /// - Returns: the line, a new one where there is none yet.
    func line(_ side: MessageSide, _ rate: ByteRate, for sharer: String) -> RateLine {
        let key = Key(side: side, sharer: sharer)
        return known.withLock { known in
            if let line = known.lines[key] { return line }
            if known.lines.count >= known.limit {
                RateLines.forgetUnused(&known.lines)
                known.limit = max(RateLines.leastLimit, 2 * known.lines.count)
            }
            let line = RateLine(rate)
            known.lines[key] = line
            return line
        }
    }

    /// Forgets the lines that no exchange uses: a new one carries as much.
    private static func forgetUnused(_ lines: inout [Key: RateLine]) {
        for key in Array(lines.keys) {
            var line = lines.removeValue(forKey: key)
            if !isKnownUniquelyReferenced(&line) { lines[key] = line }
        }
    }
}
