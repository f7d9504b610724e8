/// One view of the demonstration's page, as a person comes to see it.
struct Scene: Sendable, CustomStringConvertible {
    let name: String
    /// Path, query and fragment.
    let place: String
    /// What is true in the page once it is all there.
    let isReady: String
    /// What is done in it then.
    var script: String?

    var description: String { name }

    private static let hasPanel = "document.querySelector('[role=tabpanel]')?.innerText.trim()"

    /// Every view there is; a new one belongs here, to be looked through and pictured.
    static let all: [Scene] = [
        Scene(name: "list", place: "/", isReady: "document.querySelectorAll('[data-id]').length > 5"),
        Scene(name: "overview", place: "/exchanges/8", isReady: hasPanel),
        Scene(name: "request", place: "/exchanges/8#request", isReady: hasPanel),
        Scene(name: "response", place: "/exchanges/8#response", isReady: "document.querySelector('.tree')"),
        Scene(name: "decoded", place: "/exchanges/8#decoded", isReady: hasPanel),
        Scene(name: "timing", place: "/exchanges/8#timing", isReady: hasPanel),
        Scene(name: "connection", place: "/exchanges/8#connection", isReady: hasPanel),
    ]
}
