import Hummingbird
import Store
import Traffic

/// Deletes and marks the exchanges that the address's query selects.
///
/// Nothing changes where the asker leaves while exchanges are selected, unless the asker may only have closed its own side (`AskerEnd`). A change
/// that has begun runs to its end.
struct EditRoutes {
    let store: StoreDoor

    /// Adds the API's addresses.
    func add(to router: Router<WebContext>) {
        router.post("/api/v1/clear") { request, context in try await clear(request, context) }
        router.post("/api/v1/marks") { request, context in try await mark(request, context) }
    }

    /// Deletes every ended exchange that is selected; without a query only where the address says `all=true`.
    private func clear(_ request: Request, _ context: WebContext) async throws -> Response {
        let filter = try await filter(request)
        return try await store.answer(to: Asker(request, context)) {
            try $0.clear(filter)
        } as: { result in
            WebAnswer.json { json in
                json.integer("deleted", result.deleted)
                json.integer("open", result.open)
            }
        }
    }

    private func mark(_ request: Request, _ context: WebContext) async throws -> Response {
        let asker = try await Asker(request, context)
        let change = try asker.json(MarkChange.self, members: ["add", "remove", "favourite", "note"])
        guard !change.isEmpty else {
            throw WebFailure(.badRequest, "Name what to change: add, remove, favourite or note.")
        }
        let filter = try await filter(request)
        return try await store.answer(to: asker) {
            try $0.mark($0.ids(filter), change)
        } as: { count in
            WebAnswer.json { $0.integer("marked", count) }
        }
    }

    private func filter(_ request: Request) async throws -> Filter {
        let items = try await store.items(of: request)
        let filter = try Filter(items.removing("all"), now: store.now)
        guard !filter.isEmpty || items.first("all") == "true" else {
            throw WebFailure(.badRequest, "Name the exchanges by a query, or say all=true.")
        }
        return filter
    }
}
