/// Which exchanges of a store to send again, with which edits, and how fast; the API takes it as JSON.
package struct ReplayPlan: Codable, Hashable, Sendable {
    /// Replays under way at once, at most: each holds a request's body.
    package static let parallelLimit = 64
    /// How often the whole selection is sent, at most.
    package static let timesLimit = 1_000_000

    /// How far apart the replays begin, where no rate is given.
    package enum Timing: String, Codable, Hashable, Sendable {
        /// As far apart as they were recorded.
        case asRecorded = "as-recorded"
    }

    /// The exchanges by number; `nil` where a query selects them.
    package var ids: [ExchangeID]?
    /// A query text.
    ///
    /// Replays among what it selects are left out, unless it asks for them (`is:replay`).
    package var q: String?
    package var edits: ReplayEdits?
    /// How often the whole is sent, in its order each time; 1 unless given.
    package var times: Int?
    /// How many are under way at once; 1 unless given.
    package var parallel: Int?
    /// How many are begun a second.
    package var rate: Double?
    package var timing: Timing?

    package init() {}

    private enum CodingKeys: String, CodingKey, CaseIterable { case ids, q, edits, times, parallel, rate, timing }

    /// Reads the API's JSON, in which every member may be missing.
    ///
    /// - Throws: `DecodingError`, also for a member of another name.
    package init(from decoder: any Decoder) throws {
        try decoder.refuseMembers(but: CodingKeys.allCases.map(\.rawValue))
        let members = try decoder.container(keyedBy: CodingKeys.self)
        ids = try members.decodeIfPresent([ExchangeID].self, forKey: .ids)
        q = try members.decodeIfPresent(String.self, forKey: .q)
        edits = try members.decodeIfPresent(ReplayEdits.self, forKey: .edits)
        times = try members.decodeIfPresent(Int.self, forKey: .times)
        parallel = try members.decodeIfPresent(Int.self, forKey: .parallel)
        rate = try members.decodeIfPresent(Double.self, forKey: .rate)
        timing = try members.decodeIfPresent(Timing.self, forKey: .timing)
    }

    /// What is wrong with it; `nil` where nothing is.
    package var problem: ReplayError? {
        if ids?.isEmpty ?? (q == nil) { return ReplayError("Name what to replay: ids or q.") }
        if ids != nil, q != nil { return ReplayError("Name what to replay by ids or by q, not both.") }
        if !(1...ReplayPlan.timesLimit).contains(times ?? 1) {
            return ReplayError("times is 1 to \(ReplayPlan.timesLimit).")
        }
        if !(1...ReplayPlan.parallelLimit).contains(parallel ?? 1) {
            return ReplayError("parallel is 1 to \(ReplayPlan.parallelLimit).")
        }
        if let rate, !(rate >= 0.001 && rate <= 1_000_000) { return ReplayError("rate is 0.001 to 1000000 a second.") }
        if let problem = edits?.problem { return problem }
        if rate != nil, timing != nil {
            return ReplayError("Give rate or timing, not both: each says when the next one begins.")
        }
        return nil
    }

    /// How the replays are spaced.
    package var pace: ReplaySchedule.Pace { rate.map { .rate($0) } ?? (timing == .asRecorded ? .asRecorded : .free) }
}
