import Foundation
import Traffic

/// The view of an exchange with the meeting server.
struct MeetingsView {
    private let capture: Capture
    private let lens: VirtualMeetingsLens
    private let zone: TimeZone
    private let request: MeetingsRequest

    init(_ capture: Capture, of lens: VirtualMeetingsLens, zone: TimeZone) {
        self.capture = capture
        self.lens = lens
        self.zone = zone
        request = MeetingsRequest(target: capture.exchange.target)
    }

    var view: LensView {
        var view = LensView(of: lens, request: request.words)
        let explanations = request.explanations
        if !explanations.isEmpty {
            let fields = explanations.map {
                LensField($0.item.value.isEmpty ? $0.item.name : "\($0.item.name)=\($0.item.value)", $0.words)
            }
            view.sections.append(LensSection("Parameters", .fields(fields)))
        }
        switch MeetingsAnswer(capture) {
        case .none: break
        case .words(let words):
            view.response = words
            if capture.exchange.code == 200, request.function != .none,
                !capture.response.isEmpty || request.function == .query
            {
                view.failure = "The answer says 200, but \(words); the app shows an error."
            }
        case .other(let value):
            view.response = value.isObject ? "an object that is none of the server's answers" : value.kind
            if capture.exchange.code == 200 {
                view.failure = "The answer is none that the app can read; it shows an error."
            }
        case .update(let value): update(value, &view)
        case .info(let value): info(MeetingServer(value), &view)
        case .list(let list): self.list(list, &view)
        }
        return view
    }

    private func update(_ value: JSONValue, _ view: inout LensView) {
        let count = value["number_of_meetings"]?.integer.map { $0.counted("meeting") } ?? "? meetings"
        let seconds = value["time_in_seconds"]?.number.map { "\($0) s" } ?? "an unknown time"
        view.response = "\(count) fetched in \(seconds)"
    }

    private func info(_ server: MeetingServer, _ view: inout LensView) {
        view.response = "version \(server.version ?? "?"), \(server.sources.count) sources of meetings"
        var fields: [LensField] = []
        if let updated = server.updated {
            let (micros, isBeyond) = updated.multipliedReportingOverflow(by: 1_000_000)
            // A number that no calendar has is shown as it is.
            fields.append(
                LensField("last update", isBeyond ? "\(updated)" : Timestamp.text(microseconds: micros))
            )
        }
        fields += server.organizations.map { LensField($0.key, "\($0.count)") }
        fields.append(LensField("servers", server.serverIDs.map(String.init).joined(separator: ", ")))
        view.sections.append(LensSection("Server", .fields(fields)))
        let rows = server.sources.map { source in
            [
                LensText(source.id), LensText(source.name), LensText(source.service),
                LensText(source.meetings.map(String.init) ?? "?"),
                LensText(source.organizations.map { "\($0.key) \($0.count)" }.joined(separator: ", ")),
                LensText(source.url),
            ]
        }
        let columns = ["server", "name", "service", "meetings", "by organization", "address"]
        view.sections.append(LensSection("Sources", .table(LensTable(columns: columns, rows: rows))))
    }

    private func list(_ list: MeetingList, _ view: inout LensView) {
        let total = list.integer("total") ?? list.meetings.count
        let isPart = list.meetings.count != total
        view.response = (isPart ? "\(list.meetings.count) of " : "") + total.counted("meeting")
        if list.meetings.isEmpty, total == 0 {
            view.response = "no meeting"
            view.failure =
                "An honest empty answer, but the app needs seven numbers in meta and at least one meeting, so it shows an error (V1)."
        } else if list.failsInApp {
            let missing = list.missingMeta.joined(separator: ", ")
            view.failure =
                "The app cannot read this answer\(missing.isEmpty ? "" : " without \(missing) in meta"), so it shows an error."
        }
        if case .object(let members) = list.meta {
            let fields = members.map { LensField($0.name, JSONShape.text($0.value)) }
            view.sections.append(LensSection("Search", .fields(fields)))
        }
        guard !list.meetings.isEmpty else { return }
        let table = MeetingTimetable(list.meetings, now: capture.moment, zone: zone)
        if !table.losses.isEmpty {
            let rows = table.losses.map { loss, count in
                [
                    LensText("\(count)"), LensText(loss.title, loss.hides ? .bad : .warning),
                    LensText(loss.hides ? "hidden" : "altered"),
                ]
            }
            let all = table.entries.count.counted("meeting")
            let heading = "\(table.hiddenCount) of \(all) this client will hide, by reason"
            view.sections.append(
                LensSection(
                    heading,
                    .table(LensTable(columns: ["meetings", "reason", "what the app does"], rows: rows))
                )
            )
        }
        let running = table.shown.inProgress
        if !running.isEmpty {
            view.sections.append(LensSection("In progress at the answer's time", .table(rows(running))))
        }
        let upcoming = table.upcoming
        view.sections.append(LensSection("Meetings by next start, \(zone.identifier)", .table(rows(upcoming))))
    }

    private func rows(_ entries: [MeetingEntry]) -> LensTable {
        LensTable(
            columns: ["id", "day", "at", "name", "kind", "own time", "link"],
            rows: entries.lazy.map(MeetingsView.row)
        )
    }

    private static func row(_ entry: MeetingEntry) -> [LensText] {
        let meeting = entry.meeting
        let own = meeting.start.map { MeetingClockText.text(WallClock.clock($0)) } ?? "?"
        let day = meeting.weekday.map { MeetingDay.name($0).prefix(3) } ?? "?"
        let link = MeetingLink(meeting.url)
        return [
            LensText(meeting.label, .faint),
            LensText(entry.time.map { String(MeetingDay.name($0.weekday).prefix(3)) } ?? "?"),
            LensText(entry.time.map { MeetingClockText.text($0.clock) } ?? "?", entry.isInProgress ? .good : .plain),
            LensText(meeting.name, entry.isHidden ? .faint : .plain),
            LensText(meeting.kindWords),
            LensText("\(day) \(own) \(meeting.zoneName)", .faint),
            LensText(link?.direct ?? (meeting.url.isEmpty ? meeting.phone : meeting.url), .faint),
        ]
    }
}

extension Meeting {
    /// `hybrid (video, phone)`: the kind, and the ways to take part from afar.
    package var kindWords: String {
        guard let kind else { return "no place" }
        let ways = [hasVideo ? "video" : nil, hasPhone ? "phone" : nil].compactMap { $0 }
        return ways.isEmpty ? kind.rawValue : "\(kind.rawValue) (\(ways.joined(separator: ", ")))"
    }
}
