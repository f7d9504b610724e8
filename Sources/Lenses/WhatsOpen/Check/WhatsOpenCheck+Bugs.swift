import Foundation
import Traffic

extension WhatsOpenCheck {
    /// The known bugs of the clients that these facilities bring out in the week of the answer.
    mutating func bugs(_ facilities: [Facility]) {
        var boundary: [Facility] = []
        var midnight: [Facility] = []
        var untilPast: [(facility: Facility, text: String)] = []
        for facility in facilities {
            let hours = OpeningHours(facility, around: now, clock: clock)
            let comparisons = WeekComparison.comparing([.ios, .android, .server], hours, at: now)
            crashes(facility)
            for cause in comparisons[0].causes where ![.t5, .t3].contains(cause.bug) {
                add(cause.bug, facility, comparisons[0], cause.minutes)
            }
            if comparisons[2].causes.contains(where: { $0.bug == .sv1 }) {
                add(.sv1, facility, comparisons[2], comparisons[2].causes.first { $0.bug == .sv1 }?.minutes ?? 0)
            }
            if comparisons[1].causes.contains(where: { $0.bug == .a1 }) {
                add(.a1, facility, comparisons[1], comparisons[1].causes.first { $0.bug == .a1 }?.minutes ?? 0)
            }
            wrapped(facility, comparisons[0])
            if comparisons.contains(where: { $0.causes.contains { $0.bug == .t5 } }) { boundary.append(facility) }
            if facility.main?.entries.contains(where: { ($0.end ?? 0) < ($0.start ?? 0) }) == true {
                midnight.append(facility)
            }
            if let text = pastOpening(facility, hours) { untilPast.append((facility, text)) }
            names(facility)
        }
        together(.t5, boundary, "at the minutes of opening and closing of")
        together(.t12, midnight, "at midnight exactly:")
        if let first = untilPast.first {
            let rest = untilPast.count == 1 ? "" : "; \(untilPast.count - 1) more like it"
            add(
                WhatsOpenRules.rule(.t9),
                first.facility.pointer,
                "at \(clock.time(now)) it writes “\(first.text)” beside \(first.facility.title)\(rest)"
            )
        }
        filters(facilities)
    }

    private mutating func add(_ bug: ClientBug, _ facility: Facility, _ comparison: WeekComparison, _ minutes: Int) {
        let stretches = comparison.stretches.filter { $0.bug == bug }
        guard let first = stretches.first else { return }
        let end = first.start.addingTimeInterval(Double(first.minutes) * 60)
        let span = "\(clock.weekTime(first.start)) to \(clock.short(end, beside: first.start))"
        let times = stretches.count == 1 ? "once" : "\(stretches.count) times"
        add(
            WhatsOpenRules.rule(bug),
            facility.schedule(at: first.start)?.pointer ?? facility.pointer,
            "\(facility.title) is shown \(first.says.rawValue) for \(minutes.counted("minute")) of the week by mistake, \(times), first from \(span)",
            consequence: "the \(comparison.client.title) shows it \(first.says.rawValue) from \(span)"
        )
    }

    /// Adds the facilities that make an app crash, whatever the time is.
    private mutating func crashes(_ facility: Facility) {
        for special in facility.specials {
            let dates = [("valid_start", special.validStart), ("valid_end", special.validEnd)]
            for (name, date) in dates where date?.isPlainInternet != true {
                let found = date.map { "“\($0.text)”" } ?? "null"
                add(
                    WhatsOpenRules.rule(.t10),
                    JSONPointer.child(name, of: special.pointer),
                    "\(name) of “\(special.name)” of \(facility.title) is \(found), which the iPhone app forces into a date"
                )
            }
            if dates.contains(where: { ($0.1?.text ?? "").isEmpty }) {
                add(
                    WhatsOpenRules.rule(.a2),
                    special.pointer,
                    "“\(special.name)” of \(facility.title) has no dates, which the Android app reads without asking"
                )
            }
        }
        if facility.main == nil {
            add(
                WhatsOpenRules.rule(.t11),
                facility.pointer,
                "\(facility.title) has no main_schedule, which the iPhone app forces"
            )
        }
        for entry in ([facility.main].compactMap { $0 } + facility.specials).flatMap(\.entries) {
            guard let warning = entry.warnings.first(where: { $0.kind == .time }) else { continue }
            add(WhatsOpenRules.rule(.t7), warning.pointer, "\(warning.text), which the iPhone app forces into a time")
        }
    }

    private mutating func wrapped(_ facility: Facility, _ comparison: WeekComparison) {
        guard let entry = facility.main?.entries.first(where: { ($0.startDay ?? 0) > ($0.endDay ?? 7) }) else { return }
        let minutes = comparison.causes.first { $0.bug == .t3 }?.minutes ?? 0
        let message = "\(entry.words) of \(facility.title) is never chosen by the iPhone and Android apps"
        let outcome =
            minutes == 0
            ? "; the iPhone app shows that day right by the entry before it"
            : "; \(minutes.counted("minute of the week is", "minutes of the week are")) shown wrong"
        add(WhatsOpenRules.rule(.t3), entry.pointer, message + outcome)
    }

    /// The text that the iPhone app shows when it names an opening that is past; `nil` where it names none.
    private func pastOpening(_ facility: Facility, _ hours: OpeningHours) -> String? {
        let local = clock.local(now)
        let verdict = HoursClient.ios.verdict(of: facility, at: local, clock: clock)
        guard verdict.answer == .closed, let text = verdict.text, text != "Closed",
            let schedule = facility.schedule(at: now),
            let start = IPhoneHours.entry(of: schedule, on: local.weekday)?.start, start < local.second
        else { return nil }
        return text
    }

    private mutating func names(_ facility: Facility) {
        if facility.name.contains("'") {
            add(
                WhatsOpenRules.quote,
                JSONPointer.child("facility_name", of: facility.pointer),
                "“\(facility.name)” has an apostrophe, which ends the text in the iPhone app's predicate"
            )
        }
    }

    private mutating func filters(_ facilities: [Facility]) {
        let labelled = facilities.filter { !$0.labels.isEmpty }
        if let first = labelled.first {
            add(
                WhatsOpenRules.labels,
                JSONPointer.child("facility_labels", of: first.pointer),
                "\(labelled.count.counted("facility has", "facilities have")) labels, such as “\(first.labels[0])” of \(first.title)"
            )
        }
        let capital = facilities.first { ($0.category?.name ?? "").contains(where: \.isUppercase) }
        if facilities.count > 1, let capital, let name = capital.category?.name {
            add(
                WhatsOpenRules.capitals,
                JSONPointer.child("name", of: JSONPointer.child("facility_category", of: capital.pointer)),
                "“\(name)” is kept as “\(name.lowercased())” and looked for as “\(name)”"
            )
        }
    }

    private mutating func together(_ bug: ClientBug, _ facilities: [Facility], _ words: String) {
        guard let first = facilities.first else { return }
        let rest = facilities.count == 1 ? "" : " and \(facilities.count - 1) more"
        add(WhatsOpenRules.rule(bug), first.pointer, "\(words) \(first.title)\(rest)")
    }

    /// Checks that `open_now` and `closed_now` selected the right facilities, by the clock of the answer.
    mutating func selection(_ facilities: [Facility]) {
        let wantsOpen = request.has("open_now")
        guard wantsOpen != request.has("closed_now") else { return }
        var wrong: [Facility] = []
        for facility in facilities {
            let hours = OpeningHours(facility, around: now, clock: clock)
            guard hours.status(at: now).isOpen != wantsOpen else { continue }
            wrong.append(facility)
            let server = HoursClient.server.verdict(of: facility, at: clock.local(now), clock: clock).answer == .open
            let why = server == wantsOpen ? ", as its own way of reading says" : ""
            add(
                WhatsOpenRules.openNow,
                facility.pointer,
                "\(facility.title) is \(wantsOpen ? "closed" : "open") at \(clock.full(now)), and the server serves it as \(wantsOpen ? "open" : "closed")\(why)"
            )
        }
        guard !wrong.isEmpty else { return }
        let utc = CampusClock(.gmt, around: now)
        let local = utc.local(now)
        let byUTC = facilities.allSatisfy { facility in
            (HoursClient.server.verdict(of: facility, at: local, clock: utc).answer == .open) == wantsOpen
        }
        let byCampus = facilities.allSatisfy { facility in
            (HoursClient.server.verdict(of: facility, at: clock.local(now), clock: clock).answer == .open) == wantsOpen
        }
        if byUTC, !byCampus {
            add(
                WhatsOpenRules.rule(.sv3),
                wrong[0].pointer,
                "what it selected is right by the hours of UTC, not of the campus"
            )
        }
    }
}
