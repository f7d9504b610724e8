import Foundation

/// A client's changes to a schedule: the members that were there, checked.
struct ScheduleDraft: Sendable, Equatable {
    var name: String?
    /// The outer nil means not mentioned, the inner one set to null.
    var validStart: Date??
    var validEnd: Date??
    var isTwentyFourHours: Bool?
    var openTimes: [OpenTime]?

    /// A schedule with the mentioned members replaced.
    func applied(to schedule: Schedule, at now: Date) -> Schedule {
        var changed = schedule
        changed.modified = now
        if let name { changed.name = name }
        if let validStart { changed.validStart = validStart }
        if let validEnd { changed.validEnd = validEnd }
        if let isTwentyFourHours { changed.isTwentyFourHours = isTwentyFourHours }
        if let openTimes { changed.openTimes = openTimes }
        return changed
    }
}
