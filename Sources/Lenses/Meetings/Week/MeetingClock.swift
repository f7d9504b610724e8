package import Foundation

/// A map from the weekly times of meetings to a viewer's week at one moment.
///
/// Meetings of the same zone, day and start share one result, so there are as many entries as different times.
package struct MeetingClock {
    private struct Key: Hashable {
        let zone: String
        let weekday: Int
        let start: Int
    }

    /// The most names of zones that are looked for: the world has some 600, and the system keeps each zone that it finds.
    static let zonesLimit = 1_000

    /// The moment in seconds since 1970, with fractions.
    package let now: Double
    package let viewer: WallClock
    private var zones: [String: WallClock?] = [:]
    private var times: [Key: MeetingTime] = [:]

    package init(now: Date, viewer: TimeZone) {
        self.now = now.timeIntervalSince1970
        self.viewer = WallClock(viewer)
    }

    /// The clock of a named zone; `nil` for an unknown zone, and for any zone past the limit.
    package mutating func zone(_ name: String) -> WallClock? {
        if let known = zones[name] { return known }
        guard zones.count < MeetingClock.zonesLimit else { return nil }
        let zone = name.isEmpty ? nil : TimeZone(identifier: name).map(WallClock.init)
        zones[name] = .some(zone)
        return zone
    }

    /// Whether a zone was looked for; a zone that was not may exist.
    func hasLooked(for name: String) -> Bool { zones.keys.contains(name) }

    /// The time of a meeting; `nil` where its day, start or zone is not known.
    package mutating func time(of meeting: Meeting) -> MeetingTime? {
        guard let weekday = meeting.weekday, let start = meeting.start, let own = zone(meeting.zoneName) else {
            return nil
        }
        let key = Key(zone: meeting.zoneName, weekday: weekday, start: start)
        if let known = times[key] { return known }
        let time = MeetingTime(weekday: weekday, start: start, in: own, now: Int(now.rounded(.down)), viewer: viewer)
        times[key] = time
        return time
    }
}
