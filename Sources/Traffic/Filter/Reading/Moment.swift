package import Foundation

/// Reads points in time as people write them: `10m`, `2026-11-20`, `2026-11-20T14:00`.
package enum Moment {
    private static let secondsOfUnit: [Character: Int64] = ["s": 1, "m": 60, "h": 3_600, "d": 86_400, "w": 604_800]

    /// What an error says that was expected.
    package static let expectation =
        "expected an age such as 10m, 2h or 3d, or a time such as 2026-11-20 or 2026-11-20T14:00"

    /// A date as the moment that ages count back from: microseconds since 1970.
    package static func microseconds(_ date: Date) -> Int64 {
        Int64((min(max(date.timeIntervalSince1970, -1e12), 1e12) * 1_000_000).rounded())
    }

    /// Reads a point in time.
    ///
    /// - Parameters:
    ///   - text: an age (`45s`, `10m`, `2h`, `3d`, `1w`, with ` ago` behind it or without), a date (`2026-11-20`), or a date and time
    ///     (`2026-11-20T14:00[:05[.25]]`), which is local unless `Z` or an offset such as `+02:00` follows.
    ///   - now: what an age counts back from: microseconds since 1970.
    ///   - zone: the zone of a time that names none.
    /// - Returns: microseconds since 1970; `nil` when the text is none of these.
    package static func parse(_ text: String, now: Int64, zone: TimeZone = .current) -> Int64? {
        let age = text.hasSuffix(" ago") ? text.dropLast(4) : text[...]
        if let unit = age.last.flatMap({ secondsOfUnit[$0] }) {
            guard let count = number(age.dropLast(), digits: 1...9) else { return nil }
            let (age, isLong) = count.multipliedReportingOverflow(by: unit * 1_000_000)
            let (start, isEarly) = now.subtractingReportingOverflow(age)
            // Longer ago than there are numbers for is before everything.
            return isLong || isEarly ? 0 : start
        }
        return date(text, zone: zone)
    }

    /// RFC 3339 with its seconds, its zone and its time of day each optional.
    private static func date(_ text: String, zone local: TimeZone) -> Int64? {
        let halves = text.split(maxSplits: 1, omittingEmptySubsequences: false) { $0 == "T" || $0 == " " }
        guard let first = halves.first else { return nil }
        let parts = first.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 3, let year = number(parts[0], digits: 4...4), let month = number(parts[1], digits: 2...2),
            let day = number(parts[2], digits: 2...2), (1...12).contains(month), day >= 1,
            day <= days(in: month, of: year)
        else { return nil }
        var (hour, minute, second, fraction) = (Int64(0), Int64(0), Int64(0), Int64(0))
        var offset: Int64?
        if halves.count == 2 {
            guard let (time, named) = zone(of: halves[1]), let clock = clock(time) else { return nil }
            (hour, minute, second, fraction) = clock
            offset = named
        }
        let civil = Timestamp.microseconds(
            year: year,
            month: month,
            day: day,
            hour: hour,
            minute: minute,
            second: second
        )
        if let offset { return civil - offset * 1_000_000 + fraction }
        return utc(civil, in: local) + fraction
    }

    /// `14:00`, `14:00:05` or `14:00:05.25`.
    private static func clock(_ text: Substring) -> (Int64, Int64, Int64, Int64)? {
        let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        guard let whole = parts.first else { return nil }
        let fields = whole.split(separator: ":", omittingEmptySubsequences: false)
        guard fields.count == 2 || fields.count == 3 else { return nil }
        var numbers: [Int64] = []
        for (field, limit) in zip(fields, [23, 59, 59] as [Int64]) {
            guard let value = number(field, digits: 2...2), value <= limit else { return nil }
            numbers.append(value)
        }
        if numbers.count == 2 { numbers.append(0) }
        guard parts.count == 2 else { return (numbers[0], numbers[1], numbers[2], 0) }
        guard fields.count == 3, number(parts[1], digits: 1...9) != nil,
            let fraction = Int64((parts[1] + "000000").prefix(6))
        else { return nil }
        return (numbers[0], numbers[1], numbers[2], fraction)
    }

    /// The time of day without its zone, and the zone's distance from UTC in seconds where one is named; `nil` when it cannot be read.
    private static func zone(of text: Substring) -> (time: Substring, offset: Int64?)? {
        if text.hasSuffix("Z") || text.hasSuffix("z") { return (text.dropLast(), 0) }
        guard let sign = text.lastIndex(where: { $0 == "+" || $0 == "-" }) else { return (text, nil) }
        var digits = text[sign...].dropFirst()
        if digits.count == 5, let colon = digits.firstIndex(of: ":"),
            digits.distance(from: digits.startIndex, to: colon) == 2
        {
            digits.remove(at: colon)
        }
        guard let value = number(digits, digits: 4...4), value / 100 < 24, value % 100 < 60 else { return nil }
        let seconds = value / 100 * 3_600 + value % 100 * 60
        return (text[..<sign], text[sign] == "-" ? -seconds : seconds)
    }

    /// The moment at which the clocks of a zone show this.
    private static func utc(_ civil: Int64, in zone: TimeZone) -> Int64 {
        func shift(_ moment: Int64) -> Int64 {
            Int64(zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(moment) / 1_000_000))) * 1_000_000
        }
        return civil - shift(civil - shift(civil))
    }

    private static func days(in month: Int64, of year: Int64) -> Int64 {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    private static func number(_ text: some StringProtocol, digits: ClosedRange<Int>) -> Int64? {
        guard digits.contains(text.utf8.count), text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return Int64(text)
    }
}
