import Foundation

/// When the meeting server last collected its meetings, and whether it may again.
actor MeetingUpdates {
    /// A forceless update sooner after the last is not made.
    static let intervalSeconds = 3_600.0

    private(set) var last: Date

    init(last: Date) {
        self.last = last
    }

    /// Collects again, unless that was done lately; says whether it did.
    func update(at now: Date, isForced: Bool) -> Bool {
        guard isForced || now.timeIntervalSince(last) >= Self.intervalSeconds else { return false }
        last = now
        return true
    }
}
