import Hummingbird
import ServiceLifecycle
import Store
import Traffic

/// One live connection: what changed, gathered over a short window, and a sign of life when nothing does.
///
/// Events, in the order a page sees them: `hello` once, when every later change will be told; then any number of `changes`, with the rows that
/// the filter selects and the ids of those it does not, and `resync`, when the page has to ask for the listing again.
struct LiveFeed: Sendable {
    let store: StoreDoor
    let filter: Filter
    let window: Duration
    let heartbeat: Duration

    /// Wakes the writer; many wakes before it runs are one.
    struct Wakes: Sendable {
        fileprivate let stream: AsyncStream<Void>
        private let continuation: AsyncStream<Void>.Continuation

        init() { (stream, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1)) }

        fileprivate func wake() { continuation.yield() }

        /// Ends the connection.
        func finish() { continuation.finish() }
    }

    /// Writes events until the wakes or the store end, the connection breaks, or the server shuts down.
    ///
    /// - Throws: what `write` throws.
    func run(wakes: Wakes, write: (ByteBuffer) async throws -> Void) async throws {
        let pending = PendingChanges()
        let changes = store.store.changes()
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                for await change in changes {
                    pending.add(change)
                    wakes.wake()
                }
                wakes.finish()
            }
            group.addTask {
                while true {
                    try await Task.sleep(for: heartbeat)
                    wakes.wake()
                }
            }
            defer { group.cancelAll() }
            try await write(ByteBuffer(string: "retry: 1000\nevent: hello\ndata: {}\n\n"))
            for await _ in wakes.stream.cancelOnGracefulShutdown() {
                try await write(try await message(pending.take()))
                try await Task.sleep(for: window)
            }
        }
    }

    private func message(_ contents: PendingChanges.Contents) async throws -> ByteBuffer {
        if contents.needsResync { return ByteBuffer(string: "event: resync\ndata: {}\n\n") }
        guard !contents.exchanges.isEmpty else { return ByteBuffer(string: ": still here\n\n") }
        let selected = try await store.read { try $0.selected(by: filter, of: contents.exchanges) }
        var json = JSONWriter()
        json.object { json in
            json.array("exchanges") { json in
                for row in contents.exchanges where selected.contains(row.id) { ExchangeRow.write(row, to: &json) }
            }
            json.array("others") { json in
                for row in contents.exchanges where !selected.contains(row.id) { json.integer(nil, row.id) }
            }
        }
        var buffer = ByteBuffer(string: "event: changes\ndata: ")
        buffer.writeBytes(json.take())
        buffer.writeString("\n\n")
        return buffer
    }
}
