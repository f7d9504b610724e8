package import Foundation

/// The openings of a facility near a moment, eight days back and ahead, by every schedule that is in force then.
package struct OpeningHours: Sendable {
    /// Days that are read before and after the day of the moment.
    private static let reachDays = 8

    package let facility: Facility
    package let clock: CampusClock
    /// The openings in order; none touches another.
    package let intervals: [OpeningInterval]
    /// The beginning and the end of the days that are read: an opening that reaches past one of them is not known to begin or to end there.
    private let beginning, horizon: Date

    /// Works out the openings of a facility.
    package init(_ facility: Facility, around now: Date, clock: CampusClock) {
        self.facility = facility
        self.clock = clock
        let today = clock.local(now).day
        let first = clock.date(day: today - Self.reachDays)
        beginning = first
        horizon = clock.date(day: today + Self.reachDays + 1)
        // Reads a day more than is told, so that an opening past the horizon is seen to go on.
        let last = clock.date(day: today + Self.reachDays + 2)
        var found: [OpeningInterval] = []
        for span in Self.spans(of: facility, from: first, to: last) {
            guard let schedule = span.schedule else { continue }
            for interval in Self.intervals(of: schedule, around: today, clock: clock, within: (first, last)) {
                let (start, end) = (max(interval.start, span.start), min(interval.end, span.end))
                if start < end { found.append(OpeningInterval(start, end)) }
            }
        }
        intervals = OpeningInterval.merged(found)
    }

    /// The facility's status at a moment, which must be near the moment that the hours were made for.
    package func status(at now: Date) -> FacilityStatus {
        let schedule = facility.schedule(at: now)
        let current = intervals.first { $0.contains(now) }
        var isOpen = current != nil
        if let schedule, schedule.window?.upperBound == now, facility.specials.contains(schedule) {
            // A special is in force through its last instant, although the next schedule begins there.
            isOpen = Self.isOpen(schedule, at: now, clock: clock)
        }
        let today = clock.local(now).day
        let (midnight, next) = (clock.date(day: today), clock.date(day: today + 1))
        let closes = isOpen ? current.map(\.end) ?? now : nil
        return FacilityStatus(
            isOpen: isOpen,
            isOpenToday: intervals.contains { $0.start < next && $0.end > midnight },
            closes: closes.flatMap { $0 < horizon ? $0 : nil },
            opensNext: !isOpen && current != nil
                ? now : intervals.first { $0.start > now && $0.start < horizon }?.start,
            schedule: schedule,
            interval: isOpen ? current : nil
        )
    }

    /// When an opening begins; `nil` where that was before the days that are read.
    package func start(of opening: OpeningInterval) -> Date? { opening.start > beginning ? opening.start : nil }

    /// When an opening ends; `nil` where it does not within the days that are read.
    package func end(of opening: OpeningInterval) -> Date? { opening.end < horizon ? opening.end : nil }

    /// The openings that touch a local day.
    package func intervals(on day: Int) -> [OpeningInterval] {
        let (midnight, next) = (clock.date(day: day), clock.date(day: day + 1))
        return intervals.filter { $0.start < next && $0.end > midnight }
    }

    /// Whether a schedule alone is open at a moment.
    static func isOpen(_ schedule: OpeningSchedule, at now: Date, clock: CampusClock) -> Bool {
        let today = clock.local(now).day
        let bounds = (clock.date(day: today - reachDays), clock.date(day: today + reachDays + 1))
        return OpeningInterval.merged(intervals(of: schedule, around: today, clock: clock, within: bounds))
            .contains { $0.contains(now) }
    }

    /// The spans between two moments, each with the schedule in force; they follow one another without a gap.
    private static func spans(
        of facility: Facility,
        from first: Date,
        to last: Date
    ) -> [(start: Date, end: Date, schedule: OpeningSchedule?)] {
        let windows = facility.specials.compactMap(\.window)
        let inside = windows.flatMap { [$0.lowerBound, $0.upperBound] }.filter { first < $0 && $0 < last }
        let bounds = [first] + Set(inside).sorted() + [last]
        return zip(bounds, bounds.dropFirst()).map { start, end in
            let special = facility.specials.first { special in
                special.window.map { $0.lowerBound <= start && end <= $0.upperBound } ?? false
            }
            return (start, end, special ?? facility.main)
        }
    }

    /// The concrete openings of one schedule, as if it were always in force.
    private static func intervals(
        of schedule: OpeningSchedule,
        around today: Int,
        clock: CampusClock,
        within bounds: (first: Date, last: Date)
    ) -> [OpeningInterval] {
        if schedule.isTwentyFourHours { return [OpeningInterval(bounds.first, bounds.last)] }
        var found: [OpeningInterval] = []
        for entry in schedule.entries {
            guard let startDay = entry.startDay, let start = entry.start, let end = entry.end, let nights = entry.nights
            else { continue }
            // An opening that began up to a week before may reach into the days that are read.
            let lowest = today - reachDays - 7
            // Day 0 was a Thursday.
            var day = lowest + ((startDay - (lowest + 3)) % 7 + 7) % 7
            while day <= today + reachDays + 1 {
                let interval = OpeningInterval(
                    clock.date(day: day, second: start),
                    clock.date(day: day + nights, second: end)
                )
                if interval.start < interval.end, interval.end > bounds.first { found.append(interval) }
                day += 7
            }
        }
        return found
    }
}
