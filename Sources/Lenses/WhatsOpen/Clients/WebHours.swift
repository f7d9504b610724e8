import Foundation

/// The hours as the web page reads them: every entry that touches today, wrapped ones too.
///
/// An opening moment counts as closed; a closing moment counts as open only after a midnight.
struct WebHours: HoursReading {
    func verdict(of facility: Facility, at now: LocalMoment, clock: CampusClock) -> HoursVerdict {
        guard let schedule = schedule(of: facility, at: now, clock: clock) else { return .crash(.t11) }
        if schedule.isTwentyFourHours { return HoursVerdict(.open) }
        let (today, second) = (now.weekday, now.second)
        let isOpen = schedule.entries.contains { entry in
            guard let startDay = entry.startDay, let endDay = entry.endDay, let start = entry.start, let end = entry.end
            else { return false }
            if startDay == endDay { return startDay == today && start < second && second < end }
            let isInside =
                startDay < endDay ? startDay <= today && today <= endDay : startDay <= today || today <= endDay
            guard isInside else { return false }
            if today == startDay { return start < second }
            if today == endDay { return second <= end }
            return true
        }
        return HoursVerdict(isOpen ? .open : .closed)
    }

    func schedule(of facility: Facility, at now: LocalMoment, clock: CampusClock) -> OpeningSchedule? {
        facility.specials.first { special in
            special.validStart?.date.map { $0 < now.date } == true
                && special.validEnd?.date.map { now.date < $0 } == true
        } ?? facility.main
    }
}
