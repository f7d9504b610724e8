import Archive
import Hummingbird
import ServiceLifecycle
import Store
import Traffic

/// One live connection: the changes, gathered over a short window, and a sign of life when nothing changes.
///
/// Events, in the order a page sees them: `hello` once, when every later change will be told; then any number of `changes`, with the rows that
/// the filter selects and the ids of the others, and `resync`, when the page has to ask for the listing again. Each event has an `id`. A
/// connection that names the last one it got is told what it missed where that is still known (`ChangeLog.limit`), else to ask again. The `hello`
/// before that `resync` has no `id`, so that a page that loses the connection between the two is told once more.
struct LiveFeed: Sendable {
    let store: StoreDoor
    let log: ChangeLog
    /// The filter as of now: a time in it may count back from now.
    let filter: @Sendable () throws -> Filter
    let window: Duration
    let heartbeat: Duration
    /// The `id` of the last event that the page got before; `nil` for a new page.
    let lastEvent: String?

    /// The writer's wake-up call; many calls before the writer runs are one.
    struct Wakes: Sendable {
        fileprivate let stream: AsyncStream<Void>
        private let continuation: AsyncStream<Void>.Continuation

        init() { (stream, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1)) }

        /// Has the writer look for news.
        func wake() { continuation.yield() }

        /// Ends the connection.
        func finish() { continuation.finish() }
    }

    /// Writes events until the wakes or the store end, the connection breaks, or the server shuts down.
    ///
    /// - Throws: what `write` throws.
    func run(wakes: Wakes, write: (ByteBuffer) async throws -> Void) async throws {
        let (follower, now) = log.follow(wakes)
        defer { log.leave(follower) }
        // What another start of the server told is not known to this one.
        let before = lastEvent.map { log.position(of: $0) ?? -1 }
        let isResumed = before.map { !log.changes(after: $0).needsResync } ?? false
        var position = before ?? now
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                while true {
                    try await Task.sleep(for: heartbeat)
                    wakes.wake()
                }
            }
            defer { group.cancelAll() }
            let id = before == nil || isResumed ? "id: \(log.text(of: position))\n" : ""
            try await write(
                ByteBuffer(string: "retry: 1000\n\(id)event: hello\ndata: {\"resumed\":\(isResumed)}\n\n")
            )
            if before != nil { wakes.wake() }
            for await _ in wakes.stream.cancelOnGracefulShutdown() {
                let contents = log.changes(after: position)
                position = contents.position
                try await write(try await message(contents))
                try await Task.sleep(for: window)
            }
        }
    }

    private func message(_ contents: ChangeLog.Contents) async throws -> ByteBuffer {
        let id = "id: \(log.text(of: contents.position))\n"
        if contents.needsResync { return ByteBuffer(string: "\(id)event: resync\ndata: {}\n\n") }
        guard !contents.exchanges.isEmpty else { return ByteBuffer(string: ": still here\n\n") }
        let wanted = try filter()
        let selected = try await store.read { try $0.selected(by: wanted, of: contents.exchanges) }
        var json = JSONWriter()
        json.object { json in
            json.array("exchanges") { json in
                for row in contents.exchanges where selected.contains(row.id) { ExchangeRow.write(row, to: &json) }
            }
            json.array("others") { json in
                for row in contents.exchanges where !selected.contains(row.id) { json.integer(nil, row.id) }
            }
        }
        var buffer = ByteBuffer(string: "\(id)event: changes\ndata: ")
        buffer.writeBytes(json.take())
        buffer.writeString("\n\n")
        return buffer
    }
}
