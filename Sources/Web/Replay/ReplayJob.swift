import HTTPTypes
import Store
import Traffic

/// Sends recorded exchanges again, one or many, through the running proxy.
///
/// At most the plan's `parallel` replays are under way or wait to be told, and their bodies together stay below a limit unless one body alone is
/// longer. So a list of any length takes the same memory.
struct ReplayJob: Sendable {
    /// Rows of the list that are read at a time.
    private static let pageRows = 1_000
    /// Bytes of request bodies under way at once, at most.
    private let bodiesLimitBytes: Int64

    private let store: StoreDoor
    private let control: any ProxyControl

    init(store: StoreDoor, control: any ProxyControl, bodiesLimitBytes: Int64 = 64 << 20) {
        self.store = store
        self.control = control
        self.bodiesLimitBytes = bodiesLimitBytes
    }

    /// Sends one exchange again.
    ///
    /// - Returns: the new exchange, with what was held back and fixed.
    /// - Throws: `WebFailure` or `ReplayError` saying why the request cannot be sent.
    func replay(_ id: ExchangeID, _ edits: ReplayEdits) async throws -> ReplayLine.Replay {
        let request = try await request(id, edits)
        var replay = ReplayLine.Replay(id)
        replay.id = try await control.replay(request)
        replay.heldBack = request.heldBack.isEmpty ? nil : request.heldBack
        replay.notes = request.notes.isEmpty ? nil : request.notes
        return replay
    }

    /// The request as it will be sent.
    private func request(_ id: ExchangeID, _ edits: ReplayEdits) async throws -> ReplayRequest {
        try await store.read { store in
            guard let original = try store.exchange(id) else {
                throw WebFailure(.notFound, "There is no exchange \(id).")
            }
            guard !original.request.body.isTruncated || edits.body != nil else {
                throw WebFailure(
                    .conflict,
                    "The request's body was kept only in part, so it cannot be sent again as it was."
                )
            }
            guard original.outcome != .tunnelled, original.outcome != .pending else {
                throw WebFailure(.conflict, "Only a request that was read whole can be sent again.")
            }
            var sent = original
            sent.request = original.request.describingKept
            if sent.request.body.archived != nil {
                let kept = sent.request.body.kept
                sent.request.body = Body(length: kept, kept: kept, sha256: [])
            }
            let body = edits.body == nil ? try ReplayJob.body(of: original, in: store) : []
            do {
                return try ReplayRequest(original: sent, body: body, edits: edits)
            } catch let problem as ReplayError {
                // Nothing was sent: the edits make no valid request.
                throw WebFailure(.badRequest, problem.description, wayOut: problem.wayOut)
            }
        }
    }

    /// A request's kept body whole; the store's body limit bounds it.
    private static func body(of exchange: Exchange, in store: TrafficStore) throws -> [UInt8] {
        let kept = exchange.request.body.kept
        var bytes: [UInt8] = []
        while bytes.count < kept {
            let offset = Int64(bytes.count)
            let piece = try store.body(exchange.id, .request, offset: offset, limitBytes: StoreDoor.chunkBytes)
            guard !piece.isEmpty else { throw WebFailure(.conflict, "The request's body is no longer in the store.") }
            bytes += piece
        }
        return bytes
    }

    /// Sends what a plan says, and tells of each replay as it is recorded.
    ///
    /// - Parameters:
    ///   - plan: a plan without a problem.
    ///   - ids: the exchanges that the plan selects.
    ///   - tell: called once at a time; no new replay begins before it returns.
    /// - Throws: what `tell` throws, `StoreError`; replays that are under way are still recorded.
    func run(_ plan: ReplayPlan, _ ids: [ExchangeID], tell: (ReplayLine) async throws -> Void) async throws {
        let clock = store.clock
        let start = clock.uptime
        var summary = ReplayLine.Summary()
        let edits = plan.edits ?? ReplayEdits()
        let takesReplays = plan.ids != nil || plan.q?.contains("is:") == true
        try await withThrowingTaskGroup(of: (ReplayLine.Replay, Int64).self) { group in
            var (open, openBytes) = (0, Int64(0))
            func ended(_ one: (replay: ReplayLine.Replay, bytes: Int64)?) async throws {
                guard let (replay, bytes) = one else { return }
                (open, openBytes) = (open - 1, openBytes - bytes)
                if replay.id == nil { summary.failed += 1 } else { summary.sent += 1 }
                try await tell(ReplayLine(replay: replay))
            }
            var schedule = ReplaySchedule(plan.pace)
            var began = clock.uptime
            for _ in 0..<(plan.times ?? 1) {
                // A rate goes on from round to round; recorded times begin anew.
                if plan.pace == .asRecorded { (schedule, began) = (ReplaySchedule(plan.pace), clock.uptime) }
                var rest = ids[...]
                while !rest.isEmpty {
                    let page = Array(rest.prefix(ReplayJob.pageRows))
                    rest = rest.dropFirst(ReplayJob.pageRows)
                    let rows = try await store.read { try $0.summaries(of: page) }
                    for row in rows {
                        if let reason = ReplayJob.reason(toLeaveOut: row, takesReplays: takesReplays) {
                            var replay = ReplayLine.Replay(row.id)
                            // An exchange that was named by number is never passed over.
                            if plan.ids == nil {
                                summary.leftOut += 1
                                replay.leftOut = reason
                            } else {
                                summary.failed += 1
                                replay.error = "Exchange \(row.id) cannot be sent again: \(reason)."
                            }
                            try await tell(ReplayLine(replay: replay))
                            continue
                        }
                        let bytes = edits.body.map { Int64($0.count) } ?? row.requestBytes
                        while open > 0,
                            open >= plan.parallel ?? 1 || openBytes + bytes > bodiesLimitBytes
                        { try await ended(group.next()) }
                        let passed = clock.uptime - began
                        let due = schedule.next(recorded: row.started, now: passed)
                        if due > passed { try await Task.sleep(for: due - passed) }
                        (open, openBytes) = (open + 1, openBytes + bytes)
                        group.addTask { (await attempt(row.id, edits), bytes) }
                    }
                }
            }
            while open > 0 { try await ended(group.next()) }
        }
        summary.seconds = (clock.uptime - start) / .seconds(1)
        try await tell(ReplayLine(summary: summary))
    }

    /// Sends one exchange again and returns the line about it, sent or failed.
    private func attempt(_ id: ExchangeID, _ edits: ReplayEdits) async -> ReplayLine.Replay {
        do {
            return try await replay(id, edits)
        } catch {
            var replay = ReplayLine.Replay(id)
            let failure = WebFailure(error)
            (replay.error, replay.wayOut) = (failure.sentence, failure.wayOut)
            return replay
        }
    }

    /// Why an exchange of a selection cannot be sent again; `nil` where it can.
    private static func reason(toLeaveOut row: ExchangeSummary, takesReplays: Bool) -> String? {
        switch row.outcome {
        case .tunnelled: return "it is a tunnel"
        case .pending: return "it is still open"
        case .completed, .failed, .cancelled: break
        }
        if row.scheme == nil { return "its request could not be read" }
        if row.version == .webSocket || row.scheme == .ws || row.scheme == .wss { return "it is a WebSocket" }
        if row.replayOf != nil, !takesReplays { return "it is itself a replay" }
        return nil
    }
}
