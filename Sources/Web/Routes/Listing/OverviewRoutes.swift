import Hummingbird
import Store
import Traffic

/// The positions of the selected exchanges, from which the page draws a scroll bar over a million rows and a strip of time.
struct OverviewRoutes {
    let store: StoreDoor

    /// Adds the API's address.
    func add(to router: Router<WebContext>) {
        router.get("/api/v1/overview") { request, context in
            let items = try await store.items(of: request)
            let filter = try Filter(items.removing("slots").removing("strip"), now: store.now)
            let slots = try items.items.first { $0.name == "slots" }.map {
                Int(try ListingQuery.whole($0, in: 1...Int64(TimeStrip.slotLimit)))
            }
            let strip = items.first("strip") ?? "window"
            guard strip == "window" || strip == "whole" else {
                throw FilterError("strip=\(strip): expected window or whole")
            }
            return try await store.answer(to: Asker(request, context)) {
                try $0.overview(filter, slots: slots, isStripWhole: strip == "whole")
            } as: {
                WebAnswer.json(bytes: $0.json)
            }
        }
    }
}
