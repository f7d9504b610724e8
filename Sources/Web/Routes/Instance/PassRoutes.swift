import Hummingbird
import Traffic

/// Makes passes: secrets that open the page once each.
struct PassRoutes {
    let passes: EntryPasses

    /// Adds the API's address.
    func add(to router: Router<WebContext>) {
        router.post("/api/v1/passes") { request, context in
            _ = try await Asker(request, context)
            let pass = passes.issue()
            return WebAnswer.json { $0.string("pass", pass) }
        }
    }
}
