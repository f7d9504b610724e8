import Web

/// The detail pane of a page in a browser, as the tests look at it.
struct Pane: Sendable {
    let browser: Browser
    let page: RunningPage

    /// Opens the page with an exchange chosen.
    func open(_ id: Int, _ tab: String = "overview", query: String = "") async throws {
        try await browser.open("http://127.0.0.1:\(page.port)/exchanges/\(id)?token=\(page.token)\(query)#\(tab)")
        try await wait(
            "document.querySelector('#tab-\(tab)[aria-selected=true]') && document.title.startsWith('\(id) ')"
        )
    }

    /// Goes to an exchange on the page that is open, as a link of it does.
    func go(_ id: Int, _ tab: String = "overview") async throws {
        try await run(
            "history.pushState(null, '', '/exchanges/\(id)#\(tab)'); dispatchEvent(new PopStateEvent('popstate'))"
        )
        try await wait(
            "document.querySelector('#tab-\(tab)[aria-selected=true]') && document.title.startsWith('\(id) ')"
        )
    }

    /// Waits until an expression is true in the page.
    func wait(_ expression: String) async throws { try await browser.wait(until: expression) }

    /// Runs statements in the page.
    func run(_ script: String) async throws { _ = try await browser.run(script) }

    /// The text that an expression gives in the page; empty for anything else.
    func text(_ expression: String) async throws -> String {
        try await browser.run("return String(\(expression))") as? String ?? ""
    }

    /// Clicks the button of this name inside what a selector finds.
    func press(_ name: String, in place: String = "#detail") async throws {
        try await run(
            "[...document.querySelectorAll('\(place) button')].find((one) => one.textContent.trim() === '\(name)').click()"
        )
    }

    /// The views that the body offers, the one that is shown with a star.
    func views() async throws -> String {
        try await text(
            """
            [...document.querySelectorAll('.body-section > .body > .body-content > .toolbar .segments button')]
              .map((one) => one.textContent + (one.getAttribute('aria-pressed') === 'true' ? '*' : '')).join(' ')
            """
        )
    }

    /// Runs a closure with an exchange's pane, recorded before, in a browser that must say nothing on its console.
    static func with<Value: Sendable>(
        configure: (inout WebConfiguration) -> Void = { _ in },
        recording record: @escaping @Sendable (RunningPage) async throws -> Void,
        _ body: @escaping @Sendable (Pane) async throws -> Value
    ) async throws -> Value {
        try await RunningPage.with(control: ReplayRecorder(), configure: configure) { page in
            try await record(page)
            return try await Browser.with { browser in
                let value = try await body(Pane(browser: browser, page: page))
                let said = try await browser.console()
                guard said.isEmpty else { throw Browser.Failure("the console: \(said)") }
                return value
            }
        }
    }
}
