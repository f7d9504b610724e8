package import Foundation

/// The wall clock of a time zone near a moment: turns moments into days and times of day, and back, without asking the calendar each time.
package struct CampusClock: Sendable {
    /// Days on both sides of the moment whose clock changes are kept; beyond them the zone is asked.
    private static let knownDays = 40.0

    /// The name of the zone of the campus that What's Open is about.
    package static let usualZone = "America/New_York"

    package let zone: TimeZone
    private let known: ClosedRange<Double>
    private let firstOffset: Int
    /// The clock changes in those days, in order: seconds since 1970, and the offset from then on.
    private let changes: [(at: Double, offset: Int)]

    /// Makes a clock for moments near one.
    package init(_ zone: TimeZone, around now: Date) {
        self.zone = zone
        let middle = now.timeIntervalSince1970
        let day = Double(OpeningEntry.daySeconds)
        known = middle - Self.knownDays * day...middle + Self.knownDays * day
        func offset(_ time: Double) -> Int { zone.secondsFromGMT(for: Date(timeIntervalSince1970: time)) }
        var time = known.lowerBound.rounded(.down)
        var last = offset(time)
        firstOffset = last
        var changes: [(at: Double, offset: Int)] = []
        while time < known.upperBound {
            let next = time + day
            let new = offset(next)
            if new != last {
                var (low, high) = (time, next)
                while high - low > 1 {
                    let middle = ((low + high) / 2).rounded(.down)
                    if offset(middle) == last { low = middle } else { high = middle }
                }
                changes.append((high, new))
                last = new
            }
            time = next
        }
        self.changes = changes
    }

    /// Seconds that the wall clock is ahead of UTC.
    private func offset(_ time: Double) -> Int {
        guard known.contains(time) else { return zone.secondsFromGMT(for: Date(timeIntervalSince1970: time)) }
        return changes.last { $0.at <= time }?.offset ?? firstOffset
    }

    /// The wall clock's day and time at a moment.
    package func local(_ date: Date) -> LocalMoment {
        let time = min(max(date.timeIntervalSince1970, -1e11), 1e12)
        let whole = time.rounded(.down)
        let offset = offset(time)
        let seconds = Int(whole) + offset
        let day = Int((Double(seconds) / Double(OpeningEntry.daySeconds)).rounded(.down))
        return LocalMoment(
            date: date,
            day: day,
            second: seconds - day * OpeningEntry.daySeconds,
            offset: offset,
            fraction: time - whole
        )
    }

    /// The moment at which the wall clock shows a time of a day.
    ///
    /// A time that a clock change skips stands for the moment of the change; a time that comes twice stands for the first.
    ///
    /// - Parameters:
    ///   - day: days since 1970-01-01.
    ///   - second: seconds since midnight, 86,400 and more for days after.
    /// - Returns: the moment.
    package func date(day: Int, second: Int = 0) -> Date {
        let wall = Double(day * OpeningEntry.daySeconds + second)
        let margin = Double(OpeningEntry.daySeconds)
        let before = offset(wall - margin)
        let after = offset(wall + margin)
        let first = wall - Double(before)
        guard before != after, let change = change(between: wall - margin, and: wall + margin) else {
            return Date(timeIntervalSince1970: first)
        }
        if first < change { return Date(timeIntervalSince1970: first) }
        let second = wall - Double(after)
        return Date(timeIntervalSince1970: max(second, change))
    }

    /// The clock change on a local day: when, and by how many seconds the clock moves; `nil` on most days.
    package func change(on day: Int) -> (at: Date, seconds: Int)? {
        let start = date(day: day)
        let end = date(day: day + 1)
        let moved = offset(end.timeIntervalSince1970) - offset(start.timeIntervalSince1970)
        guard moved != 0, let at = change(between: start.timeIntervalSince1970, and: end.timeIntervalSince1970) else {
            return nil
        }
        return (Date(timeIntervalSince1970: at), moved)
    }

    /// The time at which the offset changes between two times whose offsets differ.
    private func change(between first: Double, and last: Double) -> Double? {
        if let known = changes.last(where: { first < $0.at && $0.at <= last }) { return known.at }
        let offset = { (time: Double) in zone.secondsFromGMT(for: Date(timeIntervalSince1970: time)) }
        var (low, high) = (first.rounded(.down), last.rounded(.up))
        let old = offset(low)
        guard offset(high) != old else { return nil }
        while high - low > 1 {
            let middle = ((low + high) / 2).rounded(.down)
            if offset(middle) == old { low = middle } else { high = middle }
        }
        return high
    }
}
