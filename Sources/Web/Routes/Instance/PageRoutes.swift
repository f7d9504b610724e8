import Hummingbird

/// The page itself: one document for all of its addresses, its files, and the description of the API.
struct PageRoutes {
    /// Where the page's files are, behind a word that is new at each start; see `PageDocument`.
    static let files = "/assets/"
    /// The places of the page beside the list, each at an address of its own; `address.js` has the same names.
    static let places = [
        "compare", "findings", "setup", "facilities", "meetings", "datasets", "menus", "rules", "manual",
    ]

    let document: PageDocument

    /// Whether the page's document answers at a path.
    static func isDocument(_ path: String) -> Bool {
        if path == "/" || places.contains(where: { path == "/\($0)" }) { return true }
        let number = path.trimmingPrefix("/exchanges/")
        return number.count < path.count && !number.isEmpty && number.utf8.allSatisfy { (0x30...0x39).contains($0) }
    }

    /// Whether a path is that of a file of ours, which holds nothing of what was captured.
    static func isFile(_ path: String) -> Bool { isDocument(path) || path.hasPrefix(files) }

    /// Adds the addresses of the page and of its files.
    func add(to router: Router<WebContext>) {
        let page = document.asset
        router.get("/") { _, _ in page.response }
        router.get("/exchanges/{id}") { _, _ in page.response }
        for place in PageRoutes.places { router.get("/\(place)") { _, _ in page.response } }
        router.get("/api/v1/openapi.json") { _, _ in try Asset.openAPI.get().response }
        router.get("/api/v1/openapi.yaml") { _, _ in Asset.openAPIYAML.response }
        // Any word will do: it keeps the files apart from others in a browser's cache, and they hold no secret.
        router.get("/assets/{word}/{name}") { _, context in
            guard let name = context.parameters.get("name"), let asset = Asset.named(name) else {
                throw WebFailure(.notFound, "There is nothing at this address.")
            }
            return asset.response
        }
    }
}
