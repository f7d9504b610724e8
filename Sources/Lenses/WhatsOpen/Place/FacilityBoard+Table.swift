extension FacilityBoard {
    /// The table of all facilities: their hours, and what the compared clients would say, or how many minutes of the week each client is wrong.
    package var table: LensTable {
        let rows = list.elements
        let clients = rows.first?.verdicts.map(\.client) ?? []
        let isWeekly = rows.first?.weeks.isEmpty == false
        let columns =
            ["facility", "now"] + (isWeekly ? clients.map { "\($0.rawValue) wrong" } : [])
            + ["closes", "opens next"] + clients.map(\.title) + (isWeekly ? [] : ["schedule", "campus", "warnings"])
        return LensTable(columns: columns, rows: rows.map { cells($0, isWeekly) }, isWhole: true)
    }

    private func cells(_ row: FacilityRow, _ isWeekly: Bool) -> [LensText] {
        let words = FacilityWords(row.status, at: list.now, clock: list.clock)
        var cells = [LensText(row.facility.title), words.state]
        if isWeekly { cells += row.weeks.map(Self.minutes) }
        cells += [LensText(words.closes), LensText(words.opensNext)]
        cells += row.verdicts.map { verdict in
            let isRight = row.isRight(verdict.verdict)
            let bug = verdict.verdict.bug.map { " \($0.rawValue)" } ?? ""
            return LensText(verdict.verdict.answer.rawValue + bug + (isRight ? "" : " ✗"), isRight ? .faint : .bad)
        }
        if isWeekly { return cells }
        return cells + [
            LensText(row.status.schedule?.name ?? "none", .faint),
            LensText(row.facility.location?.region ?? "", .faint),
            LensText(DataWarning.summary(row.facility.warnings), .warning),
        ]
    }

    /// `1050 min: T1 840, T2 210`.
    private static func minutes(_ week: WeekComparison) -> LensText {
        if let crash = week.crash { return LensText("crash \(crash.rawValue)", .bad) }
        guard week.minutesWrong > 0 else { return LensText("0", .faint) }
        let causes = week.causes.map { "\($0.bug.rawValue) \($0.minutes)" }.joined(separator: ", ")
        return LensText(
            "\(week.minutesWrong) min: \(causes)",
            week.causes.allSatisfy { $0.bug == .t5 } ? .faint : .warning
        )
    }
}
