import Foundation
import Traffic

/// A check of one exchange with the meeting server against the rules.
struct MeetingCheck {
    private let capture: Capture
    private let request: MeetingsRequest
    private let zone: TimeZone
    private var sample = CheckSample(limitOfRule: 20)

    /// Finds what in an exchange breaks the rules.
    ///
    /// - Parameters:
    ///   - capture: the exchange.
    ///   - zone: the zone of the app's user, whose clock some of the app's mistakes depend on.
    /// - Returns: the findings by rule, in the order of the answer.
    static func findings(_ capture: Capture, zone: TimeZone) -> [CheckFinding] {
        var check = MeetingCheck(
            capture: capture,
            request: MeetingsRequest(target: capture.exchange.target),
            zone: zone
        )
        check.run()
        return check.sample.findings
    }

    private init(capture: Capture, request: MeetingsRequest, zone: TimeZone) {
        self.capture = capture
        self.request = request
        self.zone = zone
    }

    private mutating func run() {
        if case .list(let list) = MeetingsAnswer(capture) {
            checkMeta(list)
            if !list.meetings.isEmpty {
                let table = MeetingTimetable(list.meetings, now: capture.moment, zone: zone)
                checkShown(table)
                checkMeetings(table)
                for bug in MeetingBugs.findings(table, list: list, request: request) { sample.add(bug) }
            }
        }
        if request.function == .query, let type = request.value("type"),
            Int(type).map({ (-3...3).contains($0) }) != true
        {
            sample.add(CheckFinding(MeetingRules.type, in: .request, "type is \(type)"))
        }
        if let micros = capture.exchange.timeline.duration, micros > 30_000_000 {
            let seconds = Double(micros / 100_000) / 10
            sample.add(CheckFinding(MeetingRules.slow, "the answer took \(seconds) s"))
        }
    }

    private mutating func checkMeta(_ list: MeetingList) {
        let missing = list.missingMeta
        if list.meetings.isEmpty, list.integer("total") == 0 {
            sample.add(
                CheckFinding(
                    MeetingRules.v1,
                    at: "/meta",
                    "total is 0, and meta has \(7 - missing.count) of its 7 numbers"
                )
            )
            return
        }
        if !missing.isEmpty {
            sample.add(CheckFinding(MeetingRules.meta, at: "/meta", "\(missing.joined(separator: ", ")) missing"))
        }
        expect(list, "actual_size", list.meetings.count, "the meetings that are there number")
        guard let size = list.integer("page_size"), let total = list.integer("total"), size > 0, total > 0 else {
            return
        }
        let all = "\(total.counted("meeting")) in pages of \(size)"
        expect(list, "total_pages", (total - 1) / size + 1, "\(all) \(total == 1 ? "takes" : "take")")
        if let page = list.integer("page"), (0..<1_000_000_000).contains(page) {
            expect(list, "starting_index", page &* size, "page \(page) in pages of \(size) begins at")
        }
    }

    private mutating func expect(_ list: MeetingList, _ name: String, _ wanted: Int, _ because: String) {
        guard let told = list.integer(name), told != wanted else { return }
        sample.add(
            CheckFinding(MeetingRules.meta, at: "/meta/\(name)", "\(name) is \(told), but \(because) \(wanted)")
        )
    }

    private mutating func checkShown(_ table: MeetingTimetable) {
        let all = table.entries.count
        for (loss, count) in table.losses {
            guard let first = table.entries.first(where: { $0.losses.contains(loss) })?.meeting else { continue }
            let name = first.name.isEmpty ? first.label : "\(first.label) \"\(first.name)\""
            let which = count == 1 ? name : "\(name) is the first"
            sample.add(
                CheckFinding(
                    loss.hides ? MeetingRules.hidden : MeetingRules.altered,
                    at: JSONPointer.child(first.index, of: "/meetings") + loss.member,
                    "\(count) of \(all.counted("meeting")): \(loss.title) (\(which))",
                    consequence: loss.hides
                        ? "the app leaves \(count == 1 ? "it" : "these \(count)") out without a word" : nil
                )
            )
        }
    }

    private mutating func checkMeetings(_ table: MeetingTimetable) {
        var zones: Set<String> = []
        var ids: [UInt64: Int] = [:]
        for entry in table.entries {
            let meeting = entry.meeting
            let place = JSONPointer.child(meeting.index, of: "/meetings")
            if entry.losses.contains(.unknownZone), zones.insert(meeting.zoneName).inserted {
                add(MeetingRules.zone, place + "/time_zone", "\"\(meeting.zoneName)\" is no known zone")
            }
            if meeting.weekday == nil {
                add(MeetingRules.time, place + "/weekday", "weekday of \(meeting.label) is not 1 to 7")
            }
            if meeting.start == nil {
                add(MeetingRules.time, place + "/start_time", "start_time of \(meeting.label) is no HH:MM:SS")
            }
            checkLink(meeting, place)
            if let id = meeting.id, let first = ids.updateValue(ids[id] ?? meeting.index, forKey: id) {
                add(MeetingRules.duplicate, place, "\(meeting.label) stands at /meetings/\(first) already")
            }
            if let told = meeting.toldDuration, !(1..<86_400).contains(told) {
                add(MeetingRules.duration, place + "/duration", "duration of \(meeting.label) is \(told) s")
            }
        }
    }

    private mutating func checkLink(_ meeting: Meeting, _ place: String) {
        guard meeting.hasVideo else { return }
        let pointer = place + "/virtual_information/url"
        guard let link = MeetingLink(meeting.url) else {
            return add(MeetingRules.link, pointer, "\"\(meeting.url)\" is no web address")
        }
        if let service = link.service, link.direct == nil {
            add(
                MeetingRules.link,
                pointer,
                "\"\(meeting.url)\" does not say which \(service.rawValue) meeting",
                consequence: "the app cannot open \(service.rawValue) itself, only the browser"
            )
        }
    }

    private mutating func add(_ rule: CheckRule, _ pointer: String, _ message: String, consequence: String? = nil) {
        sample.add(CheckFinding(rule, at: pointer, message, consequence: consequence))
    }
}
