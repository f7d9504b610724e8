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
            guard let place = answers.places.first(where: { $0.name == context.parameters.get("place") }) else {
                throw WebFailure(.notFound, "There is no place of this name.")
            }
            return try await answer(place, request)
        }
        for place in answers.places {
            router.get("/\(place.name).json") { request, _ in try await answer(place, request) }
        }
    }

    private func answer(_ place: PlaceAnswers.Place, _ request: Request) async throws -> Response {
        let items = try await store.items(of: request)
        let own = items.filter { place.options.contains($0.name) }.items.map { ($0.name, $0.value) }
        let filter = try Filter(items.filter { !place.options.contains($0.name) && $0.name != "token" })
        do {
            return WebAnswer.json(
                bytes: try await store.read { store in
                    try place.answer(PlaceAnswers.Question(filter: filter, options: own, store: store))
                }
            )
        } catch let problem as PlaceProblem {
            switch problem.kind {
            case .question: throw WebFailure(.badRequest, problem.sentence)
            case .missing: throw WebFailure(.notFound, problem.sentence)
            case .absence: return WebAnswer.json { json in json.string("absent", problem.sentence) }
            }
        }
    }
}
