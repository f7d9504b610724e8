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
        router.get("/api/v1/events") { request, _ in try await events(request) }
    }

    private func events(_ request: Request) async throws -> Response {
        let items = try await store.items(of: request)
        let filter = { @Sendable in try Filter(items.removing("lastEventId")) }
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
        return Response(
            status: .ok,
            headers: [.contentType: "text/event-stream"],
            body: ResponseBody { writer in
                let wakes = LiveFeed.Wakes()
                try await request.body.consumeWithInboundCloseHandler { _ in
                    try await feed.run(wakes: wakes) { try await writer.write($0) }
                } onInboundClosed: {
                    wakes.finish()
                }
                try await writer.finish(nil)
            }
        )
    }
}
