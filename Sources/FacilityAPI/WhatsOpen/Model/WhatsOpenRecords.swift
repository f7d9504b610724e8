import Foundation

/// The data and its only changes: schedules can be written by whoever signs in.
actor WhatsOpenRecords {
    /// Schedules beyond this many are refused, so that a client in a loop cannot fill the memory.
    static let scheduleLimit = 1_000

    private(set) var catalogue: Catalogue
    private var nextScheduleID: Int

    init(_ catalogue: Catalogue) {
        self.catalogue = catalogue
        nextScheduleID = (catalogue.schedules.map(\.id).max() ?? 0) + 1
    }

    /// Keeps a new schedule and returns it with its id; nil when there are too many.
    func add(_ draft: ScheduleDraft, at now: Date) -> Schedule? {
        guard catalogue.schedules.count < Self.scheduleLimit else { return nil }
        let schedule = draft.applied(
            to: Schedule(id: nextScheduleID, openTimes: [], modified: now, name: "", isTwentyFourHours: false),
            at: now
        )
        nextScheduleID += 1
        catalogue.schedules.append(schedule)
        return schedule
    }

    /// Changes a schedule; nil when there is none of that id.
    func change(_ id: Int, with draft: ScheduleDraft, at now: Date) -> Schedule? {
        guard let position = catalogue.schedules.firstIndex(where: { $0.id == id }) else { return nil }
        catalogue.schedules[position] = draft.applied(to: catalogue.schedules[position], at: now)
        return catalogue.schedules[position]
    }

    /// Removes a schedule, from its facilities too; false when there is none of that id.
    func remove(_ id: Int) -> Bool {
        guard let position = catalogue.schedules.firstIndex(where: { $0.id == id }) else { return false }
        catalogue.schedules.remove(at: position)
        return true
    }
}
