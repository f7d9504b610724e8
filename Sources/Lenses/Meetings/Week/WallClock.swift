package import Foundation
import Traffic

/// The clock of a time zone, in whole seconds.
///
/// A moment counts from 1970-01-01 UTC, a wall time from the zone's own midnight of 1970-01-01.
package struct WallClock: Sendable {
    package let zone: TimeZone

    package init(_ zone: TimeZone) { self.zone = zone }

    /// Seconds that the wall clock is ahead of UTC at a moment.
    package func offset(at seconds: Int) -> Int {
        zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(seconds)))
    }

    /// The wall time at a moment.
    package func wall(at seconds: Int) -> Int { seconds + offset(at: seconds) }

    /// The moment of a wall time.
    ///
    /// A wall time that comes twice stands for the first. A wall time that is skipped is read by the offset before the gap, so it comes as much
    /// later as the gap is long (RFC 5545 §3.3.5).
    package func moment(of wall: Int) -> Int {
        let before = offset(at: wall - 86_400 - offset(at: wall))
        let first = wall - before
        if offset(at: first) == before { return first }
        let after = offset(at: wall + 86_400 - before)
        let second = wall - after
        return offset(at: second) == after ? second : first
    }

    /// The day of a wall time: 1 is Sunday, 7 Saturday.
    package static func weekday(of wall: Int) -> Int {
        let day = Int((Double(wall) / 86_400).rounded(.down))
        // 1970-01-01 was a Thursday.
        return (((day + 4) % 7) + 7) % 7 + 1
    }

    /// Seconds after midnight of a wall time.
    package static func secondsOfDay(_ wall: Int) -> Int { ((wall % 86_400) + 86_400) % 86_400 }

    /// The hours times 100 plus minutes of a wall time, the form in which the app keeps times of day.
    package static func clock(_ wall: Int) -> Int {
        let minutes = secondsOfDay(wall) / 60
        return minutes / 60 * 100 + minutes % 60
    }
}

extension WallClock {
    /// A moment by the wall clock, with the offset from UTC (RFC 3339): `2026-09-19T07:30:00-04:00`.
    package func rfc3339(at seconds: Int) -> String {
        let offset = offset(at: seconds)
        let (shifted, isBeyond) = (seconds + offset).multipliedReportingOverflow(by: 1_000_000)
        let text = Timestamp.text(microseconds: isBeyond ? 0 : Int64(shifted)).prefix(19)
        let minutes = abs(offset) / 60
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return "\(text)\(offset < 0 ? "-" : "+")\(two(minutes / 60)):\(two(minutes % 60))"
    }
}
