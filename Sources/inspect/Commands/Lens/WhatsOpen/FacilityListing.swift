import Foundation
import Lenses
import Traffic

/// Facilities as a table for people, and as JSON.
struct FacilityListing {
    let list: CampusListing<FacilityRow>
    /// How many are as newer exchanges than the list's have them.
    let newer: Int
    /// The exchanges of those, by slug.
    let newerIDs: [String: ExchangeID]

    private var rows: [FacilityRow] { list.elements }

    /// The lines to print.
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

    /// One object.
    var json: [UInt8] { list.json("facilities", write) }

    private func write(_ row: FacilityRow, to json: inout JSONWriter) {
        FacilityListing.write(row.facility, row.status, list.clock, to: &json)
        json.integer("exchange", newerIDs[row.facility.slug] ?? list.exchange)
        json.objects("hours", row.week) { interval, json in
            json.string("start", list.clock.timestamp(interval.start))
            json.string("end", list.clock.timestamp(interval.end))
        }
        guard !row.verdicts.isEmpty else { return }
        json.boolean("disputed", row.isDisputed)
        json.objects("compare", row.verdicts.enumerated()) { compared, json in
            let (client, verdict) = compared.element
            json.string("client", client.rawValue)
            json.string("says", verdict.answer.rawValue)
            json.boolean("isRight", row.isRight(verdict))
            json.string("text", verdict.text)
            json.string("bug", verdict.bug?.rawValue)
            json.string("because", verdict.bug?.sentence)
            if compared.offset < row.weeks.count {
                FacilityListing.write(row.weeks[compared.offset], list.clock, to: &json)
            }
        }
    }

    /// The members that every row of a facility has.
    static func write(_ facility: Facility, _ status: FacilityStatus, _ clock: CampusClock, to json: inout JSONWriter) {
        json.string("slug", facility.slug)
        json.string("name", facility.name)
        json.boolean("openNow", status.isOpen)
        json.boolean("openToday", status.isOpenToday)
        json.string("closes", status.closes.map(clock.timestamp))
        json.string("opensNext", status.opensNext.map(clock.timestamp))
        json.string("schedule", status.schedule?.name)
        json.string("campus", facility.location?.region)
        json.string("category", facility.category?.name)
        json.string("location", facility.location?.title)
        json.string("building", facility.location?.building)
        json.string("address", facility.location?.address)
        json.strings("tags", facility.tags)
        json.strings("warnings", facility.warnings.map(\.text))
    }

    /// The minutes that a client is wrong, and why, as a member `week`.
    static func write(_ week: WeekComparison, _ clock: CampusClock, to json: inout JSONWriter) {
        json.object("week") { json in
            json.integer("minutesWrong", week.minutesWrong)
            json.string("crash", week.crash?.rawValue)
            json.objects("stretches", week.stretches) { stretch, json in
                json.string("start", clock.timestamp(stretch.start))
                json.integer("minutes", stretch.minutes)
                json.string("says", stretch.says.rawValue)
                json.string("bug", stretch.bug.rawValue)
            }
            json.objects("causes", week.causes) { cause, json in
                json.string("bug", cause.bug.rawValue)
                json.integer("minutes", cause.minutes)
                json.string("sentence", cause.bug.sentence)
            }
        }
    }
}
