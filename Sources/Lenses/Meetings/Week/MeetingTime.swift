/// The next and the last time of a weekly meeting, seen from a viewer's zone.
package struct MeetingTime: Hashable, Sendable {
    /// The next start after now, in seconds since 1970.
    package let next: Int
    /// The start a calendar week before that one.
    package let previous: Int
    /// The viewer's weekday at the next start: 1 is Sunday.
    package let weekday: Int
    /// The viewer's clock at the next start: hours times 100 plus minutes.
    package let clock: Int

    /// Works out the times of a meeting.
    ///
    /// A calendar week goes by the wall clock: 604,800 seconds before a start is another time of day where clocks changed in between.
    package init(weekday: Int, start: Int, in own: WallClock, now: Int, viewer: WallClock) {
        let wall = own.wall(at: now)
        let midnight = wall - WallClock.secondsOfDay(wall)
        let days = (weekday - WallClock.weekday(of: wall) + 7) % 7
        var day = midnight + days * 86_400
        if own.moment(of: day + start) <= now { day += 7 * 86_400 }
        next = own.moment(of: day + start)
        previous = own.moment(of: day - 7 * 86_400 + start)
        let local = viewer.wall(at: next)
        self.weekday = WallClock.weekday(of: local)
        clock = WallClock.clock(local)
    }

    /// Whether a meeting of so many seconds is in progress at a moment: from its start, and no longer at its end.
    package func isInProgress(at now: Double, seconds: Int) -> Bool {
        Double(previous) <= now && now < Double(previous + seconds)
    }
}
