package import Foundation

/// The minutes of a week in which a client is wrong about a facility.
///
/// The week is that of the moment asked about, Monday to Sunday by the local calendar. A minute is judged by its first moment.
package struct WeekComparison: Sendable, Equatable {
    /// Minutes in a row that a client is wrong for one reason.
    package struct Stretch: Sendable, Equatable {
        package let start: Date
        package let minutes: Int
        package let says: HoursVerdict.Answer
        package let bug: ClientBug
    }

    package let client: HoursClient
    /// The stretches in which the client is wrong, in order.
    package private(set) var stretches: [Stretch] = []
    /// The bug that makes the client crash at some time of the week; `nil` where it never crashes.
    package private(set) var crash: ClientBug?

    /// The count of minutes in which the client is wrong, crashes left out.
    package var minutesWrong: Int { stretches.reduce(0) { $0 + $1.minutes } }

    /// The minutes by bug, the bug with the most first.
    package var causes: [(bug: ClientBug, minutes: Int)] {
        var minutes: [ClientBug: Int] = [:]
        for stretch in stretches { minutes[stretch.bug, default: 0] += stretch.minutes }
        return minutes.map { (bug: $0.key, minutes: $0.value) }
            .sorted { ($0.minutes, $1.bug.rawValue) > ($1.minutes, $0.bug.rawValue) }
    }

    /// Compares clients with the truth in the week of a moment that the hours were made for.
    package static func comparing(
        _ clients: [HoursClient],
        _ hours: OpeningHours,
        at now: Date
    ) -> [WeekComparison] {
        let week = week(of: now, hours)
        return clients.map { client in
            var comparison = WeekComparison(client: client)
            for (place, minute) in week.bounds.enumerated().dropLast() {
                let isOpen = week.isOpen[place]
                let moment = week.moments[place]
                let verdict = client.verdict(of: hours.facility, at: moment, clock: hours.clock)
                comparison.add(verdict, isOpen, moment, week.bounds[place + 1] - minute, hours)
            }
            return comparison
        }
    }

    private init(client: HoursClient) { self.client = client }

    private mutating func add(
        _ verdict: HoursVerdict,
        _ isOpen: Bool,
        _ moment: LocalMoment,
        _ minutes: Int,
        _ hours: OpeningHours
    ) {
        if verdict.answer == .crash { return crash = crash ?? verdict.bug }
        guard (verdict.answer == .open) != isOpen else { return }
        let bug = ClientBug.explaining(
            client,
            hours.facility,
            at: moment,
            saysOpen: verdict.answer == .open,
            clock: hours.clock
        )
        if let last = stretches.last, last.bug == bug, last.says == verdict.answer,
            last.start.addingTimeInterval(Double(last.minutes) * 60) == moment.date
        {
            stretches[stretches.count - 1] = Stretch(
                start: last.start,
                minutes: last.minutes + minutes,
                says: last.says,
                bug: bug
            )
        } else {
            stretches.append(Stretch(start: moment.date, minutes: minutes, says: verdict.answer, bug: bug))
        }
    }

    /// The week cut at every minute at which any answer may change: minutes since its start, with the truth from each on.
    private static func week(
        of now: Date,
        _ hours: OpeningHours
    ) -> (bounds: [Int], moments: [LocalMoment], isOpen: [Bool]) {
        let clock = hours.clock
        let local = clock.local(now)
        let monday = local.day - local.weekday
        let start = clock.date(day: monday)
        let count = Int(clock.date(day: monday + 7).timeIntervalSince(start) / 60)
        var cuts: Set<Int> = [0, count]
        func cut(at date: Date) {
            let minute = Int((date.timeIntervalSince(start) / 60).rounded(.down))
            for minute in [minute, minute + 1] where 0 < minute && minute < count { cuts.insert(minute) }
        }
        let facility = hours.facility
        let schedules = facility.specials + [facility.main].compactMap { $0 }
        let times = Set(schedules.flatMap { $0.entries.flatMap { [$0.start, $0.end].compactMap { $0 } } } + [0])
        for day in monday...monday + 7 {
            for time in times { cut(at: clock.date(day: day, second: time)) }
            if let change = clock.change(on: day) {
                // A minute that the clock shows twice is judged twice.
                for time in times {
                    cut(at: clock.date(day: day, second: time).addingTimeInterval(Double(-change.seconds)))
                }
                cut(at: change.at)
            }
        }
        for special in facility.specials {
            for window in [special.window, AndroidHours.window(special, clock)].compactMap({ $0 }) {
                cut(at: window.lowerBound)
                cut(at: window.upperBound)
            }
        }
        for interval in hours.intervals {
            cut(at: interval.start)
            cut(at: interval.end)
        }
        let bounds = cuts.sorted()
        let dates = bounds.map { start.addingTimeInterval(Double($0) * 60) }
        return (bounds, dates.map(clock.local), dates.map { date in hours.intervals.contains { $0.contains(date) } })
    }
}
