import Foundation
import Lenses
import Traffic

/// A listing of meetings as a person reads it.
struct MeetingsText {
    /// Cells of the thermometer.
    private static let thermometerWidth = 20

    private let listing: MeetingsListing
    private let style: Style
    private let width: Int?
    private let limit: Int

    init(_ listing: MeetingsListing, console: Console, limit: Int) {
        self.listing = listing
        style = console.style
        width = console.width
        self.limit = limit
    }

    /// The lines to print.
    var lines: [String] {
        let heading = head + hidden + absent
        if listing.request.isSlots { return heading + [""] + slots }
        return heading + [""] + title + rows
    }

    private var head: [String] {
        let found = listing.found
        let zone = listing.request.zone
        let now = LocalTime.text(microseconds: Moment.microseconds(listing.request.moment), zone: zone)
        let count = found.list.meetings.count
        let total = found.list.integer("total") ?? count
        let words =
            total > count ? "\(count) of \(total) meetings, one page," : "\(count) meeting\(count == 1 ? "" : "s")"
        return [
            style.paint(words, .bold) + " in #\(found.id) of "
                + "\(VisibleText.line(found.summary.host)), "
                + "\(LocalTime.text(microseconds: found.summary.started, zone: zone)); seen at \(now) \(zone.identifier)"
        ]
    }

    private var hidden: [String] {
        let table = listing.table
        guard table.hiddenCount > 0 else { return [] }
        let reasons = table.losses.filter { $0.loss.hides }.map { "\($0.count) \($0.loss.title)" }
        let text =
            "\(table.hiddenCount) of \(table.entries.count) meetings this client will hide: \(reasons.joined(separator: "; "))"
        return [style.paint(text, .yellow)]
    }

    /// The marks that were set just now and that no meeting of the answer takes, and that there are none.
    private var absent: [String] {
        if listing.request.isOnlyAttended, listing.request.attended.isEmpty {
            return [style.paint("No meeting is marked; mark one with --attend, for example --attend 99/11", .yellow)]
        }
        let there = Set(listing.table.entries.compactMap(\.meeting.id))
        let missing = listing.request.marked.subtracting(there).sorted().map(Meeting.label)
        return missing.isEmpty ? [] : [style.paint("Not among them: \(missing.joined(separator: ", "))", .yellow)]
    }

    private var title: [String] {
        let count = listing.entries.count
        let request = listing.request
        if request.clock != nil, let picked = listing.picked {
            let place = "slot \(picked.index + 1) of \(picked.slots.count)"
            var lines = [
                style.paint("\(MeetingDay.name(listing.weekday)) \(MeetingClockText.text(picked.slot.clock))", .bold)
                    + ", \(place)  \(thermometer(picked.thermometer))"
            ]
            if picked.inApp != picked.index {
                let bug = (request.clock ?? 0) > (picked.slots.last?.clock ?? 0) ? "V2" : "V3"
                let there = MeetingClockText.text(picked.slots[picked.inApp].clock)
                lines.append(style.paint("The app goes to \(there) instead (\(bug)).", .yellow))
            }
            return lines
        }
        let name =
            request.isHidden ? "hidden or altered" : request.day == nil ? "by next start" : request.day?.title ?? ""
        return [style.paint("\(name): \(count)", .bold)]
    }

    private var slots: [String] {
        let name = MeetingDay.name(listing.weekday)
        guard !listing.slots.isEmpty else { return ["No meetings on \(name)."] }
        let heading = "\(name): \(listing.slots.count) time slots, \(listing.entries.count) meetings"
        return [style.paint(heading, .bold)]
            + listing.slots.enumerated().map { index, slot in
                let level = MeetingSlot.thermometer(at: index, of: listing.slots.count)
                let count =
                    String(repeating: " ", count: max(0, 5 - "\(slot.entries.count)".count)) + "\(slot.entries.count)"
                let mark = listing.picked?.index == index ? "  ←" : ""
                return "\(MeetingClockText.text(slot.clock)) \(count)  \(thermometer(level))\(mark)"
            }
    }

    private func thermometer(_ level: Double) -> String {
        let full = Int((level * Double(MeetingsText.thermometerWidth)).rounded())
        return String(repeating: "█", count: full)
            + style.paint(String(repeating: "░", count: MeetingsText.thermometerWidth - full), .dim)
    }

    private var rows: [String] {
        guard !listing.entries.isEmpty else { return [] }
        let shown = listing.entries.prefix(limit)
        let heading = ["", "DAY", "AT", "NAME", "KIND", "ID", "OWN TIME", listing.request.isHidden ? "WHY" : "JOIN"]
        let cells = [heading] + shown.map(cells)
        let widths = heading.indices.map { column in cells.map { TerminalCells.width($0[column]) }.max() ?? 0 }
        var lines = cells.enumerated().map { index, row in
            let text = row.enumerated().map { column, cell in
                column == row.count - 1 ? cell : TextColumns.padded(cell, to: widths[column])
            }.joined(separator: "  ")
            let cut = width.map { TextColumns.cut(text, to: $0) } ?? text
            if index == 0 { return style.paint(cut, .dim) }
            return style.paint(cut, shown[shown.startIndex + index - 1].isInProgress ? .green : nil)
        }
        if listing.entries.count > limit { lines.append("… \(listing.entries.count - limit) more: --limit") }
        return lines
    }

    private func cells(_ entry: MeetingEntry) -> [String] {
        let meeting = entry.meeting
        let own = meeting.start.map { MeetingClockText.text(WallClock.clock($0)) } ?? "?"
        let day = meeting.weekday.map { String(MeetingDay.name($0).prefix(3)) } ?? "?"
        let link = meeting.hasVideo ? MeetingLink(meeting.url)?.direct ?? meeting.url : meeting.phone
        let why = entry.losses.map { ($0.hides ? "hidden: " : "altered: ") + $0.title }.joined(separator: "; ")
        return [
            listing.isAttended(entry) ? "★" : " ",
            entry.time.map { String(MeetingDay.name($0.weekday).prefix(3)) } ?? "?",
            entry.time.map { MeetingClockText.text($0.clock) } ?? "?",
            VisibleText.line(meeting.name.isEmpty ? "(no name)" : meeting.name),
            meeting.kindWords, meeting.label,
            VisibleText.line("\(day) \(own) \(meeting.zoneName)"),
            VisibleText.line(listing.request.isHidden ? why : link),
        ]
    }
}
