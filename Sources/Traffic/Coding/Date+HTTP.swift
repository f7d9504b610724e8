package import Foundation

extension Date {
    /// The moment of a field such as Date or Last-Modified, in the one form that is still sent: IMF-fixdate (RFC 9110 §5.6.7); `nil` for any other
    /// text.
    package init?(httpDate text: String) {
        guard let date = try? Date(text, strategy: Date.httpStrategy) else { return nil }
        self = date
    }

    private static let httpStrategy = Date.VerbatimFormatStyle(
        format: """
            \(weekday: .abbreviated), \(day: .twoDigits) \(month: .abbreviated) \(year: .defaultDigits) \
            \(hour: .twoDigits(clock: .twentyFourHour, hourCycle: .zeroBased)):\(minute: .twoDigits):\(second: .twoDigits) GMT
            """,
        locale: Locale(identifier: "en_US_POSIX"),
        timeZone: .gmt,
        calendar: Calendar(identifier: .gregorian)
    ).parseStrategy
}
