package import Foundation

/// The time on the campus of the dining halls: America/Los_Angeles, whatever this machine's zone is.
package enum CampusTime {
    package static let zone = TimeZone(identifier: "America/Los_Angeles") ?? .gmt

    /// The calendar: weeks begin on Sunday, and the week with 1 January is the first, as on an American phone.
    package static let calendar = {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = zone
        calendar.firstWeekday = 1
        calendar.minimumDaysInFirstWeek = 1
        return calendar
    }()

    /// The names of the weekdays; the app counts from Monday.
    package static let weekdays = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]

    /// The instant of a CloudKit timestamp; `nil` for an instant that no calendar has.
    static func date(milliseconds: Int64) -> Date? {
        guard (-62_000_000_000_000...250_000_000_000_000).contains(milliseconds) else { return nil }
        return Date(timeIntervalSince1970: Double(milliseconds) / 1000)
    }

    /// `Fri 2015-05-29 00:00 PDT`, with seconds where they are not 0.
    package static func text(_ date: Date) -> String {
        let parts = calendar.dateComponents([.hour, .minute, .second], from: date)
        let second = parts.second ?? 0
        let clock = clock(parts.hour ?? 0, parts.minute ?? 0) + (second == 0 ? "" : ":\(padded(second))")
        return "\(CampusDay(date).text) \(clock) \(zone.isDaylightSavingTime(for: date) ? "PDT" : "PST")"
    }

    /// RFC 3339 with the campus's offset.
    package static func rfc3339(_ date: Date) -> String {
        let parts = calendar.dateComponents([.hour, .minute, .second], from: date)
        let minutes = zone.secondsFromGMT(for: date) / 60
        let offset = "\(minutes < 0 ? "-" : "+")\(clock(abs(minutes) / 60, abs(minutes) % 60))"
        return
            "\(CampusDay(date).isoText)T\(clock(parts.hour ?? 0, parts.minute ?? 0)):\(padded(parts.second ?? 0))\(offset)"
    }

    /// `07:05`.
    static func clock(_ hour: Int, _ minute: Int) -> String { "\(padded(hour)):\(padded(minute))" }

    private static func padded(_ value: Int) -> String { value < 10 ? "0\(value)" : String(value) }
}
