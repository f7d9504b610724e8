import Foundation

/// The true opening hours of a facility: intervals on the campus's clock, across switches of schedules.
///
/// The browsable page of a facility shows them; `open_now` selects by ``ServerHours``, with its quirks.
struct OpeningHours: Sendable {
    /// How far ahead and back intervals are built, in days.
    static let horizonDays = 8
    /// Gaps up to this long are closed: an entry until 23:59:59 or 23:59:00 means midnight.
    private static let joinedGapSeconds = 60.0

    /// The state of a facility at an instant.
    struct Answer: Equatable {
        let isOpen: Bool
        /// When the opening that contains the instant ends; nil when closed, or open beyond the horizon.
        let closes: Date?
        /// The first opening that starts after the instant; nil when none does within the horizon.
        let opensNext: Date?
    }

    let time: WallTime

    /// The facility's state at an instant.
    func answer(for facility: ListedFacility, at now: Date) -> Answer? {
        guard let first = time.date(daysFrom: now, -Self.horizonDays),
            let last = time.date(daysFrom: now, Self.horizonDays + 1)
        else { return nil }
        let openings = openings(of: facility, from: first, to: last)
        let current = openings.first { $0.start <= now && now < $0.end }
        return Answer(
            isOpen: current != nil,
            closes: current.flatMap { $0.end < last ? $0.end : nil },
            opensNext: openings.first { $0.start > now }?.start
        )
    }

    /// A half-open stretch of time.
    private struct Opening {
        var start: Date
        var end: Date
    }

    /// Cuts the window where a special begins or ends, lets the schedule in force fill each piece, and joins what touches.
    private func openings(of facility: ListedFacility, from first: Date, to last: Date) -> [Opening] {
        let switches = facility.specials.flatMap { [$0.validStart, $0.validEnd] }.compactMap { $0 }
            .filter { $0 > first && $0 < last }
        let cuts = ([first, last] + switches).sorted()
        var found: [Opening] = []
        for (start, end) in zip(cuts, cuts.dropFirst()) where start < end {
            let middle = start.addingTimeInterval(end.timeIntervalSince(start) / 2)
            guard let schedule = facility.specials.first(where: { $0.isInForce(at: middle) }) ?? facility.main else {
                continue
            }
            for opening in weekly(schedule, around: first, to: last) where opening.start < end && opening.end > start {
                found.append(Opening(start: max(opening.start, start), end: min(opening.end, end)))
            }
        }
        return Self.joined(found)
    }

    /// The concrete openings of one schedule, as if it were in force all the time.
    private func weekly(_ schedule: Schedule, around first: Date, to last: Date) -> [Opening] {
        if schedule.isTwentyFourHours { return [Opening(start: first, end: last)] }
        let days = Self.horizonDays * 2 + 1
        return schedule.openTimes.flatMap { entry in
            (-7...days).compactMap { day -> Opening? in
                guard let midday = time.date(daysFrom: first, day, second: 43_200),
                    time.parts(of: midday).weekday == entry.startDay
                else { return nil }
                var length = (entry.endDay - entry.startDay + 7) % 7
                if length == 0, entry.end < entry.start { length = 1 }
                guard let start = time.date(daysFrom: midday, 0, second: entry.start),
                    let end = time.date(daysFrom: midday, length, second: entry.end), start < end
                else { return nil }
                return Opening(start: start, end: end)
            }
        }
    }

    private static func joined(_ openings: [Opening]) -> [Opening] {
        var joined: [Opening] = []
        for opening in openings.sorted(by: { ($0.start, $0.end) < ($1.start, $1.end) }) {
            if let last = joined.last, opening.start.timeIntervalSince(last.end) <= joinedGapSeconds {
                joined[joined.count - 1].end = max(last.end, opening.end)
            } else {
                joined.append(opening)
            }
        }
        return joined
    }
}
