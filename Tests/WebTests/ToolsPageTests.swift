import Testing
import Traffic

@testable import Web

@Suite("The tools of the page in a real browser", .serialized, .timeLimit(.minutes(3)))
struct ToolsPageTests {
    private static let loaded =
        "document.querySelectorAll('tr[data-id]').length === 3 && document.querySelector('#tools button')"

    @Test("Clear deletes what the filter shows, or all, after it has said how many")
    func clears() async throws {
        try await RunningPage.with(control: ReplayRecorder()) { page in
            for code in [200, 404, 404] { try await page.store.record(Recorded.exchange(code: code)) }
            try await Browser.with { browser in
                try await browser.open("http://127.0.0.1:\(page.port)/?token=\(page.token)")
                try await browser.wait(until: Self.loaded)
                try await browser.click("[data-key='code 404']")
                try await browser.wait(
                    until:
                        "document.querySelectorAll('tr[data-id]').length === 2 && document.getElementById('totals').textContent.startsWith('2 of 3')"
                )
                try await browser.press("x")
                try await browser.wait(until: "document.querySelector('dialog[open]')")
                let text = try await browser.text("document.querySelector('dialog').innerText")
                #expect(text.contains("Those that the filter shows: 2 exchanges") && text.contains("All: 3 exchanges"))
                #expect(text.contains("there is no undo"))
                // Enter does not delete by itself: the focus is on the button that does nothing.
                #expect(try await browser.text("document.activeElement.textContent") == "Cancel")
                try await browser.click("dialog .danger")
                try await browser.wait(
                    until:
                        "!document.querySelector('dialog') && document.getElementById('notice').textContent === 'Deleted 2 exchanges.'"
                )
                #expect(try page.store.list(ListingQuery()).exchanges.map(\.id) == [1])
                _ = try await browser.run("history.back()")
                try await browser.wait(until: "location.search === '' && document.querySelector('tr[data-id=\"1\"]')")
                try await browser.press("x")
                try await browser.wait(until: "document.querySelector('dialog[open]')")
                #expect(try await browser.text("document.getElementById('clear-filter')") == "null")
                try await browser.click("dialog .danger")
                try await browser.wait(until: "!document.querySelector('dialog')")
                #expect(try page.store.list(ListingQuery()).total == 0)
                #expect(try await browser.console() == [])
            }
        }
    }

    @Test("Colours follow the system, or what was chosen, beyond the visit")
    func keepsColours() async throws {
        try await RunningPage.with { page in
            try await page.store.record(Recorded.exchange())
            try await Browser.with { browser in
                try await browser.open("http://127.0.0.1:\(page.port)/?token=\(page.token)")
                try await browser.wait(until: "document.querySelector('.more-tools')")
                let back = "getComputedStyle(document.body).backgroundColor"
                for (label, colour) in [("Dark", "rgb(20, 23, 28)"), ("Light", "rgb(255, 255, 255)")] {
                    try await browser.click(".more-tools")
                    _ = try await browser.run(
                        "[...document.querySelectorAll('[role=menuitemradio]')].find((item) => item.textContent === '\(label)').click()"
                    )
                    #expect(try await browser.text(back) == colour)
                    try await browser.open("http://127.0.0.1:\(page.port)/")
                    try await browser.wait(until: "\(back) === '\(colour)'")
                }
                try await browser.wait(until: "document.querySelector('.more-tools')")
                try await browser.click(".more-tools")
                #expect(
                    try await browser.text(
                        "document.querySelector('[role=menuitemradio][aria-checked=true]').textContent"
                    ) == "Light"
                )
                #expect(try await browser.console() == [])
            }
        }
    }

    @Test("At 360 pixels nothing is cut off or lies beside the window, in either place and with a filter")
    func fitsPhones() async throws {
        try await RunningPage.with(control: ReplayRecorder()) { page in
            for code in [200, 404, 404] { try await page.store.record(Recorded.exchange(code: code)) }
            try await Browser.with { browser in
                try await browser.resize(width: 360, height: 740)
                for address in [
                    "?token=\(page.token)", "?q=-code:500%20path:/v2&code=404&host=api.example.test", "setup",
                ] {
                    try await browser.open("http://127.0.0.1:\(page.port)/\(address)")
                    try await browser.wait(
                        until: "document.querySelector('.more-tools') && document.querySelector('tr[data-id], .setup')"
                    )
                    let beside =
                        try await browser.run(
                            """
                            const scrolls = (one) => one && one !== document.body && (/auto|scroll/.test(getComputedStyle(one).overflowX) || scrolls(one.parentElement));
                            return [...document.querySelectorAll('body *')].filter((one) => one.checkVisibility() && !one.closest('.skip') && !scrolls(one))
                              .filter((one) => one.getBoundingClientRect().right > innerWidth + 0.5).map((one) => one.tagName + '.' + one.className);
                            """
                        ) as? [String]
                    #expect(beside == [], "\(address)")
                    #expect(try await browser.text("document.documentElement.scrollWidth <= innerWidth") == "true")
                }
                try await browser.open("http://127.0.0.1:\(page.port)/")
                try await browser.wait(until: Self.loaded)
                try await browser.click("#rail-toggle")
                #expect(try await browser.text("document.getElementById('rail').checkVisibility()") == "true")
                try await browser.click("[data-key='code 404']")
                try await browser.wait(until: "document.getElementById('rail-toggle').textContent === 'Done'")
                try await browser.click("#rail-toggle")
                try await browser.wait(until: "document.getElementById('rail-toggle').textContent === 'Filters (1)'")
                #expect(try await browser.text("document.querySelectorAll('tr[data-id]').length") == "2")
                #expect(try await browser.console() == [])
            }
        }
    }
}
