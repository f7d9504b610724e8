import Hummingbird
import Store
import Traffic

/// Rules that do not hold: one that is made from an exchange.
///
/// Nothing is written, and nothing is switched on.
struct RuleBenchRoutes {
    let store: StoreDoor
    let bench: RuleBench?

    /// Adds the API's addresses.
    func add(to router: Router<WebContext>) {
        router.get("/api/v1/exchanges/{id}/rule") { request, context in try await sketch(request, context) }
    }

    /// Answers with what `inspect rules from` prints.
    private func sketch(_ request: Request, _ context: WebContext) async throws -> Response {
        let id = try await store.exchange(context).id
        guard let form = RuleBench.Form(rawValue: QueryItems(request.uri.query ?? "").first("as") ?? "stub") else {
            let names = RuleBench.Form.allCases.map(\.rawValue).joined(separator: ", ")
            throw WebFailure(.badRequest, "as is one of \(names).")
        }
        let bench = try known()
        return try await store.answer(to: Asker(request, context)) { store in
            try Self.refusing { try bench.sketch(id, form, store) }
        } as: { text in
            WebAnswer.json { $0.string("yaml", text) }
        }
    }

    private func known() throws -> RuleBench {
        guard let bench else { throw WebFailure(.conflict, "No rule can be made or tried here.") }
        return bench
    }

    /// Tells a refusal as the answer's.
    private static func refusing<Value>(_ body: () throws -> Value) throws -> Value {
        do { return try body() } catch let refusal as RuleBench.Refusal {
            throw WebFailure(.conflict, "\(refusal.sentence).")
        }
    }
}
