import Archive
import Hummingbird
import Store
import Traffic

/// One page of a search, each exchange with the places of the text in it; counts come from the listing.
struct SearchRoutes {
    let store: StoreDoor

    /// Adds the API's address.
    func add(to router: Router<WebContext>) {
        router.get("/api/v1/search") { request, context in
            let query = try ListingQuery(try await store.items(of: request), now: store.now)
            return try await store.answer(to: Asker(request, context)) { store in
                let page = try store.page(query)
                return (page, try store.findings(of: query.filter, in: page.exchanges))
            } as: { page, findings in
                WebAnswer.json(bytes: SearchJSON.bytes(page, findings, isCounted: false))
            }
        }
    }
}
