import Archive
import Hummingbird
import Store
import Traffic

/// A listing that tells how far its counting is: lines of JSON, `{"percent": 40}` now and then, at last the listing or an error.
struct CountingAnswer {
    let store: StoreDoor
    let query: ListingQuery
    /// The time between two lines.
    let interval: Duration

    /// The answer; nothing is counted before its body is asked for.
    var response: Response {
        Response(
            status: .ok,
            headers: [.contentType: "application/x-ndjson"],
            body: ResponseBody { writer in
                try await write { try await writer.write(ByteBuffer(bytes: $0)) }
                try await writer.finish(nil)
            }
        )
    }

    private func write(_ give: ([UInt8]) async throws -> Void) async throws {
        let (steps, tell) = AsyncStream<Int64>.makeStream(bufferingPolicy: .bufferingNewest(1))
        let query = query
        async let listing = store.read { store in
            defer { tell.finish() }
            return try store.list(query) { done, whole in tell.yield(whole > 0 ? min(100, done * 100 / whole) : 0) }
        }
        var last = store.clock.uptime
        for await percent in steps where store.clock.uptime - last >= interval {
            last = store.clock.uptime
            try await give(CountingAnswer.line { $0.integer("percent", percent) })
        }
        do {
            try await give(ListingJSON.bytes(try await listing))
        } catch let error as StoreError {
            try await give(CountingAnswer.line { $0.string("error", WebFailure(error).sentence) })
        }
    }

    /// An object as a line.
    static func line(_ members: (inout JSONWriter) -> Void) -> [UInt8] {
        var json = JSONWriter()
        json.object(nil, members)
        json.newline()
        return json.take()
    }
}
