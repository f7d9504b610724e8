import Foundation

/// One entry of a schedule: from a time on a weekday to a time on the same or a later one.
struct OpenTime: Sendable, Equatable {
    let modified: Date
    /// Monday is 0, Sunday 6.
    let startDay: Int
    let endDay: Int
    /// Seconds since midnight.
    let start: Int
    let end: Int

    /// An entry that starts on a day; an end that does not come after the start is on the next day.
    static func entry(day: Int, start: Int, end: Int, modified: Date) -> OpenTime {
        OpenTime(modified: modified, startDay: day, endDay: end > start ? day : (day + 1) % 7, start: start, end: end)
    }
}
