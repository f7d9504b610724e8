import Foundation
import Lenses
import Traffic

/// Facilities as a table for people, and as JSON.
struct FacilityListing {
    let rows: [FacilityRow]
    /// How many there are, those left out counted.
    let total: Int
    let source: WhatsOpenReader.Found<Facility>
    let now: Date
    let clock: CampusClock

    /// The lines to print.
    func lines(_ console: Console) -> [String] {
        let open = rows.filter(\.status.isOpen).count
        let newer = source.newer == 0 ? "" : "; \(source.newer) of them as newer exchanges have them"
        let head =
            "\(rows.count == total ? "\(total)" : "\(rows.count) of \(total)") facilities, \(open) open at \(clock.full(now))"
        var lines = [
            console.style.paint(head, .bold), "from exchange \(source.id), \(clock.full(source.moment))\(newer)",
        ]
        if !rows.isEmpty { lines += LensViewPrinter(console).lines(table) }
        let disputed = rows.filter(\.isDisputed)
        if !disputed.isEmpty {
            let names = disputed.prefix(5).map { TerminalText.escaped($0.facility.title) }.joined(separator: ", ")
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
        let words = FacilityWords(row.status, at: now, clock: clock)
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
    var json: [UInt8] {
        var json = JSONWriter()
        json.object { json in
            json.string("at", clock.timestamp(now))
            json.string("zone", clock.zone.identifier)
            json.integer("exchange", source.id)
            json.string("captured", clock.timestamp(source.moment))
            json.integer("total", total)
            json.integer("matched", rows.count)
            json.array("facilities") { json in
                for row in rows { json.object { json in write(row, to: &json) } }
            }
        }
        json.newline()
        return json.take()
    }

    private func write(_ row: FacilityRow, to json: inout JSONWriter) {
        FacilityListing.write(row.facility, row.status, clock, to: &json)
        guard !row.verdicts.isEmpty else { return }
        json.boolean("disputed", row.isDisputed)
        json.array("compare") { json in
            for (place, entry) in row.verdicts.enumerated() {
                json.object { json in
                    json.string("client", entry.client.rawValue)
                    json.string("says", entry.verdict.answer.rawValue)
                    json.boolean("isRight", row.isRight(entry.verdict))
                    json.string("text", entry.verdict.text)
                    json.string("bug", entry.verdict.bug?.rawValue)
                    if place < row.weeks.count { FacilityListing.write(row.weeks[place], to: &json) }
                }
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
        json.array("tags") { json in for tag in facility.tags { json.string(nil, tag) } }
        json.array("warnings") { json in for warning in facility.warnings { json.string(nil, warning.text) } }
    }

    /// The minutes that a client is wrong, and why, as a member `week`.
    static func write(_ week: WeekComparison, to json: inout JSONWriter) {
        json.object("week") { json in
            json.integer("minutesWrong", week.minutesWrong)
            json.string("crash", week.crash?.rawValue)
            json.array("causes") { json in
                for cause in week.causes {
                    json.object { json in
                        json.string("bug", cause.bug.rawValue)
                        json.integer("minutes", cause.minutes)
                        json.string("sentence", cause.bug.sentence)
                    }
                }
            }
        }
    }
}
