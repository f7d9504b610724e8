package import Traffic

/// A captured answer with its meetings.
package struct MeetingFinding: Sendable {
    package let id: ExchangeID
    /// The server that gave the answer.
    package let host: String
    /// When the exchange began, in microseconds since 1970.
    package let started: Int64
    package let list: MeetingList
    /// Whether every newer answer was read; see `PlaceBound`.
    package private(set) var isWhole = true

    /// Finds the newest answer with meetings; an answer to a question for single meetings (`ids`) only where there is no other.
    ///
    /// - Parameters:
    ///   - walk: the captures.
    ///   - source: the captures to look at.
    /// - Throws: `PlaceProblem` where the captures hold no meetings, and what the walk throws.
    init(in walk: some CaptureWalk, _ source: CaptureSelection) throws {
        if case .one(let id) = source {
            guard let found = try MeetingFinding(walk.capture(id)) else { throw PlaceProblem.noMeetingList(id) }
            self = found
            return
        }
        var found: MeetingFinding?
        let isWhole = try walk.answers(source, where: MeetingFinding.mayAnswer) { visit in
            let isSingle = MeetingsRequest(target: visit.summary.target).has("ids")
            if isSingle, found != nil { return .unread }
            guard let capture = try visit.capture() else { return .unread }
            guard let answer = MeetingFinding(capture) else { return .other }
            guard !answer.list.meetings.isEmpty else { return .read }
            found = answer
            return isSingle ? .read : .done
        }
        guard let found else {
            throw isWhole ? PlaceProblem.noMeetings : PlaceProblem.notInNewest(what: "list of meetings")
        }
        self = found
        self.isWhole = isWhole
    }

    /// Reads one exchange; `nil` where its answer is no list of meetings, or the body is not whole.
    private init?(_ capture: Capture) {
        guard capture.exchange.code == 200, capture.response.problem == nil,
            let list = try? MeetingList(capture.response)
        else { return nil }
        (id, host, started) = (capture.id, capture.exchange.host, capture.exchange.timeline.started)
        self.list = list
    }

    /// Whether an exchange may be an answer to `?query`, judged by its lens, or by its target where it has none.
    private static func mayAnswer(_ summary: ExchangeSummary) -> Bool {
        guard summary.code == 200 else { return false }
        let request = MeetingsRequest(target: summary.target)
        guard let lens = summary.lens else { return request.function == .query }
        return lens == VirtualMeetingsLens().name && request.function != .info && request.function != .update
    }
}
