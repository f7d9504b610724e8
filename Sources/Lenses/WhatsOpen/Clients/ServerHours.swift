/// The hours as the server reads them, by which `open_now` and `closed_now` select: days and times of day, entry by entry, both ends counted.
struct ServerHours: HoursReading {
    func verdict(of facility: Facility, at now: LocalMoment, clock: CampusClock) -> HoursVerdict {
        guard let schedule = schedule(of: facility, at: now, clock: clock) else { return HoursVerdict(.closed) }
        return HoursVerdict(isOpen(schedule, at: now) ? .open : .closed)
    }

    func schedule(of facility: Facility, at now: LocalMoment, clock: CampusClock) -> OpeningSchedule? {
        facility.schedule(at: now.date)
    }

    private func isOpen(_ schedule: OpeningSchedule, at now: LocalMoment) -> Bool {
        if schedule.isTwentyFourHours { return true }
        let today = now.weekday
        return schedule.entries.contains { entry in
            guard let startDay = entry.startDay, let endDay = entry.endDay, let start = entry.start, let end = entry.end
            else { return false }
            let isInside =
                startDay <= endDay ? startDay <= today && today <= endDay : startDay <= today || today <= endDay
            guard isInside else { return false }
            if today == startDay, now.second < start { return false }
            // The server keeps fractions: half a second past the end is past it.
            if today == endDay, now.second > end || now.second == end && now.fraction > 0 { return false }
            return true
        }
    }
}
