import Synchronization

/// The lines of one throttle, by what shares each of them.
final class RateLines: Sendable {
    private struct Key: Hashable {
        let side: MessageSide
        let sharer: String
    }

    /// Lines that are kept though no exchange may use them any more.
    private static let limit = 1_024

    private let lines = Mutex<[Key: RateLine]>([:])

    /// The line of a direction for those that share it.
    ///
    /// - Parameters:
    ///   - side: the message whose bytes it carries.
    ///   - rate: its rate.
    ///   - sharer: names what shares the line.
    /// - Returns: the line, a new one where there is none yet.
    func line(_ side: MessageSide, _ rate: ByteRate, for sharer: String) -> RateLine {
        let key = Key(side: side, sharer: sharer)
        return lines.withLock { lines in
            if let known = lines[key] { return known }
            if lines.count >= RateLines.limit { RateLines.forgetUnused(&lines) }
            let line = RateLine(rate)
            lines[key] = line
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
