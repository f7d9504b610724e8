import Foundation
import Traffic

/// Reads the points in time of an address: `since=10m`, `before=2026-11-20T14:00`; the same words the CLI takes.
enum Moment {
    private static let secondsOfUnit: [Character: Int64] = ["s": 1, "m": 60, "h": 3_600, "d": 86_400, "w": 604_800]

    /// Reads a point in time.
    ///
    /// - Parameters:
    ///   - text: an age (`45s`, `10m`, `2h`, `3d`, `1w`), a date, or a date and time, local unless `Z` or an offset follows.
    ///   - key: named in the error.
    ///   - now: what an age counts back from.
    /// - Returns: microseconds since 1970.
    /// - Throws: `FilterError` when the text is none of these.
    static func parse(_ text: String, key: String, now: Date) throws -> Int64 {
        if let unit = text.last.flatMap({ secondsOfUnit[$0] }), let count = Int64(text.dropLast()),
            (0...999_999_999).contains(count)
        {
            return Int64(now.timeIntervalSince1970 * 1_000_000) - count * unit * 1_000_000
        }
        if let microseconds = timeOfDate(text) { return microseconds }
        throw FilterError("\(key)=\(text): expected an age such as 10m, 2h or 3d, or a time such as 2026-11-20T14:00")
    }

    /// RFC 3339 with its seconds, its zone and its time of day each optional.
    private static func timeOfDate(_ text: String) -> Int64? {
        let halves = text.split(maxSplits: 1, omittingEmptySubsequences: false) { $0 == "T" || $0 == " " }
        guard halves.count == 2 else { return read("yyyy-MM-dd", text, zone: .current) }
        let (time, zone) = zone(of: halves[1])
        let parts = time.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        guard let zone, let clock = parts.first,
            let format = clock.count == 5 ? "HH:mm" : clock.count == 8 ? "HH:mm:ss" : nil,
            let whole = read("yyyy-MM-dd'T'" + format, halves[0] + "T" + clock, zone: zone)
        else { return nil }
        guard parts.count == 2 else { return whole }
        guard clock.count == 8, (1...9).contains(parts[1].count), parts[1].allSatisfy({ ("0"..."9").contains($0) }),
            let fraction = Int64((parts[1] + "000000").prefix(6))
        else { return nil }
        return whole + fraction
    }

    /// The time of day without its zone, and the zone; `nil` when what stands in the zone's place is none.
    private static func zone(of text: Substring) -> (time: Substring, zone: TimeZone?) {
        if text.hasSuffix("Z") || text.hasSuffix("z") { return (text.dropLast(), TimeZone(secondsFromGMT: 0)) }
        guard let sign = text.lastIndex(where: { $0 == "+" || $0 == "-" }) else { return (text, .current) }
        let digits = text[sign...].dropFirst().filter { $0 != ":" }
        guard digits.count == 4, let number = Int(digits), number / 100 < 24, number % 100 < 60 else {
            return (text, nil)
        }
        let seconds = number / 100 * 3_600 + number % 100 * 60
        return (text[..<sign], TimeZone(secondsFromGMT: text[sign] == "-" ? -seconds : seconds))
    }

    private static func read(_ format: String, _ text: String, zone: TimeZone) -> Int64? {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.calendar = Calendar(identifier: .gregorian)
        formatter.timeZone = zone
        formatter.isLenient = false
        formatter.dateFormat = format
        return formatter.date(from: text).map { Int64($0.timeIntervalSince1970.rounded()) * 1_000_000 }
    }
}
