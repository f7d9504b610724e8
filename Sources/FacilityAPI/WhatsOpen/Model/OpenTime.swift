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
}
