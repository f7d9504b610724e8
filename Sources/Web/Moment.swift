import Foundation
import Traffic

/// Reads the points in time of an address: `since=10m`, `before=2026-11-20T14:00`; the same words the CLI takes.
enum Moment {
    private static let secondsOfUnit: [Character: Int64] = ["s": 1, "m": 60, "h": 3_600, "d": 86_400, "w": 604_800]

    /// A point in time in microseconds since 1970.
    ///
    /// - Parameters:
    ///   - text: an age (`45s`, `10m`, `2h`, `3d`, `1w`), a date, or a date and time, local unless `Z` or an offset follows.
    ///   - key: named in the error.
    ///   - now: what an age counts back from.
    /// - Throws: `FilterError` when the text is none of these.
    static func parse(_ text: String, key: String, now: Date) throws -> Int64 {
        if let unit = text.last.flatMap({ secondsOfUnit[$0] }), let count = Int64(text.dropLast()), (0...999_999_999).contains(count) {
            return Int64(now.timeIntervalSince1970 * 1_000_000) - count * unit * 1_000_000
        }
        if let date = date(text) { return Int64((date.timeIntervalSince1970 * 1_000_000).rounded()) }
        throw FilterError("\(key)=\(text): expected an age such as 10m, 2h or 3d, or a time such as 2026-11-20T14:00")
    }

    /// RFC 3339 with its seconds, its zone and its time of day each optional.
    private static func date(_ text: String) -> Date? {
        let halves = text.split(maxSplits: 1, omittingEmptySubsequences: false) { $0 == "T" || $0 == " " }
        guard halves.count == 2 else { return read("yyyy-MM-dd", text, zone: .current) }
        let (time, zone) = zone(of: halves[1])
        guard let zone else { return nil }
        let formats = ["HH:mm", "HH:mm:ss", "HH:mm:ss.SSSSSS"]
        var clock = String(time)
        if let point = clock.lastIndex(of: ".") {
            let digits = clock.distance(from: point, to: clock.endIndex) - 1
            guard (1...9).contains(digits) else { return nil }
            clock = digits < 6 ? clock + String(repeating: "0", count: 6 - digits) : String(clock.dropLast(digits - 6))
        }
        guard let format = formats.first(where: { $0.count == clock.count }) else { return nil }
        return read("yyyy-MM-dd'T'" + format, halves[0] + "T" + clock, zone: zone)
    }

    /// The time of day without its zone, and the zone; `nil` when what stands in the zone's place is none.
    private static func zone(of text: Substring) -> (time: Substring, zone: TimeZone?) {
        if text.hasSuffix("Z") || text.hasSuffix("z") { return (text.dropLast(), TimeZone(secondsFromGMT: 0)) }
        guard let sign = text.lastIndex(where: { $0 == "+" || $0 == "-" }) else { return (text, .current) }
        let digits = text[sign...].dropFirst().filter { $0 != ":" }
        guard digits.count == 4, let number = Int(digits), number / 100 < 24, number % 100 < 60 else { return (text, nil) }
        let seconds = number / 100 * 3_600 + number % 100 * 60
        return (text[..<sign], TimeZone(secondsFromGMT: text[sign] == "-" ? -seconds : seconds))
    }

    private static func read(_ format: String, _ text: String, zone: TimeZone) -> Date? {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.calendar = Calendar(identifier: .gregorian)
        formatter.timeZone = zone
        formatter.isLenient = false
        formatter.dateFormat = format
        return formatter.date(from: text)
    }
}
