import Foundation
import Traffic

/// A date as it stands on the wire, with what a reader makes of it.
package struct WireDate: Sendable, Hashable {
    /// The zone of the campus, which a date without one is in.
    static let campus = TimeZone(identifier: "America/New_York") ?? .gmt

    package let text: String
    /// The moment; `nil` when the text is none.
    package let date: Date?
    /// Whether it says its distance from UTC.
    package let hasOffset: Bool
    /// Whether it has fractions of a second, which readers of plain ISO 8601 refuse.
    package let hasFraction: Bool

    package init(_ text: String) {
        self.text = text
        let clock = text.firstIndex { $0 == "T" || $0 == " " }.map { text[$0...].dropFirst() } ?? ""
        hasOffset = clock.last == "Z" || clock.last == "z" || clock.contains { $0 == "+" || $0 == "-" }
        hasFraction = clock.contains(".")
        // Without a dash it may be an age, which a wire never has.
        let micros = text.contains("-") ? Moment.parse(text, now: 0, zone: WireDate.campus) : nil
        date = micros.map { Date(timeIntervalSince1970: Double($0) / 1_000_000) }
    }

    /// Whether Foundation's ISO 8601 formatter reads it as it is set by default: seconds, an offset, no fraction.
    var isPlainInternet: Bool { date != nil && hasOffset && !hasFraction }
}
