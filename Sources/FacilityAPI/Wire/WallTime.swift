import Foundation

/// Dates as a place writes them: a time zone, and the forms our servers use.
struct WallTime: Sendable {
    /// The Gregorian calendar of the place.
    let calendar: Calendar

    /// A place by its IANA name.
    ///
    /// - Throws: ``FacilityAPIError`` when this machine has no such zone (its tzdata is missing).
    init(zone name: String) throws(FacilityAPIError) {
        guard let zone = TimeZone(identifier: name) else {
            throw FacilityAPIError("this machine knows no time zone \(name): install tzdata")
        }
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = zone
        self.calendar = calendar
    }

    /// The calendar day and time of day an instant has here.
    struct Parts: Equatable {
        let year: Int
        let month: Int
        let day: Int
        /// Seconds since midnight by the clock on the wall.
        let secondOfDay: Int
        let microsecond: Int
        /// Monday is 0, Sunday 6, as What's Open counts.
        let weekday: Int
        let offsetSeconds: Int
    }

    /// What the calendar and the clock on the wall show at an instant.
    func parts(of date: Date) -> Parts {
        let offset = calendar.timeZone.secondsFromGMT(for: date)
        let microseconds = Int((date.timeIntervalSince1970 * 1_000_000).rounded()) + offset * 1_000_000
        let seconds = Self.floorDivided(microseconds, by: 1_000_000)
        let days = Self.floorDivided(seconds, by: 86_400)
        let (year, month, day) = Self.civilDay(daysSince1970: days)
        return Parts(
            year: year,
            month: month,
            day: day,
            secondOfDay: seconds - days * 86_400,
            microsecond: microseconds - seconds * 1_000_000,
            weekday: (days + 3) - Self.floorDivided(days + 3, by: 7) * 7,
            offsetSeconds: offset
        )
    }

    /// RFC 3339 with the place's offset; microseconds only when there are some, as Python writes it.
    func rfc3339(_ date: Date) -> String {
        let parts = parts(of: date)
        let sign = parts.offsetSeconds < 0 ? "-" : "+"
        let minutes = abs(parts.offsetSeconds) / 60
        let fraction = parts.microsecond == 0 ? "" : "." + Self.padded(parts.microsecond, 6)
        return "\(day(of: parts))T\(Self.timeText(parts.secondOfDay))\(fraction)"
            + "\(sign)\(Self.padded(minutes / 60, 2)):\(Self.padded(minutes % 60, 2))"
    }

    /// Date and time without an offset and with microseconds, as CKAN writes it.
    func naive(_ date: Date) -> String {
        let parts = parts(of: date)
        return "\(day(of: parts))T\(Self.timeText(parts.secondOfDay)).\(Self.padded(parts.microsecond, 6))"
    }

    /// The short American date `M/d/yy` that names a day's menu.
    func shortDay(_ date: Date) -> String {
        let parts = parts(of: date)
        return "\(parts.month)/\(parts.day)/\(Self.padded(parts.year % 100, 2))"
    }

    /// The instant of a wall clock reading; a time that a clock change skips is the first one after it.
    func date(_ year: Int, _ month: Int, _ day: Int, second: Int = 0, microsecond: Int = 0) -> Date? {
        let components = DateComponents(
            year: year,
            month: month,
            day: day,
            hour: second / 3600,
            minute: second / 60 % 60,
            second: second % 60
        )
        return calendar.date(from: components)?.addingTimeInterval(Double(microsecond) / 1_000_000)
    }

    /// The instant a number of calendar days from the day of another, at a second of that day.
    func date(daysFrom date: Date, _ days: Int, second: Int = 0) -> Date? {
        let parts = parts(of: date)
        return self.date(parts.year, parts.month, parts.day + days, second: second)
    }

    private func day(of parts: Parts) -> String {
        "\(Self.padded(parts.year, 4))-\(Self.padded(parts.month, 2))-\(Self.padded(parts.day, 2))"
    }

    /// `HH:MM:SS` of a second of the day.
    static func timeText(_ second: Int) -> String {
        "\(padded(second / 3600, 2)):\(padded(second / 60 % 60, 2)):\(padded(second % 60, 2))"
    }

    static func padded(_ number: Int, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }

    private static func floorDivided(_ number: Int, by divisor: Int) -> Int {
        let quotient = number / divisor
        return number % divisor < 0 ? quotient - 1 : quotient
    }

    /// Year, month and day of a day number, by counting 400-year cycles from a year that begins in March.
    private static func civilDay(daysSince1970 days: Int) -> (year: Int, month: Int, day: Int) {
        let fromMarch0 = days + 719_468
        let cycle = floorDivided(fromMarch0, by: 146_097)
        let dayOfCycle = fromMarch0 - cycle * 146_097
        let yearOfCycle = (dayOfCycle - dayOfCycle / 1_460 + dayOfCycle / 36_524 - dayOfCycle / 146_096) / 365
        let dayOfYear = dayOfCycle - (365 * yearOfCycle + yearOfCycle / 4 - yearOfCycle / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        return (cycle * 400 + yearOfCycle + (month <= 2 ? 1 : 0), month, day)
    }
}

extension WallTime {
    /// The date form of HTTP fields (RFC 9110 §5.6.7); right only in GMT.
    func imfFixdate(_ date: Date) -> String {
        let parts = parts(of: date)
        let weekdays = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
        let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        return "\(weekdays[parts.weekday]), \(Self.padded(parts.day, 2)) \(months[parts.month - 1]) "
            + "\(Self.padded(parts.year, 4)) \(Self.timeText(parts.secondOfDay)) GMT"
    }
}
