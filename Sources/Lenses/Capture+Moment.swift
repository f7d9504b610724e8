import Foundation
import Traffic

extension Capture {
    /// When the server answered by its own clock (the Date field, RFC 9110 §6.6.1); where it did not say, when the exchange began by ours.
    package var moment: Date {
        if let text = responseField("Date"), let date = try? Date(text, strategy: Capture.httpDate) { return date }
        return Date(timeIntervalSince1970: Double(exchange.timeline.started) / 1_000_000)
    }

    /// The IMF-fixdate of RFC 9110 §5.6.7.
    private static let httpDate = Date.VerbatimFormatStyle(
        format: """
            \(weekday: .abbreviated), \(day: .twoDigits) \(month: .abbreviated) \(year: .defaultDigits) \
            \(hour: .twoDigits(clock: .twentyFourHour, hourCycle: .zeroBased)):\(minute: .twoDigits):\(second: .twoDigits) GMT
            """,
        locale: Locale(identifier: "en_US_POSIX"),
        timeZone: .gmt,
        calendar: Calendar(identifier: .gregorian)
    ).parseStrategy
}
