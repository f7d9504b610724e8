import Hummingbird

/// The page itself: one document for every address of it, the files it is made of, and the description of the API.
struct PageRoutes {
    /// Adds the page's addresses and its files'.
    func add(to router: Router<WebContext>) {
        router.get("/") { _, _ in Asset.page.response }
        router.get("/exchanges/{id}") { _, _ in Asset.page.response }
        router.get("/api/v1/openapi.json") { _, _ in Asset.openAPI.response }
        router.get("/assets/{name}") { _, context in
            guard let name = context.parameters.get("name"), let asset = Asset.named(name) else {
                throw WebFailure(.notFound, "There is nothing at this address.")
            }
            return asset.response
        }
    }
}
