import Foundation
import Hummingbird
import Store
import Traffic

/// The saved searches: query texts under names, which `@name` stands for in a query.
struct SavedSearchRoutes {
    let store: StoreDoor

    private struct Asked: Decodable {
        var name: String
        var query: String
    }

    /// Adds the API's addresses.
    func add(to router: Router<WebContext>) {
        router.get("/api/v1/saved") { _, _ in try await list() }
        router.post("/api/v1/saved") { request, context in try await save(request, context) }
        router.delete("/api/v1/saved/{name}") { _, context in try await forget(context) }
    }

    private func list() async throws -> Response {
        let searches = try await store.read { try $0.savedSearches() }
        return WebAnswer.json { json in
            json.array("saved") { json in
                for search in searches {
                    json.object { json in
                        json.string("name", search.name)
                        json.string("query", search.query)
                    }
                }
            }
        }
    }

    private func save(_ request: Request, _ context: WebContext) async throws -> Response {
        let asked = try await Asker(request, context).json(Asked.self)
        let now = store.now
        let search = try await store.read { store in
            try store.checked(SavedSearch(name: asked.name, query: asked.query), now: now)
        }
        try await store.read { try $0.save(search) }
        return WebAnswer.json { json in
            json.string("name", search.name)
            json.string("query", search.query)
        }
    }

    private func forget(_ context: WebContext) async throws -> Response {
        let name = context.text("name").lowercased()
        guard try await store.read({ try $0.forgetSearch(name) }) else {
            throw WebFailure(.notFound, "No saved search has this name.")
        }
        return WebAnswer.json { $0.boolean("removed", true) }
    }
}
