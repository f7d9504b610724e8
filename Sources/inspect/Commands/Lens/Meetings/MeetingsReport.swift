import Foundation
import Lenses
import Traffic

/// What `inspect meetings` shows: where the meetings are from, what the app hides, and the meetings or the time slots of a day.
struct MeetingsReport: BoardReport {
    /// Cells of the thermometer.
    private static let thermometerWidth = 20

    let board: MeetingBoard
    /// Meetings that the lines show; JSON has every one.
    let limit: Int
    /// The app's numbers of the meetings that were marked just now.
    let marked: Set<UInt64>

    private var selection: MeetingSelection { board.selection }
    private var finding: MeetingFinding { board.finding }
    private var table: MeetingTimetable { board.table }
    private var entries: [MeetingEntry] { board.entries }

    func lines(in layout: Layout) -> [String] {
        let style = layout.style
        let heading = head(layout) + hidden(layout) + absent(layout) + [""]
        if selection.isSlots { return heading + slotLines(style) }
        return heading + title(style) + rows(layout)
    }

    private func head(_ layout: Layout) -> [String] {
        let zone = selection.zone
        let now = LocalTime.text(microseconds: Moment.microseconds(selection.moment), zone: zone)
        let count = finding.list.meetings.count
        let total = finding.list.integer("total") ?? count
        let words = total > count ? "\(count) of \(total.counted("meeting")), one page," : count.counted("meeting")
        let began = LocalTime.text(microseconds: finding.started, zone: zone)
        return LineBreaks.lines(
            "in #\(finding.id) of \(VisibleText.line(finding.host)), \(began); seen at \(now) \(zone.identifier)"
                + (finding.isWhole ? "" : "; older answers were not read"),
            after: layout.style.paint(words, .bold) + " ",
            indent: 2,
            in: layout
        )
    }

    private func hidden(_ layout: Layout) -> [String] {
        guard table.hiddenCount > 0 else { return [] }
        let reasons = table.losses.filter { $0.loss.hides }.map { "\($0.count) \($0.loss.title)" }
        let text =
            "\(table.hiddenCount) of \(table.entries.count.counted("meeting")) this client will hide: \(reasons.joined(separator: "; "))"
        return warning(text, layout)
    }

    private func warning(_ text: String, _ layout: Layout) -> [String] {
        LineBreaks.lines(text, indent: 2, in: layout).map { layout.style.paint($0, .yellow) }
    }

    /// The marks that were set just now and that no meeting of the answer takes, and that there are none.
    private func absent(_ layout: Layout) -> [String] {
        if selection.isOnlyAttended, board.attended.isEmpty {
            return warning("No meeting is marked; mark one with --attend, for example --attend 99/11", layout)
        }
        let there = Set(table.entries.compactMap(\.meeting.id))
        let missing = marked.subtracting(there).sorted().map(Meeting.label)
        return missing.isEmpty ? [] : warning("Not among them: \(missing.joined(separator: ", "))", layout)
    }

    private func title(_ style: Style) -> [String] {
        if selection.clock != nil, let picked = board.picked {
            let place = "slot \(picked.index + 1) of \(picked.slots.count)"
            var lines = [
                style.paint("\(MeetingDay.name(board.weekday)) \(MeetingClockText.text(picked.slot.clock))", .bold)
                    + ", \(place)  \(thermometer(picked.thermometer, style))"
            ]
            if picked.inApp != picked.index {
                let bug = (selection.clock ?? 0) > (picked.slots.last?.clock ?? 0) ? "V2" : "V3"
                let there = MeetingClockText.text(picked.slots[picked.inApp].clock)
                lines.append(style.paint("The app goes to \(there) instead (\(bug)).", .yellow))
            }
            return lines
        }
        let name = selection.isHidden ? "hidden or altered" : selection.day?.title ?? "by next start"
        return [style.paint("\(name): \(entries.count)", .bold)]
    }

    private func slotLines(_ style: Style) -> [String] {
        let name = MeetingDay.name(board.weekday)
        guard !board.slots.isEmpty else { return ["No meetings on \(name)."] }
        let heading = "\(name): \(board.slots.count.counted("time slot")), \(entries.count.counted("meeting"))"
        return [style.paint(heading, .bold)]
            + board.slots.enumerated().map { index, slot in
                let level = MeetingSlot.thermometer(at: index, of: board.slots.count)
                let count =
                    String(repeating: " ", count: max(0, 5 - "\(slot.entries.count)".count)) + "\(slot.entries.count)"
                let mark = board.picked?.index == index ? "  ←" : ""
                return "\(MeetingClockText.text(slot.clock)) \(count)  \(thermometer(level, style))\(mark)"
            }
    }

    private func thermometer(_ level: Double, _ style: Style) -> String {
        let full = Int((level * Double(Self.thermometerWidth)).rounded())
        return String(repeating: "█", count: full)
            + style.paint(String(repeating: "░", count: Self.thermometerWidth - full), .dim)
    }

    /// A row for each meeting; what the last column says has a line of its own where the row has no room for it.
    private func rows(_ layout: Layout) -> [String] {
        guard !entries.isEmpty else { return [] }
        let shown = entries.prefix(limit).map { (cells: cells($0), colour: $0.isInProgress ? Style.Colour.green : nil) }
        let headings = ["", "DAY", "AT", "NAME", "KIND", "ID", "OWN TIME", selection.isHidden ? "WHY" : "JOIN"]
        var columns = TextColumns(
            style: layout.style,
            width: layout.width,
            widths: headings.map(TerminalCells.width)
        )
        for row in shown { columns.fit(row.cells) }
        let isWhole = columns.fits
        let count = isWhole ? headings.count : headings.count - 1
        if !isWhole {
            columns.keep(count)
            columns.narrow()
        }
        var lines = [columns.line(headings.prefix(count).map { ($0, .dim) })]
        for row in shown {
            lines.append(columns.line(row.cells.prefix(count).map { ($0, row.colour) }))
            guard !isWhole, let last = row.cells.last, !last.isEmpty else { continue }
            lines += LineBreaks.lines(last, after: "   ", in: layout).map { layout.style.paint($0, row.colour) }
        }
        if entries.count > limit { lines.append("… \(entries.count - limit) more: --limit") }
        return lines
    }

    private func cells(_ entry: MeetingEntry) -> [String] {
        let meeting = entry.meeting
        let own = meeting.start.map { MeetingClockText.text(WallClock.clock($0)) } ?? "?"
        let day = meeting.weekday.map { String(MeetingDay.name($0).prefix(3)) } ?? "?"
        let link = meeting.hasVideo ? MeetingLink(meeting.url)?.direct ?? meeting.url : meeting.phone
        let why = entry.losses.map { ($0.hides ? "hidden: " : "altered: ") + $0.title }.joined(separator: "; ")
        return [
            board.isAttended(entry) ? "★" : " ",
            entry.time.map { String(MeetingDay.name($0.weekday).prefix(3)) } ?? "?",
            entry.time.map { MeetingClockText.text($0.clock) } ?? "?",
            VisibleText.line(meeting.name.isEmpty ? "(no name)" : meeting.name),
            meeting.kindWords, meeting.label,
            VisibleText.line("\(day) \(own) \(meeting.zoneName)"),
            VisibleText.line(selection.isHidden ? why : link),
        ]
    }
}
