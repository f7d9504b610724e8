import Hummingbird
import Store
import Traffic

/// Rules that do not hold: one that is made from an exchange, and what rules would have done.
///
/// Nothing is written, and nothing is switched on.
struct RuleBenchRoutes {
    let store: StoreDoor
    let bench: RuleBench?
    /// The rules of the running proxy; `nil` when the store is only read.
    let rules: (any RuleControl)?
    /// How long a dry run looks at exchanges.
    let time: Duration
    /// Each dry run takes a core as long as it runs, and the page and the proxy need the others.
    private let queue = TaskQueue()

    /// What is to be tried: a text, or rules of the running proxy by name, though they are off.
    private struct Asked: Decodable {
        var yaml: String?
        var names: [String]?
    }

    /// Adds the API's addresses.
    func add(to router: Router<WebContext>) {
        router.get("/api/v1/exchanges/{id}/rule") { request, context in try await sketch(request, context) }
        router.post("/api/v1/rules/try") { request, context in try await attempt(request, context) }
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

    /// Answers with what `inspect rules try` says; the run ends with its time, and when the asker leaves.
    private func attempt(_ request: Request, _ context: WebContext) async throws -> Response {
        let asker = try await Asker(request, context)
        let tried = try tried(asker.json(Asked.self, members: ["yaml", "names"]))
        let filter = try Filter(await store.items(of: request).removing("token"), now: store.now)
        let bench = try known()
        let trial = RuleBench.Trial(tried: tried, filter: filter, time: time, clock: store.clock)
        return try await store.answer(to: asker, in: queue) {
            try bench.attempt(trial, $0)
        } as: {
            WebAnswer.json(bytes: $0)
        }
    }

    private func tried(_ asked: Asked) throws -> RuleBench.Trial.Tried {
        switch (asked.yaml, asked.names) {
        case (let yaml?, nil): return .yaml(yaml)
        case (nil, let names?) where !names.isEmpty:
            guard let rules else { throw WebFailure(.conflict, "No proxy is running on this store, so no rules hold.") }
            let all = rules.list?.rules ?? []
            let strangers = Set(names).subtracting(all.map(\.name))
            guard strangers.isEmpty else {
                throw WebFailure(.notFound, "\(UnknownRules(strangers.sorted(), known: all.map(\.name))).")
            }
            return .rules(Rule.alone(names, of: all))
        default: throw WebFailure(.badRequest, "Give a rules file as yaml, or the names of rules.")
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
