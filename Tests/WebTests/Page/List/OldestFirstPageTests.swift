import Store
import Testing

@Suite("An oldest-first list of the page, which grows at its end", .serialized, .timeLimit(.minutes(15)))
struct OldestFirstPageTests {
    private let list = ShownList()

    /// Has the overviews that the page asks for from now on handed on only when a test says so; they are computed when they are asked for.
    private static let held = """
        const real = window.fetch;
        window.held = [];
        window.isHolding = true;
        window.fetch = async (address, options) => {
          const answer = await real(address, options);
          const isOverview = new URL(address, location.href).pathname.endsWith('/overview');
          if (window.isHolding && isOverview) await new Promise((go) => window.held.push(go));
          return answer;
        };
        """

    /// A page that shows the end of 3,000 exchanges.
    private func end(_ body: @escaping @Sendable (RunningPage, Browser) async throws -> Void) async throws {
        try await list.shown(3_000, query: "&sort=started") { page, browser in
            try await list.wait(browser, until: "grid.getAttribute('aria-rowcount') === '3001'")
            try await browser.run("\(ShownList.eyes) rows.scrollTop = rows.scrollHeight")
            try await list.wait(browser, until: "ids().at(-1) === 3000")
            try await body(page, browser)
        }
    }

    @Test("The end stays in sight when counts are told that were made before its last row")
    func staleCounts() async throws {
        try await end { page, browser in
            try await browser.run(Self.held)
            try await page.store.fill(1)
            try await list.wait(browser, until: "ids().at(-1) === 3001 && window.held.length")
            try await page.store.fill(1)
            try await list.wait(
                browser,
                until: "ids().at(-1) === 3002 && grid.getAttribute('aria-rowcount') === '3003'"
            )
            // The counts of 3,001; those that are asked for after them are kept back again.
            try await browser.run("window.held.splice(0).forEach((go) => go())")
            try await list.wait(browser, until: "grid.getAttribute('aria-rowcount') !== '3003'")
            try await page.store.fill(1)
            try await list.wait(browser, until: "ids().at(-1) === 3003")
        }
    }

    @Test("The end stays in sight when the page has another size, and its rows another shape")
    func refits() async throws {
        try await end { page, browser in try await resize(3_000, page, browser) }
    }

    @Test("The end of a list that was wholly in sight stays in sight when it is not any more")
    func short() async throws {
        try await list.shown(12, query: "&sort=started") { page, browser in
            try await list.wait(browser, until: "ids().at(-1) === 12")
            try await resize(12, page, browser)
        }
    }

    /// Shows a page on screens of several sizes, and has one exchange more recorded on each.
    private func resize(_ count: Int, _ page: RunningPage, _ browser: Browser) async throws {
        for (place, screen) in [Browser.Screen.phone, .desktop, .wall, .phone].enumerated() {
            try await browser.emulate(screen)
            try await page.store.fill(1)
            try await list.wait(browser, until: "ids().at(-1) === \(count + 1 + place)")
        }
    }
}
