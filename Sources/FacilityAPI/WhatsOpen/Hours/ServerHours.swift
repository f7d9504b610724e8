import Foundation

/// The opening hours by What's Open's own server, by which `open_now` and `closed_now` select.
///
/// The server compares days and times of day, entry by entry, both ends included. So an entry whose day is one and whose
/// end lies before its start is never open, a closing instant still counts as open, and an entry from midnight to midnight of
/// the same day is open for that one second. Clients compute intervals instead, and disagree there; a stand-in keeps the quirks.
struct ServerHours: Sendable {
    let time: WallTime

    /// Whether the server takes a facility to be open at an instant.
    func isOpen(_ facility: ListedFacility, at now: Date) -> Bool {
        if let special = facility.specials.first(where: { $0.isInForce(at: now) }) {
            return isOpen(special, at: now)
        }
        return facility.main.map { isOpen($0, at: now) } ?? false
    }

    private func isOpen(_ schedule: Schedule, at now: Date) -> Bool {
        schedule.isTwentyFourHours || schedule.openTimes.contains { isOpen($0, at: now) }
    }

    private func isOpen(_ entry: OpenTime, at now: Date) -> Bool {
        let parts = time.parts(of: now)
        let today = parts.weekday
        let isInDays =
            entry.startDay <= entry.endDay
            ? entry.startDay <= today && today <= entry.endDay
            : entry.startDay <= today || today <= entry.endDay
        guard isInDays else { return false }
        if today == entry.startDay, parts.secondOfDay < entry.start { return false }
        // The server keeps microseconds, so 02:00:00.5 is past an end at 02:00:00.
        if today == entry.endDay, (parts.secondOfDay, parts.microsecond) > (entry.end, 0) { return false }
        return true
    }
}
