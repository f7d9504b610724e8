import Foundation
import Lenses
import Traffic

extension FacilityBoard {
    private var rows: [FacilityRow] { list.elements }

    /// The lines to print: a table for people.
    func lines(_ console: Console) -> [String] {
        let open = rows.filter(\.status.isOpen).count
        let newer = newer == 0 ? "" : "; \(newer) of them as newer exchanges have them"
        let head = "\(list.count) facilities, \(open) open at \(list.clock.full(list.now))"
        var lines = [console.style.paint(head, .bold), list.origin + newer]
        if !rows.isEmpty { lines += LensViewPrinter(console).lines(table) }
        let disputed = rows.filter(\.isDisputed)
        if !disputed.isEmpty {
            let names = disputed.prefix(5).map { VisibleText.line($0.facility.title) }.joined(separator: ", ")
            let more = disputed.count > 5 ? " and \(disputed.count - 5) more" : ""
            lines.append(console.style.paint("The clients disagree about \(names)\(more)", .yellow))
        }
        return lines
    }

    private var table: LensTable {
        let clients = rows.first?.verdicts.map(\.client) ?? []
        let isWeekly = rows.first?.weeks.isEmpty == false
        let columns =
            ["facility", "now"] + (isWeekly ? clients.map { "\($0.rawValue) wrong" } : [])
            + ["closes", "opens next"] + clients.map(\.title) + (isWeekly ? [] : ["schedule", "campus", "warnings"])
        var table = LensTable(columns: columns, rows: rows.map { cells($0, isWeekly) })
        // A person asked for all of them.
        table.rows = rows.map { cells($0, isWeekly) }
        return table
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
