extension ClientBug {
    /// Finds the bug that makes a client's answer differ from ours at a moment.
    ///
    /// - Parameters:
    ///   - client: the client that answers.
    ///   - facility: the facility that the answer is about.
    ///   - now: the moment.
    ///   - saysOpen: the wrong answer.
    ///   - clock: the zone's clock.
    /// - Returns: the likeliest bug; T5, a matter of moments, where no other bug explains the answer.
    static func explaining(
        _ client: HoursClient,
        _ facility: Facility,
        at now: LocalMoment,
        saysOpen: Bool,
        clock: CampusClock
    ) -> ClientBug {
        let ours = facility.schedule(at: now.date)
        guard let schedule = client.reading.schedule(of: facility, at: now, clock: clock), schedule == ours else {
            return client == .android ? .a1 : .t5
        }
        let covering = schedule.entries.first { $0.covers(now) }
        if client == .ios {
            return saysOpen ? opened(facility, schedule, now) : closed(schedule, covering, now)
        }
        guard !saysOpen, let covering, let start = covering.startDay, let end = covering.endDay else { return .t5 }
        if start == end, covering.nights == 1 { return .sv1 }
        if client == .android {
            if start > end { return .t3 }
            if now.weekday != start, now.weekday != end { return .t6 }
        }
        return .t5
    }

    /// Why the iPhone app shows an open place closed.
    private static func closed(_ schedule: OpeningSchedule, _ covering: OpeningEntry?, _ now: LocalMoment) -> ClientBug
    {
        guard let covering, let start = covering.startDay, let end = covering.endDay else { return .t5 }
        let spansDays = start != end && (covering.end ?? 0) >= (covering.start ?? 0)
        if now.weekday != start { return spansDays ? .t6 : .t1 }
        if start > end { return .t3 }
        guard let taken = IPhoneHours.entry(of: schedule, on: now.weekday), taken != covering else {
            return spansDays ? .t6 : .t5
        }
        return taken.startDay == now.weekday ? .t4 : .t2
    }

    /// Why the iPhone app shows a closed place open.
    private static func opened(_ facility: Facility, _ schedule: OpeningSchedule, _ now: LocalMoment) -> ClientBug {
        if facility.main?.isTwentyFourHours == true, !schedule.isTwentyFourHours { return .t8 }
        guard let taken = IPhoneHours.entry(of: schedule, on: now.weekday) else { return .t5 }
        if let end = taken.end, (0..<60).contains(now.second - end) { return .t5 }
        if taken.startDay != taken.endDay, (taken.end ?? 0) >= (taken.start ?? 0) { return .t6 }
        return taken.startDay == now.weekday ? .t5 : .t2
    }
}

extension OpeningEntry {
    /// Whether the entry alone is open at a moment.
    func covers(_ now: LocalMoment) -> Bool {
        guard let startDay, let start, let end, let nights else { return false }
        let since = (now.weekday - startDay + 7) % 7 * OpeningEntry.daySeconds + now.second - start
        return since >= 0 && since < nights * OpeningEntry.daySeconds + end - start
    }
}
