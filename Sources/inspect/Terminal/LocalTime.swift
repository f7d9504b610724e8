import Foundation
import Traffic

/// Moments as the user's clock shows them.
enum LocalTime {
    /// `2026-11-20 14:02:03`.
    static func text(microseconds: Int64, zone: TimeZone = .current) -> String {
        let whole = full(microseconds: microseconds, zone: zone)
        return String(whole.prefix(19))
    }

    /// `2026-11-20 14:02:03.456`.
    static func full(microseconds: Int64, zone: TimeZone = .current) -> String {
        let date = Date(timeIntervalSince1970: Double(microseconds) / 1_000_000)
        let shift = Int64(zone.secondsFromGMT(for: date)) * 1_000_000
        let text = Timestamp.text(microseconds: microseconds &+ shift)
        return text.dropLast().replacingOccurrences(of: "T", with: " ")
    }
}
