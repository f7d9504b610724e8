/// The changes between two lists of meetings.
enum MeetingChanges {
    /// A sentence for each meeting that came, went or changed, in the order of the lists.
    static func sentences(from before: [Meeting], to after: [Meeting]) -> [String] {
        let old = byID(before)
        let new = byID(after)
        var sentences: [String] = []
        for meeting in before where meeting.id.map({ new[$0] == nil }) == true {
            sentences.append("\(title(meeting)) is gone")
        }
        for meeting in after {
            guard let id = meeting.id else { continue }
            guard let was = old[id] else {
                sentences.append("\(title(meeting)) is new: \(when(meeting))")
                continue
            }
            let parts = differences(was, meeting)
            if !parts.isEmpty { sentences.append("\(title(meeting)): \(parts.joined(separator: "; "))") }
        }
        return sentences
    }

    private static func differences(_ was: Meeting, _ now: Meeting) -> [String] {
        var parts: [String] = []
        func compare(_ name: String, _ old: String, _ new: String) {
            if old != new { parts.append("\(name) \(old.isEmpty ? "(none)" : old) → \(new.isEmpty ? "(none)" : new)") }
        }
        compare("name", was.name, now.name)
        compare("time", when(was), when(now))
        compare("duration", "\(was.duration / 60) min", "\(now.duration / 60) min")
        compare("kind", was.kind?.rawValue ?? "", now.kind?.rawValue ?? "")
        compare("link", was.url, now.url)
        compare("phone", was.phone, now.phone)
        compare("place", place(was), place(now))
        return parts
    }

    private static func place(_ meeting: Meeting) -> String {
        [meeting.venue, meeting.street, meeting.town].filter { !$0.isEmpty }.joined(separator: ", ")
    }

    private static func title(_ meeting: Meeting) -> String { "\(meeting.label) \(meeting.name)" }

    private static func when(_ meeting: Meeting) -> String {
        let day = meeting.weekday.map(MeetingDay.name) ?? "no day"
        let time = meeting.start.map { MeetingClockText.text(WallClock.clock($0)) } ?? "no time"
        return "\(day) \(time) \(meeting.zoneName)"
    }

    private static func byID(_ meetings: [Meeting]) -> [UInt64: Meeting] {
        var table: [UInt64: Meeting] = [:]
        for meeting in meetings { if let id = meeting.id { table[id] = meeting } }
        return table
    }
}
