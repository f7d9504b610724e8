import Testing

/// The pictures that README shows, taken of the demonstration's page.
@Suite("The pictures of the page", .serialized, .timeLimit(.minutes(15)))
struct ScreenshotPageTests {
    private static let screen = Browser.Screen(name: "readme", width: 1440, height: 900, isDark: false)

    @Test("The demonstration's page shows what it recorded; its pictures are left in .build/screenshots")
    func pictures() async throws {
        try await PlacesPage.with { page in
            let browser = page.browser
            try await browser.emulate(Self.screen)
            try await page.open("/", until: "document.querySelectorAll('tr[data-id]').length >= 20")
            try await browser.run(
                "[...document.querySelectorAll('tr[data-id]')].find((row) => row.innerText.includes('open_now')).click()"
            )
            try await browser.wait(until: "location.pathname.startsWith('/exchanges/')")
            try await browser.run("location.hash = 'decoded'")
            try await browser.wait(until: "document.body.innerText.includes('Facilities at')")
            try await Picture(of: browser).keep("page", sized: Self.screen)
            try await page.open(
                "/facilities?app=ios",
                until: "document.querySelectorAll('.bar-open').length > 20"
            )
            try await Picture(of: browser).keep("facilities", sized: Self.screen)
        }
    }
}
