import Foundation
import Traffic

/// The hours as the Android app reads them: entries of today, and those that began earlier in the week and end today; neither end counts.
struct AndroidHours: HoursReading {
    func verdict(of facility: Facility, at now: LocalMoment, clock: CampusClock) -> HoursVerdict {
        for special in facility.specials {
            guard let window = Self.window(special, clock) else { return .crash(.a2) }
            if window.contains(now.date) { break }
        }
        guard let schedule = schedule(of: facility, at: now, clock: clock) else { return .crash(.t11) }
        if schedule.isTwentyFourHours { return HoursVerdict(.open, text: "Open 24/7") }
        let (today, second) = (now.weekday, now.second)
        for entry in schedule.entries {
            guard let startDay = entry.startDay, let endDay = entry.endDay else { continue }
            let isToday = startDay == today && endDay >= today || startDay < today && endDay == today
            guard isToday else { continue }
            guard let start = entry.start, let end = entry.end else { return HoursVerdict(.closed) }
            if (startDay < today || second > start) && (endDay > today || second < end) { return HoursVerdict(.open) }
        }
        return HoursVerdict(.closed)
    }

    func schedule(of facility: Facility, at now: LocalMoment, clock: CampusClock) -> OpeningSchedule? {
        facility.specials.first { Self.window($0, clock)?.contains(now.date) ?? false } ?? facility.main
    }

    /// The app's window of a special schedule: from midnight of the first date to midnight of the last, whatever their times are (A1).
    static func window(_ special: OpeningSchedule, _ clock: CampusClock) -> ClosedRange<Date>? {
        guard let start = midnight(special.validStart, clock), let end = midnight(special.validEnd, clock) else {
            return nil
        }
        return start <= end ? start...end : start...start
    }

    private static func midnight(_ date: WireDate?, _ clock: CampusClock) -> Date? {
        guard let date, let micros = Timestamp.microseconds(String(date.text.prefix(10)) + "T00:00:00Z") else {
            return nil
        }
        return clock.date(day: Int(micros / 86_400_000_000))
    }
}
