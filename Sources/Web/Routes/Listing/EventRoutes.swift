import Hummingbird
import ServiceLifecycle
import Traffic

/// Tells a page what changes in the store, as Server-Sent Events (HTML §9.2).
struct EventRoutes {
    let store: StoreDoor
    let log: ChangeLog
    let window: Duration
    let heartbeat: Duration

    /// Adds the API's address.
    func add(to router: Router<WebContext>) {
        router.get("/api/v1/events") { request, context in try await events(request, context) }
    }

    private func events(_ request: Request, _ context: WebContext) async throws -> Response {
        let items = try await store.items(of: request)
        let filter = { @Sendable in try Filter(items.removing("lastEventId"), now: store.now) }
        _ = try filter()
        let feed = LiveFeed(
            store: store,
            log: log,
            filter: filter,
            window: window,
            heartbeat: heartbeat,
            // A browser sends the field when it connects again by itself, a page the parameter when it does.
            lastEvent: request.headers[.lastEventID] ?? items.first("lastEventId")
        )
        let asker = try await Asker(request, context)
        return Response(
            status: .ok,
            headers: [.contentType: "text/event-stream", .connection: "close"],
            body: ResponseBody { writer in
                let wakes = LiveFeed.Wakes()
                // A client that has left resets the connection at the next heartbeat; any other may wait for as long as it likes.
                try await asker.watched(at: store, isLimited: false) {
                    try await feed.run(wakes: wakes) { try await writer.write($0) }
                } onLeave: {
                    wakes.finish()
                }
                try await writer.finish(nil)
            }
        )
    }
}
