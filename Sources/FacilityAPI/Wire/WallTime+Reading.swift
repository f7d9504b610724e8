import Foundation

extension WallTime {
    /// Reads `YYYY-MM-DD`, or a date and time with `T` or a space, seconds, fraction and offset optional.
    ///
    /// Without an offset the reading is this place's. nil for anything else, and for a 30th of February.
    func date(reading text: String) -> Date? {
        let pattern =
            #/
            (\d{4})-(\d{2})-(\d{2})
            (?:[T\ ](\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,6}))?)?(Z|[+-]\d{2}:?\d{2})?)?
            /#
        guard let match = text.wholeMatch(of: pattern) else { return nil }
        let (_, year, month, day, hour, minute, second, fraction, offset) = match.output
        guard let year = Int(year), let month = Int(month), let day = Int(day), (1...12).contains(month) else {
            return nil
        }
        let hours = Self.number(hour)
        let minutes = Self.number(minute)
        let seconds = Self.number(second)
        guard hours < 24, minutes < 60, seconds < 60, year > 0 else { return nil }
        let micro = Int((fraction.map(String.init) ?? "").padding(toLength: 6, withPad: "0", startingAt: 0)) ?? 0
        let secondOfDay = hours * 3600 + minutes * 60 + seconds
        guard let local = date(year, month, day, second: secondOfDay, microsecond: micro),
            let midday = date(year, month, day, second: 43_200), parts(of: midday).day == day
        else { return nil }
        guard let offset else { return local }
        guard let offsetSeconds = Self.offsetSeconds(offset) else { return nil }
        // A skipped or doubled local reading has its own offset, so count from midday, which never is.
        let localOffset = parts(of: midday).offsetSeconds
        let shift = Double(secondOfDay - 43_200 + localOffset - offsetSeconds) + Double(micro) / 1_000_000
        return midday.addingTimeInterval(shift)
    }

    /// Reads `HH:MM` or `HH:MM:SS` as a second of the day.
    static func secondOfDay(reading text: String) -> Int? {
        guard let match = text.wholeMatch(of: #/(\d{2}):(\d{2})(?::(\d{2}))?/#) else { return nil }
        let (hours, minutes, seconds) = (number(match.1), number(match.2), number(match.3))
        guard hours < 24, minutes < 60, seconds < 60 else { return nil }
        return hours * 3600 + minutes * 60 + seconds
    }

    private static func number(_ digits: Substring?) -> Int {
        digits.flatMap { Int($0) } ?? 0
    }

    private static func offsetSeconds(_ text: Substring) -> Int? {
        if text == "Z" { return 0 }
        let digits = text.dropFirst().filter(\.isNumber)
        guard let number = Int(digits), number % 100 < 60, number < 2400 else { return nil }
        let seconds = (number / 100) * 3600 + (number % 100) * 60
        return text.hasPrefix("-") ? -seconds : seconds
    }
}
