import Foundation
import Hummingbird
import Store
import Traffic

/// Sends recorded requests again through the running proxy.
struct ReplayRoutes {
    /// Bytes of edits that are read at most: a body of 64 MiB as base64, and the rest.
    private static let editLimitBytes = 96 << 20

    let store: StoreDoor
    let control: (any ProxyControl)?

    /// Adds the API's addresses.
    func add(to router: Router<WebContext>) {
        router.post("/api/v1/exchanges/{id}/replay") { request, context in try await replay(request, context) }
        router.post("/api/v1/replay") { request, context in try await replayMany(request, context) }
    }

    private func replay(_ request: Request, _ context: WebContext) async throws -> Response {
        let job = try job()
        let id = try await store.exchange(context).id
        let asker = try await Asker(request, context, limitBytes: Self.editLimitBytes)
        let edits = try asker.body.readableBytes > 0 ? asker.json(ReplayEdits.self) : ReplayEdits()
        let replay = try await job.replay(id, edits)
        return WebAnswer.json { json in
            json.integer("id", replay.id)
            json.array("heldBack") { json in for what in replay.heldBack ?? [] { json.string(nil, what) } }
            json.array("notes") { json in for note in replay.notes ?? [] { json.string(nil, note) } }
        }
    }

    /// Answers with a line for each replay as it is recorded, and one with the counts at the end.
    private func replayMany(_ request: Request, _ context: WebContext) async throws -> Response {
        let job = try job()
        let asker = try await Asker(request, context, limitBytes: Self.editLimitBytes)
        guard asker.body.readableBytes > 0 else { throw WebFailure(.badRequest, "Name what to replay: ids or q.") }
        let plan = try asker.json(ReplayPlan.self)
        if let problem = plan.problem {
            throw WebFailure(.badRequest, problem.description, wayOut: problem.wayOut)
        }
        if let ids = plan.ids {
            let found = try await store.read { try Set($0.summaries(of: ids).map(\.id)) }
            if let missing = ids.first(where: { !found.contains($0) }) {
                throw WebFailure(.notFound, "There is no exchange \(missing).")
            }
            return lines(of: job, plan, ids)
        }
        let selector = try SelectorText(plan.q ?? "")
        let now = store.now
        return try await store.answer(to: asker) { store in
            try store.ids(naming: selector, now: now)
        } as: { ids in
            var plan = plan
            // An exchange that is named by number is sent, even where it is a replay.
            if case .numbers = selector { (plan.ids, plan.q) = (ids, nil) }
            return lines(of: job, plan, ids)
        }
    }

    private func lines(of job: ReplayJob, _ plan: ReplayPlan, _ ids: [ExchangeID]) -> Response {
        Response(
            status: .ok,
            headers: [.contentType: "application/x-ndjson"],
            body: ResponseBody { writer in
                let encoder = JSONEncoder()
                encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
                try await job.run(plan, ids) { line in
                    var bytes = ByteBuffer(bytes: try encoder.encode(line))
                    bytes.writeStaticString("\n")
                    try await writer.write(bytes)
                }
                try await writer.finish(nil)
            }
        )
    }

    private func job() throws -> ReplayJob {
        guard let control else {
            throw WebFailure(.conflict, "No proxy is running on this store, so nothing can be sent again.")
        }
        guard !store.store.isPaused else {
            throw WebFailure(.conflict, "Recording is paused, so a replay would not be recorded; resume it first.")
        }
        return ReplayJob(store: store, control: control)
    }
}

extension StoreDoor {
    /// The bytes of a body in pieces of at most this size.
    static let chunkBytes = 256 << 10

    /// The next kept bytes of a body.
    ///
    /// - Throws: `StoreError` when the store cannot be read or no longer holds them.
    func piece(_ id: ExchangeID, _ side: MessageSide, offset: Int64) async throws -> [UInt8] {
        try await read { try $0.body(id, side, offset: offset, limitBytes: StoreDoor.chunkBytes) }
    }
}
