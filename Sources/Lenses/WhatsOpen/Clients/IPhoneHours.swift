import Foundation

/// The hours as the iPhone app 1.2.1 reads them: the first entry that touches today, compared by times of the day.
struct IPhoneHours: HoursReading {
    private static let lastSecond = OpeningEntry.daySeconds - 1

    func verdict(of facility: Facility, at now: LocalMoment, clock: CampusClock) -> HoursVerdict {
        if crashesOnDates(of: facility, at: now) { return .crash(.t10) }
        guard let schedule = schedule(of: facility, at: now, clock: clock) else { return .crash(.t11) }
        if schedule.isTwentyFourHours { return HoursVerdict(.open, text: "Open all day") }
        guard let entry = Self.entry(of: schedule, on: now.weekday) else {
            return HoursVerdict(.closed, text: "Closed")
        }
        let times: (start: Int, end: Int)
        if facility.main?.isTwentyFourHours == true {
            times = (0, Self.lastSecond)  // T8
        } else if !entry.warnings.contains(where: { $0.kind == .time }), let start = entry.start, let end = entry.end {
            times = (start, end)
        } else {
            return .crash(.t7)
        }
        var end = times.end
        if end < times.start {
            end = Self.lastSecond
            // Strictly after midnight (T12) the end is today's, but the start is too (T1).
            if now.second > 0, now.second < times.end { end = times.end }
        }
        // Both ends count (T5).
        let isOpen = times.start <= now.second && now.second <= end
        return isOpen
            ? HoursVerdict(.open, text: "Open until \(Self.twelveHours(times.end))")
            : HoursVerdict(.closed, text: "Closed until \(Self.twelveHours(times.start))")
    }

    /// The first special whose window holds this moment, its ends left out; else the main schedule.
    ///
    /// The app force-unwraps the dates of every special that comes before.
    func schedule(of facility: Facility, at now: LocalMoment, clock: CampusClock) -> OpeningSchedule? {
        facility.specials.first { special in
            special.validStart?.date.map { $0 < now.date } == true
                && special.validEnd?.date.map { now.date < $0 } == true
        } ?? facility.main
    }

    private func crashesOnDates(of facility: Facility, at now: LocalMoment) -> Bool {
        for special in facility.specials {
            guard let start = special.validStart, let end = special.validEnd, start.isPlainInternet,
                end.isPlainInternet,
                let from = start.date, let to = end.date
            else { return true }
            if from < now.date, now.date < to { return false }
        }
        return false
    }

    /// The entry that the app takes for a day: the first whose days hold that day.
    ///
    /// An entry that wraps over Sunday holds no day (T2, T3, T4).
    static func entry(of schedule: OpeningSchedule, on weekday: Int) -> OpeningEntry? {
        schedule.entries.first { entry in
            guard let start = entry.startDay, let end = entry.endDay else { return false }
            return start <= weekday && weekday <= end
        }
    }

    /// `2:00 AM`.
    static func twelveHours(_ second: Int) -> String {
        let (hour, minute) = (second / 3600 % 24, second / 60 % 60)
        return "\(hour % 12 == 0 ? 12 : hour % 12):\(minute < 10 ? "0" : "")\(minute) \(hour < 12 ? "AM" : "PM")"
    }
}
