import Foundation

/// The data of What's Open, of which signed-in clients may write the schedules.
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

    /// The id of a facility's main schedule.
    ///
    /// - Throws: ``FacilityAPIError`` when there is no such facility, or it has no schedule.
    func mainScheduleID(of slug: String) throws(FacilityAPIError) -> Int {
        guard let facility = catalogue.facilities.first(where: { $0.slug == slug }) else {
            let near = catalogue.facilities.map(\.slug).filter { $0.contains(slug) || slug.contains($0) }
            let hint = near.first.map { "; there is \($0)" } ?? ""
            throw FacilityAPIError("there is no facility '\(slug)'\(hint)")
        }
        guard let id = facility.mainScheduleID else { throw FacilityAPIError("\(slug) has no main schedule") }
        return id
    }

    /// Changes the entries of a facility's main schedule that start on a day, and says how.
    ///
    /// An end before its start becomes an end on the next day.
    ///
    /// - Parameters:
    ///   - slug: the facility.
    ///   - day: Monday is 0.
    ///   - edit: what changes.
    ///   - now: what `modified` becomes; nil leaves it.
    /// - Returns: a sentence with the hours before and after.
    /// - Throws: ``FacilityAPIError`` when there is no such facility, or it has no entry on that day.
    func editHours(
        of slug: String,
        day: Int,
        _ edit: FacilityChange.HoursEdit,
        at now: Date?
    ) throws(FacilityAPIError) -> String {
        let id = try mainScheduleID(of: slug)
        guard let position = catalogue.schedules.firstIndex(where: { $0.id == id }) else {
            throw FacilityAPIError("the main schedule of \(slug) is gone")
        }
        var schedule = catalogue.schedules[position]
        let before = schedule.openTimes.filter { $0.startDay == day }
        if before.isEmpty {
            guard let start = edit.start, let end = edit.end, !edit.isClosed else {
                throw FacilityAPIError("\(slug) has no hours on that day; give both \"start\" and \"end\" to add some")
            }
            schedule.openTimes.append(
                OpenTime.entry(day: day, start: start, end: end, modified: now ?? schedule.modified)
            )
        }
        schedule.openTimes = schedule.openTimes.compactMap { entry in
            guard entry.startDay == day, !before.isEmpty else { return entry }
            if edit.isClosed { return nil }
            return OpenTime.entry(
                day: day,
                start: edit.start ?? entry.start,
                end: edit.end ?? entry.end,
                modified: now ?? entry.modified
            )
        }
        if let now { schedule.modified = now }
        catalogue.schedules[position] = schedule
        let after = schedule.openTimes.filter { $0.startDay == day }
        return "\(slug): \(Self.text(before)) -> \(Self.text(after))"
    }

    private static func text(_ entries: [OpenTime]) -> String {
        let texts = entries.map { "\(WallTime.timeText($0.start))-\(WallTime.timeText($0.end))" }
        return texts.isEmpty ? "closed" : texts.joined(separator: ", ")
    }

    /// Keeps a new alert, due now for a day where its dates are not given.
    ///
    /// - Throws: ``FacilityAPIError`` when there are too many.
    func add(_ draft: FacilityChange.AlertDraft, at now: Date) throws(FacilityAPIError) -> String {
        guard catalogue.alerts.count < Self.scheduleLimit else { throw FacilityAPIError("there are too many alerts") }
        let id = (catalogue.alerts.map(\.id).max() ?? 10) + 1
        let start = draft.start ?? now
        catalogue.alerts.append(
            Alert(
                id: id,
                created: now,
                modified: now,
                urgency: draft.urgency,
                subject: draft.subject,
                body: draft.body,
                url: draft.url,
                start: start,
                end: draft.end ?? start.addingTimeInterval(86_400)
            )
        )
        return "alert \(id) is served"
    }

    /// Removes an alert; false when there is none of that id.
    func removeAlert(_ id: Int) -> Bool {
        guard let position = catalogue.alerts.firstIndex(where: { $0.id == id }) else { return false }
        catalogue.alerts.remove(at: position)
        return true
    }
}
