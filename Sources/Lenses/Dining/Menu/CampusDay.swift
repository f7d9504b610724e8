package import Foundation

/// A day of the calendar on the campus of the dining halls.
package struct CampusDay: Hashable, Comparable, Sendable {
    package let year: Int
    package let month: Int
    package let day: Int

    /// The day on campus at an instant.
    package init(_ date: Date) {
        let parts = CampusTime.calendar.dateComponents([.year, .month, .day], from: date)
        (year, month, day) = (parts.year ?? 1970, parts.month ?? 1, parts.day ?? 1)
    }

    /// Makes a day of a date; `nil` where there is no such day.
    package init?(year: Int, month: Int, day: Int) {
        guard (1...9999).contains(year), (1...12).contains(month), (1...31).contains(day) else { return nil }
        (self.year, self.month, self.day) = (year, month, day)
        guard CampusDay(midday) == self else { return nil }
    }

    /// Reads a date in the short form of an American phone: `5/29/15` is 29 May 2015; a year of four digits is read as it is.
    package init?(short text: String) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 3, parts.allSatisfy({ (1...4).contains($0.count) && $0.allSatisfy(\.isASCIIDigit) }),
            let month = Int(parts[0]), let day = Int(parts[1]), let year = Int(parts[2])
        else { return nil }
        self.init(year: year < 100 ? (year < 50 ? 2000 : 1900) + year : year, month: month, day: day)
    }

    package static func < (left: CampusDay, right: CampusDay) -> Bool {
        (left.year, left.month, left.day) < (right.year, right.month, right.day)
    }

    /// `2015-05-29`.
    package var isoText: String { "\(Self.padded(year, 4))-\(Self.padded(month, 2))-\(Self.padded(day, 2))" }
    /// `5/29/15`, the name of the day's record.
    package var shortText: String { "\(month)/\(day)/\(Self.padded(year % 100, 2))" }
    /// `Fri 2015-05-29`.
    package var text: String { "\(CampusTime.weekdays[weekday].prefix(3)) \(isoText)" }

    /// The weekday, 0 (Monday) to 6 (Sunday), as the app counts.
    package var weekday: Int { (CampusTime.calendar.component(.weekday, from: midday) + 5) % 7 }

    /// The day some days later.
    package func adding(days: Int) -> CampusDay {
        CampusTime.calendar.date(byAdding: .day, value: days, to: midday).map(CampusDay.init) ?? self
    }

    /// The instant at which the campus's clocks show an hour and a minute of the day; hours from 24 on are of the days after.
    package func time(hour: Int, minute: Int) -> Date? {
        let later = adding(days: hour / 24)
        let parts = DateComponents(
            year: later.year,
            month: later.month,
            day: later.day,
            hour: hour % 24,
            minute: minute
        )
        return CampusTime.calendar.date(from: parts)
    }

    /// Noon, which no clock change skips.
    var midday: Date {
        let parts = DateComponents(year: year, month: month, day: day, hour: 12)
        return CampusTime.calendar.date(from: parts) ?? Date(timeIntervalSince1970: 0)
    }

    private static func padded(_ value: Int, _ width: Int) -> String {
        let digits = String(value)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}

extension Character {
    /// Whether the character is 0 to 9; `isNumber` takes digits of any script.
    fileprivate var isASCIIDigit: Bool { ("0"..."9").contains(self) }
}
