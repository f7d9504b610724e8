import Foundation

/// A desk that takes changes in, lets each wait for its turn, and applies it.
actor ChangeDesk {
    /// Changes that wait at once; more are refused.
    static let waitingLimitCount = 1_000

    private let records: WhatsOpenRecords
    private var waiting: [(change: FacilityChange, due: Int)] = []
    private var answeredCount = 0
    private var alterations = Alterations()

    init(records: WhatsOpenRecords) {
        self.records = records
    }

    /// Counts a request, applies the changes that are due, and returns the alterations of answers.
    func requestCame(at now: Date) async -> Alterations {
        let due = waiting.filter { $0.due <= answeredCount }
        waiting.removeAll { $0.due <= answeredCount }
        answeredCount += 1
        for (change, _) in due { _ = try? await apply(change, at: now) }
        return alterations
    }

    /// The alterations of answers now.
    var current: Alterations { alterations }

    /// How many changes wait for their turn.
    var waitingCount: Int { waiting.count }

    /// Takes a change: it holds at once, or after the requests it waits for.
    ///
    /// - Parameters:
    ///   - change: the change.
    ///   - now: when.
    ///   - isOriginal: whether the data counts as having always been so, so that changed rows keep their `modified`.
    /// - Returns: a sentence on the result.
    /// - Throws: ``FacilityAPIError`` when there is nothing to change.
    func take(
        _ change: FacilityChange,
        at now: Date,
        isOriginal: Bool = false
    ) async throws(FacilityAPIError) -> String {
        guard change.after > 0 else { return try await apply(change, at: now, isOriginal: isOriginal) }
        if case .hours(let slug, _, _) = change.kind { _ = try await records.mainScheduleID(of: slug) }
        guard waiting.count < Self.waitingLimitCount else { throw FacilityAPIError("too many changes wait already") }
        waiting.append((change, answeredCount + change.after))
        return "holds after \(change.after) more request\(change.after == 1 ? "" : "s")"
    }

    private func apply(
        _ change: FacilityChange,
        at now: Date,
        isOriginal: Bool = false
    ) async throws(FacilityAPIError) -> String {
        switch change.kind {
        case .hours(let facility, let day, let edit):
            return try await records.editHours(of: facility, day: day, edit, at: isOriginal ? nil : now)
        case .alert(let draft): return try await records.add(draft, at: now)
        case .removeAlert(let id):
            guard await records.removeAlert(id) else { throw FacilityAPIError("there is no alert \(id)") }
            return "alert \(id) is gone"
        case .removeField(let name, let path):
            alterations.add(.init(name: name, value: nil, path: path))
            return "answers below \(path) lack \(name)"
        case .setField(let name, let value, let path):
            alterations.add(.init(name: name, value: value, path: path))
            return "answers below \(path) have \(name) = \(value.compactText)"
        case .status(let code, let path):
            alterations.set(code, path: path)
            return code.map { "\(path) answers \($0)" } ?? "\(path) answers again"
        }
    }
}
