import Foundation
import Traffic

/// Reads the points in time that `--since` and `--before` take.
enum TimeBound {
    /// A point in time in microseconds since 1970.
    ///
    /// Taken are an age (`45s`, `10m`, `2h`, `3d`, `1w`), a date (`2026-11-20`), and a date and time (`2026-11-20T14:00[:05[.25]]`), which is
    /// local unless `Z` or an offset such as `+02:00` follows.
    ///
    /// - Parameters:
    ///   - text: as the user wrote it.
    ///   - flag: named in the error.
    ///   - now: what an age counts back from.
    ///   - zone: the zone of a time that names none.
    /// - Returns: microseconds since 1970.
    /// - Throws: `FilterError` naming the flag and what was expected.
    static func microseconds(_ text: String, flag: String, now: Date, zone: TimeZone = .current) throws -> Int64 {
        if let age = age(text) { return Int64((now.timeIntervalSince1970 - age) * 1_000_000) }
        if let date = date(text, zone: zone) { return Int64((date.timeIntervalSince1970 * 1_000_000).rounded()) }
        throw FilterError("\(flag) \(text): expected an age such as 10m, 2h or 3d, or a time such as 2026-11-20T14:00")
    }

    private static func age(_ text: String) -> Double? {
        let units: [Character: Double] = ["s": 1, "m": 60, "h": 3_600, "d": 86_400, "w": 604_800]
        guard let unit = text.last.flatMap({ units[$0] }) else { return nil }
        let digits = text.dropLast()
        guard !digits.isEmpty, digits.utf8.count <= 9, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            let count = Double(digits)
        else { return nil }
        return count * unit
    }

    private static func date(_ text: String, zone: TimeZone) -> Date? {
        let form = /(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(\.\d{1,9})?)?(Z|z|[+-]\d{2}:?\d{2})?)?/
        guard let match = text.wholeMatch(of: form)?.output else { return nil }
        var parts = DateComponents()
        parts.year = Int(match.1)
        parts.month = Int(match.2)
        parts.day = Int(match.3)
        parts.hour = match.4.flatMap { Int($0) } ?? 0
        parts.minute = match.5.flatMap { Int($0) } ?? 0
        parts.second = match.6.flatMap { Int($0) } ?? 0
        var calendar = Calendar(identifier: .gregorian)
        guard let named = match.8.map({ offset($0) }) ?? zone else { return nil }
        calendar.timeZone = named
        guard parts.isValidDate(in: calendar), let date = calendar.date(from: parts) else { return nil }
        return date.addingTimeInterval(match.7.flatMap { Double("0" + $0) } ?? 0)
    }

    private static func offset(_ text: Substring) -> TimeZone? {
        if text.uppercased() == "Z" { return TimeZone(secondsFromGMT: 0) }
        let digits = text.filter(\.isNumber)
        guard digits.count == 4, let hours = Int(digits.prefix(2)), let minutes = Int(digits.suffix(2)), hours < 24,
            minutes < 60
        else { return nil }
        return TimeZone(secondsFromGMT: (hours * 3_600 + minutes * 60) * (text.hasPrefix("-") ? -1 : 1))
    }
}
