import Foundation
import Hummingbird
import Store
import Traffic

/// Deletes and marks exchanges: those that the address's query selects.
///
/// An asker who leaves while they are selected has nothing changed, but for one who may only have closed its own side (`AskerEnd`); what is begun then is
/// done to its end.
struct EditRoutes {
    let store: StoreDoor

    /// Adds the API's addresses.
    func add(to router: Router<WebContext>) {
        router.post("/api/v1/clear") { request, _ in try await clear(request) }
        router.post("/api/v1/marks") { request, _ in try await mark(request) }
    }

    /// Deletes every ended exchange that is selected; without a query only where `all=true` says that all are meant.
    private func clear(_ request: Request) async throws -> Response {
        let filter = try await filter(request)
        var request = request
        // What it holds means nothing, but the end of the connection, which is watched, comes behind it.
        _ = try await request.collectBody(upTo: Request.bodyLimitBytes)
        return try await store.answer(to: request) {
            try $0.clear(filter)
        } as: { result in
            WebAnswer.json { json in
                json.integer("deleted", result.deleted)
                json.integer("open", result.open)
            }
        }
    }

    private func mark(_ request: Request) async throws -> Response {
        var request = request
        let change = try await request.json(MarkChange.self)
        guard !change.isEmpty else {
            throw WebFailure(.badRequest, "Name what to change: add, remove, favourite or note.")
        }
        let filter = try await filter(request)
        return try await store.answer(to: request) {
            try $0.mark($0.ids(filter), change)
        } as: { count in
            WebAnswer.json { $0.integer("marked", count) }
        }
    }

    private func filter(_ request: Request) async throws -> Filter {
        let items = try await store.items(of: request)
        let filter = try Filter(items.removing("all"))
        guard !filter.isEmpty || items.first("all") == "true" else {
            throw WebFailure(.badRequest, "Name the exchanges by a query, or say all=true.")
        }
        return filter
    }
}

extension Request {
    /// Bytes of a request's body that are read.
    fileprivate static var bodyLimitBytes: Int { 1 << 20 }

    /// The JSON in the body, which stays with the request: who watches a client goes on behind it, and behind nothing Hummingbird ends the process.
    ///
    /// - Throws: `WebFailure` when it is none of this shape, `FilterError` as the shape's own reading.
    mutating func json<Value: Decodable>(_ type: Value.Type) async throws -> Value {
        let buffer = try await collectBody(upTo: Request.bodyLimitBytes)
        do {
            return try JSONDecoder().decode(type, from: Data(buffer.readableBytesView))
        } catch is DecodingError {
            throw WebFailure(.badRequest, "The request's body is not the JSON that this address takes.")
        }
    }
}
