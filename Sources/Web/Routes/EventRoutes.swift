import Hummingbird
import ServiceLifecycle
import Traffic

/// Tells a page what changes in the store, as Server-Sent Events (HTML §9.2).
struct EventRoutes {
    let store: StoreDoor
    let window: Duration
    let heartbeat: Duration

    /// Adds the API's address.
    func add(to router: Router<WebContext>) {
        router.get("/api/v1/events") { request, _ in try await events(request) }
    }

    private func events(_ request: Request) async throws -> Response {
        let filter = try Filter(await store.items(of: request))
        let feed = LiveFeed(store: store, filter: filter, window: window, heartbeat: heartbeat)
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
