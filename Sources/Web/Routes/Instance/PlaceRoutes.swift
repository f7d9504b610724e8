import Foundation
import Hummingbird
import Store
import Traffic

/// The places of the page beside the list, as JSON: `/facilities.json?at=…` and `/api/v1/places/facilities?at=…`.
struct PlaceRoutes {
    let store: StoreDoor
    let answers: PlaceAnswers

    /// Adds the API's address, and the twins of the page's own.
    func add(to router: Router<WebContext>) {
        router.get("/api/v1/places/{place}") { request, context in
            try await answer(try place(context), request, context)
        }
        router.post("/api/v1/places/{place}/marks") { request, context in
            try await mark(try place(context), Asker(request, context))
        }
        for place in answers.places {
            router.get("/\(place.name).json") { request, context in try await answer(place, request, context) }
        }
    }

    private func place(_ context: WebContext) throws -> PlaceAnswers.Place {
        guard let place = answers.places.first(where: { $0.name == context.parameters.get("place") }) else {
            throw WebFailure(.notFound, "No place has this name.")
        }
        return place
    }

    /// Keeps marks that are a place's own, such as the meetings that somebody attends.
    private func mark(_ place: PlaceAnswers.Place, _ asker: Asker) async throws -> Response {
        let names = try asker.json(PlaceAnswers.MarkedNames.self, members: ["add", "remove"])
        guard let mark = place.mark else { throw WebFailure(.notFound, "This place has no marks of its own.") }
        guard (1...PlaceAnswers.MarkedNames.limit).contains(names.add.count + names.remove.count) else {
            throw WebFailure(.badRequest, "Name what to change: add or remove, 1,000 at most.")
        }
        do {
            let count = try await store.read { try mark(names, $0) }
            return WebAnswer.json { $0.integer("marked", count) }
        } catch let problem as PlaceAnswers.Problem {
            throw WebFailure(.badRequest, problem.sentence)
        }
    }

    private func answer(
        _ place: PlaceAnswers.Place,
        _ request: Request,
        _ context: WebContext
    ) async throws -> Response {
        let items = try await store.items(of: request)
        let own = items.filter { place.options.contains($0.name) }.items.map { ($0.name, $0.value) }
        let now = store.now
        let filter = try Filter(items.filter { !place.options.contains($0.name) && $0.name != "token" }, now: now)
        return try await store.answer(to: Asker(request, context)) { store in
            try Self.told(
                by: place,
                of: PlaceAnswers.Question(filter: filter, options: own, store: store, now: now)
            )
        } as: {
            WebAnswer.json(bytes: $0)
        }
    }

    /// The answer of a place, or the reason why the place shows nothing.
    private static func told(by place: PlaceAnswers.Place, of question: PlaceAnswers.Question) throws -> [UInt8] {
        do { return try place.answer(question) } catch let problem as PlaceAnswers.Problem {
            switch problem.kind {
            case .question: throw WebFailure(.badRequest, problem.sentence)
            case .missing: throw WebFailure(.notFound, problem.sentence)
            case .absence:
                var json = JSONWriter()
                json.object { $0.string("absent", problem.sentence) }
                json.newline()
                return json.take()
            }
        }
    }
}
