/// One view of the demonstration's page, as a person comes to see it.
struct Scene: Sendable, CustomStringConvertible {
    let name: String
    /// Path, query and fragment.
    let place: String
    /// What is true in the page once it is all there.
    let isReady: String
    /// What is done in it then, once.
    var script: String?
    /// What is done in it on each screen, whatever was done before.
    var scriptOfScreen: String?

    var description: String { name }

    /// What is true once a tab is chosen and its panel has all that it waits for.
    private static func hasPanel(_ tab: String) -> String {
        """
        document.querySelector('#tab-\(tab)[aria-selected=true]') && document.querySelector('#panel').innerText.trim()
          && ![...document.querySelectorAll('#panel [role=status]')].some((one) => one.textContent.includes('…'))
        """
    }

    private static let hasTools =
        "document.querySelectorAll('[data-id]').length > 5 && document.querySelector('.more-tools')"

    /// Presses a key of the page.
    private static func pressed(_ key: String) -> String {
        "document.body.dispatchEvent(new KeyboardEvent('keydown', { key: '\(key)', bubbles: true }))"
    }

    /// Every view there is; a new one belongs here, to be looked through and pictured.
    static let all: [Scene] = [
        Scene(name: "list", place: "/", isReady: "document.querySelectorAll('[data-id]').length > 5"),
        Scene(
            name: "filtered",
            place: "/?q=-code:404%20path:/&method=GET&since=1d",
            isReady:
                "document.querySelectorAll('[data-id]').length > 5 && document.querySelectorAll('.chip').length === 4"
        ),
        Scene(name: "setup", place: "/setup", isReady: "document.querySelector('.setup .light')"),
        Scene(name: "manual", place: "/manual?article=queries", isReady: "document.querySelector('.manual table')"),
        Scene(
            name: "rail",
            place: "/?code=200",
            isReady: hasTools,
            scriptOfScreen:
                "if (!document.body.classList.contains('rail-open')) document.getElementById('rail-toggle').click()"
        ),
        Scene(name: "keys", place: "/", isReady: hasTools, script: pressed("?")),
        Scene(name: "export", place: "/?code=200", isReady: hasTools, script: pressed("e")),
        Scene(name: "share", place: "/?code=200", isReady: hasTools, script: pressed("s")),
        Scene(name: "clear", place: "/?code=200", isReady: hasTools, script: pressed("x")),
        Scene(name: "menu", place: "/", isReady: hasTools, script: "document.querySelector('.more-tools').click()"),
        Scene(name: "overview", place: "/exchanges/8#overview", isReady: hasPanel("overview")),
        Scene(name: "request", place: "/exchanges/8#request", isReady: hasPanel("request")),
        Scene(
            name: "response",
            place: "/exchanges/8#response",
            isReady: "\(hasPanel("response")) && document.querySelector('.tree')"
        ),
        Scene(name: "decoded", place: "/exchanges/8#decoded", isReady: hasPanel("decoded")),
        Scene(name: "timing", place: "/exchanges/8#timing", isReady: hasPanel("timing")),
        Scene(name: "findings", place: "/findings", isReady: "document.querySelector('#place .rule')"),
        Scene(
            name: "compare",
            place: "/compare?left=8&right=9",
            isReady: "document.querySelector('.compare-result .beside')"
        ),
        Scene(
            name: "compared-sets",
            place: "/compare?left=id:1..20&right=id:21..48",
            isReady: "document.querySelector('.compare-result .sets .diff')"
        ),
        Scene(
            name: "facilities",
            place: "/facilities",
            isReady: "document.querySelector('tr.facility')",
            script: "document.querySelector('tr.facility .twist-button').click()"
        ), Scene(name: "meetings", place: "/meetings?day=tue", isReady: "document.querySelector('.meeting')"),
        Scene(name: "datasets", place: "/datasets", isReady: "document.querySelector('.card')"),
        Scene(
            name: "menus",
            place: "/menus?plan=BP19",
            isReady: "document.querySelector('.swipes b')",
            script: "document.querySelectorAll('.menu-tree details').forEach((one) => { one.open = true; })"
        ),
        Scene(
            name: "rules",
            place: "/rules",
            isReady: "document.querySelector('#place .absent .command')",
            script: "document.querySelector('.rule-draft').open = true"
        ),
        Scene(name: "connection", place: "/exchanges/8#connection", isReady: hasPanel("connection")),
        Scene(name: "problems", place: "/exchanges/8#problems", isReady: hasPanel("problems")),
        Scene(
            name: "make-rule",
            place: "/exchanges/8",
            isReady: "document.querySelector('.actions [title^=Make]')",
            script: "document.querySelector('.actions [title^=Make]').click()"
        ),
        Scene(
            name: "edit",
            place: "/exchanges/8",
            isReady: "document.querySelector('.actions .replay')",
            script:
                "[...document.querySelectorAll('.actions button')].find((one) => one.textContent === 'Edit and replay').click()"
        ),
    ]
}
