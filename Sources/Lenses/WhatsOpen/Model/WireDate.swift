package import Foundation
import Traffic

/// A date as it stands on the wire, and the moment that it stands for.
package struct WireDate: Sendable, Hashable {
    /// The zone of the campus, in which a date without an offset is read.
    static let campus = TimeZone(identifier: "America/New_York") ?? .gmt

    package let text: String
    /// The moment; `nil` where the text is no date.
    package let date: Date?
    /// Whether the text has an offset from UTC.
    package let hasOffset: Bool
    /// Whether the text has fractions of a second, which readers of plain ISO 8601 refuse.
    package let hasFraction: Bool

    package init(_ text: String) {
        self.text = text
        let clock = text.firstIndex { $0 == "T" || $0 == " " }.map { text[$0...].dropFirst() } ?? ""
        hasOffset = clock.last == "Z" || clock.last == "z" || clock.contains { $0 == "+" || $0 == "-" }
        hasFraction = clock.contains(".")
        // A text without a dash may be read as an age, which no body holds.
        let micros = text.contains("-") ? Moment.parse(text, now: 0, zone: WireDate.campus) : nil
        date = micros.map { Date(timeIntervalSince1970: Double($0) / 1_000_000) }
    }

    /// Whether Foundation's ISO 8601 formatter reads the text with its default options: seconds, an offset, no fraction.
    var isPlainInternet: Bool { date != nil && hasOffset && !hasFraction }
}
