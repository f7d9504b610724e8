package import Foundation

/// One facility at a moment in detail: its status and why, its week, and what each client makes of it.
package struct FacilityExplanation: Sendable {
    package let facility: Facility
    package let now: Date
    package let clock: CampusClock
    package let hours: OpeningHours
    package let status: FacilityStatus

    /// Works out the state of a facility at a moment.
    package init(_ facility: Facility, at now: Date, clock: CampusClock) {
        (self.facility, self.now, self.clock) = (facility, now, clock)
        hours = OpeningHours(facility, around: now, clock: clock)
        status = hours.status(at: now)
    }

    /// All parts, in reading order.
    package func sections(clients: [HoursClient] = HoursClient.allCases) -> [LensSection] {
        var sections = [
            LensSection(facility.title, .fields(facts)), LensSection("Why", .fields(reasons)),
            LensSection("This week", .table(week)),
        ]
        if !clients.isEmpty { sections.append(LensSection("What the clients say", .table(verdicts(clients)))) }
        if !facility.warnings.isEmpty {
            let rows = facility.warnings.map { [LensText($0.text, .warning), LensText($0.pointer, .faint)] }
            sections.append(LensSection("Warnings", .table(LensTable(columns: ["warning", "where"], rows: rows))))
        }
        return sections
    }

    /// The status of the facility and what it is, a field each; an empty field is left out.
    package var facts: [LensField] {
        let words = FacilityWords(status, at: now, clock: clock)
        let facts = [
            ("slug", facility.slug), ("at", clock.full(now)), ("category", facility.category?.name ?? ""),
            (
                "location",
                facility.location.map { place in [place.title, place.building].uniqued.joined(separator: ", ") } ?? ""
            ),
            ("address", facility.location?.address ?? ""), ("campus", facility.location?.region ?? ""),
            ("phone", facility.phone), ("tags", facility.tags.joined(separator: ", ")),
            ("labels", facility.labels.joined(separator: ", ")), ("note", facility.note),
        ]
        // A place that does not close does not open either.
        let next = status.isOpenThroughout ? "" : status.opensNext.map(clock.full) ?? "not within 8 days"
        return [
            LensField("now", LensText(words.sentence, status.isOpen ? .good : .bad)),
            LensField("open today", status.isOpenToday ? "yes" : "no"),
        ] + ([("opens next", next)] + facts).filter { !$0.1.isEmpty }.map { LensField($0.0, $0.1) }
    }

    /// The schedule in force and why, the interval, and the clock change that plays a part.
    package var reasons: [LensField] {
        var fields: [LensField] = []
        if let schedule = status.schedule {
            let isSpecial = facility.specials.contains(schedule)
            fields.append(
                LensField(
                    "schedule",
                    "“\(schedule.name)”, "
                        + (isSpecial
                            ? "the first special schedule in force"
                            : facility.specials.isEmpty
                                ? "the main one; there is no special schedule"
                                : "the main one; no special schedule is in force")
                )
            )
        } else {
            fields.append(LensField("schedule", LensText("none: there is no main schedule", .warning)))
        }
        for special in facility.specials { fields.append(LensField("special", reason(special))) }
        if let schedule = status.schedule, schedule.isTwentyFourHours {
            fields.append(LensField("hours", "24 hours a day, whatever its entries say"))
        } else if let interval = status.interval {
            let entry = status.schedule?.entries.first { $0.covers(clock.local(now)) }
            if let entry { fields.append(LensField("entry", "\(entry.words)  \(entry.pointer)")) }
            let start = hours.start(of: interval).map(clock.full) ?? "more than 8 days ago"
            let end = hours.end(of: interval).map(clock.full) ?? "no closing within 8 days"
            fields.append(LensField("interval", "\(start) to \(end)"))
        } else {
            let count = status.schedule?.entries.count ?? 0
            fields.append(
                LensField("entry", count == 0 ? "none: there are no opening times" : "none of \(count) holds now")
            )
        }
        let today = clock.local(now).day
        for day in today...today + 1 {
            guard let change = clock.change(on: day) else { continue }
            let hours = "\(abs(change.seconds) / 60) min"
            let words = change.seconds > 0 ? "the clock skips \(hours)" : "\(hours) come twice"
            fields.append(LensField("clock change", LensText("\(clock.full(change.at)): \(words)", .warning)))
        }
        return fields
    }

    private func reason(_ special: OpeningSchedule) -> LensText {
        guard let window = special.window else {
            return LensText("“\(special.name)”: no usable dates, never in force", .warning)
        }
        let dates = "\(clock.full(window.lowerBound)) to \(clock.full(window.upperBound))"
        if now < window.lowerBound { return LensText("“\(special.name)”: not yet, \(dates)", .faint) }
        if window.upperBound < now { return LensText("“\(special.name)”: past, \(dates)", .warning) }
        return special == status.schedule
            ? LensText("“\(special.name)”: in force, \(dates)", .good)
            : LensText("“\(special.name)”: in its window, \(dates), but after another", .faint)
    }

    /// Monday to Sunday, each with the openings that touch it.
    private var week: LensTable {
        let local = clock.local(now)
        let monday = local.day - local.weekday
        let rows = (monday...monday + 6).map { day -> [LensText] in
            let intervals = hours.intervals(on: day).map { words($0, on: day) }
            let name = OpeningEntry.dayNames[day - monday]
            return [
                LensText(name + (day == local.day ? " ←" : "")),
                intervals.isEmpty ? LensText("closed", .faint) : LensText(intervals.joined(separator: ", ")),
            ]
        }
        return LensTable(columns: ["day", "open"], rows: rows)
    }

    /// An opening as a day has it: `07:00–Sat 02:00`; `24 hours` where it is all of the day.
    private func words(_ opening: OpeningInterval, on day: Int) -> String {
        let noon = clock.date(day: day, second: 43_200)
        if opening.start <= clock.date(day: day), opening.end >= clock.date(day: day + 1) { return "24 hours" }
        let start = hours.start(of: opening).map { clock.short($0, beside: noon) } ?? ""
        let end = hours.end(of: opening).map { clock.short($0, beside: noon) } ?? ""
        return "\(start)–\(end)"
    }

    private func verdicts(_ clients: [HoursClient]) -> LensTable {
        let comparisons = WeekComparison.comparing(clients, hours, at: now)
        let local = clock.local(now)
        let rows = zip(clients, comparisons).map { client, comparison -> [LensText] in
            let verdict = client.verdict(of: facility, at: local, clock: clock)
            let isRight = verdict.answer == (status.isOpen ? .open : .closed)
            var because = comparison.causes.map { "\($0.bug.rawValue) \($0.minutes)" }.joined(separator: ", ")
            if let crash = comparison.crash {
                because = [crash.rawValue + " crash", because].filter { !$0.isEmpty }.joined(separator: ", ")
            }
            return [
                LensText(client.title),
                LensText(verdict.answer.rawValue + (isRight ? "" : " ✗"), isRight ? .plain : .bad),
                LensText(text(verdict), .faint),
                LensText("\(comparison.minutesWrong)", comparison.minutesWrong == 0 ? .plain : .warning),
                LensText(because, .faint),
            ]
        }
        return LensTable(columns: ["client", "says", "in its words", "minutes wrong a week", "because of"], rows: rows)
    }

    /// What a client shows, and where that is wrong, why.
    private func text(_ verdict: HoursVerdict) -> String {
        if let bug = verdict.bug { return "\(bug.rawValue): \(bug.sentence)" }
        return verdict.text ?? ""
    }
}

extension [String] {
    /// The texts that are not empty, each once.
    fileprivate var uniqued: [String] {
        reduce(into: []) { if !$1.isEmpty, !$0.contains($1) { $0.append($1) } }
    }
}
