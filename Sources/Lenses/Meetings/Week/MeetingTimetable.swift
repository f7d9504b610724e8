package import Foundation

/// Meetings placed in a viewer's week at one moment.
package struct MeetingTimetable: Sendable {
    package let now: Date
    package let zone: TimeZone
    /// All meetings in the order of the answer, those that the app hides too.
    package let entries: [MeetingEntry]

    /// Places meetings in the viewer's week.
    ///
    /// - Parameters:
    ///   - meetings: the meetings of an answer.
    ///   - now: the moment that decides what is in progress and what comes next.
    ///   - zone: the viewer's zone.
    package init(_ meetings: [Meeting], now: Date, zone: TimeZone) {
        self.now = now
        self.zone = zone
        var clock = MeetingClock(now: now, viewer: zone)
        var offsets: [String: Int] = [:]
        let seconds = Int(clock.now.rounded(.down))
        entries = meetings.map { meeting in
            let own = clock.zone(meeting.zoneName)
            let offset = offsets[meeting.zoneName] ?? own?.offset(at: seconds) ?? 0
            offsets[meeting.zoneName] = offset
            let time = clock.time(of: meeting)
            let isUnknown = own == nil && !meeting.zoneName.isEmpty && clock.hasLooked(for: meeting.zoneName)
            return MeetingEntry(
                meeting: meeting,
                time: time,
                isInProgress: time?.isInProgress(at: clock.now, seconds: meeting.duration) ?? false,
                losses: isUnknown ? (meeting.losses + [.unknownZone]).sorted() : meeting.losses,
                zoneOffset: offset
            )
        }
    }

    private init(now: Date, zone: TimeZone, entries: [MeetingEntry]) {
        self.now = now
        self.zone = zone
        self.entries = entries
    }

    /// The timetable with only the wanted meetings.
    package func only(_ isWanted: (MeetingEntry) -> Bool) -> MeetingTimetable {
        MeetingTimetable(now: now, zone: zone, entries: entries.filter(isWanted))
    }

    /// The meetings that the app shows.
    package var shown: MeetingTimetable { only { !$0.isHidden } }

    /// The meetings in progress, by their start.
    package var inProgress: [MeetingEntry] {
        entries.filter(\.isInProgress).sorted { MeetingTimetable.order($0, $1) { $0.previous } }
    }

    /// The meetings that have a time, by their next start.
    package var upcoming: [MeetingEntry] {
        entries.filter { $0.time != nil }.sorted { MeetingTimetable.order($0, $1) { $0.next } }
    }

    /// The slots of a day of the viewer's week.
    ///
    /// - Parameter weekday: 1 is Sunday.
    /// - Returns: the slots by their time, the meetings in each by name.
    package func slots(on weekday: Int) -> [MeetingSlot] {
        var byClock: [Int: [MeetingEntry]] = [:]
        for entry in entries {
            guard let time = entry.time, time.weekday == weekday else { continue }
            byClock[time.clock, default: []].append(entry)
        }
        return byClock.keys.sorted().map { clock in
            let entries = (byClock[clock] ?? []).sorted { $0.meeting.name.lowercased() < $1.meeting.name.lowercased() }
            return MeetingSlot(clock: clock, entries: entries)
        }
    }

    /// Meetings whose name holds a text, ignoring case: by name, then by how far their zone is ahead of UTC, then by the viewer's clock.
    package func search(_ text: String) -> [MeetingEntry] {
        let wanted = text.lowercased()
        let found = entries.compactMap { entry -> (name: String, entry: MeetingEntry)? in
            let name = entry.meeting.name.lowercased()
            return wanted.isEmpty || name.contains(wanted) ? (name, entry) : nil
        }
        return found.sorted { left, right in
            let (one, other) = (left.entry, right.entry)
            return (left.name, one.zoneOffset, one.time?.clock ?? .max, one.time?.next ?? .max, one.meeting.index)
                < (
                    right.name, other.zoneOffset, other.time?.clock ?? .max, other.time?.next ?? .max,
                    other.meeting.index
                )
        }.map(\.entry)
    }

    /// How many meetings have each loss, the commonest first; a meeting with several counts under each.
    package var losses: [(loss: MeetingLoss, count: Int)] {
        var counts: [MeetingLoss: Int] = [:]
        for entry in entries { for loss in entry.losses { counts[loss, default: 0] += 1 } }
        return counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map { ($0.key, $0.value) }
    }

    /// How many meetings the app hides.
    package var hiddenCount: Int { entries.count { $0.isHidden } }

    /// The weekdays of a calendar that begins with one of them: 2 gives 2, 3 … 7, 1.
    package static func week(from first: Int) -> [Int] { (0..<7).map { (first - 1 + $0) % 7 + 1 } }

    private static func order(_ one: MeetingEntry, _ other: MeetingEntry, by key: (MeetingTime) -> Int) -> Bool {
        let (left, right) = (one.time.map(key) ?? .max, other.time.map(key) ?? .max)
        return left == right
            ? (one.meeting.name, one.meeting.index) < (other.meeting.name, other.meeting.index) : left < right
    }
}
