import Testing

@Suite("The page by keyboard in a real browser", .serialized, .timeLimit(.minutes(15)))
struct KeyboardPageTests {
    @Test("Each key does what the sheet of keys says; Escape closes what is on top and the focus goes back")
    func works() async throws {
        try await RunningPage.with(control: ReplayRecorder()) { page in
            for code in [200, 404] { try await page.store.record(Recorded.exchange(code: code)) }
            try await Browser.with { browser in
                try await browser.open("http://127.0.0.1:\(page.port)/?token=\(page.token)")
                try await browser.wait(
                    until:
                        "document.querySelectorAll('tr[data-id]').length === 2 && document.querySelector('#tools button')"
                )
                let focused =
                    "document.activeElement.id || document.activeElement.dataset.key || document.activeElement.tagName"
                for (key, place) in [("/", "query"), ("Escape", "query"), ("Escape", "query")] {
                    try await browser.press(key)
                    #expect(try await browser.text(focused) == place, "\(key)")
                }
                for (key, place) in [("t", "window"), ("h", "host"), ("f", "code 200")] {
                    _ = try await browser.run("document.activeElement.blur()")
                    try await browser.press(key)
                    #expect(try await browser.text(focused) == place, "\(key)")
                }
                // The sheet: every row of the table, and the focus back where it was.
                try await browser.press("?")
                try await browser.wait(until: "document.querySelector('dialog[open].help')")
                let isWhole =
                    try await browser.run(
                        """
                        return import(asset('keys.js')).then(({ table }) => {
                          const text = document.querySelector('dialog').innerText;
                          return table.length > 15 && table.every(({ about }) => text.includes(about));
                        });
                        """
                    ) as? Bool
                #expect(isWhole == true)
                // What is under a dialog gets no keys.
                try await browser.press("o")
                #expect(try await browser.text("location.search") == "")
                try await browser.press("Escape")
                try await browser.wait(until: "!document.querySelector('dialog')")
                #expect(try await browser.text(focused) == "code 200")
                for (key, title) in [("e", "Export"), ("s", "Share"), ("x", "Delete recorded exchanges")] {
                    try await browser.press(key)
                    try await browser.wait(
                        until: "document.querySelector('dialog[open] h2')?.textContent === '\(title)'"
                    )
                    #expect(
                        try await browser.text("document.querySelector('dialog').contains(document.activeElement)")
                            == "true"
                    )
                    try await browser.press("Escape")
                    try await browser.wait(until: "!document.querySelector('dialog')")
                    #expect(try await browser.text(focused) == "code 200", "\(key)")
                }
                // A chosen exchange is closed only when nothing lies above it.
                try await browser.press("l", "ArrowDown")
                try await browser.wait(until: "location.pathname === '/exchanges/2'")
                try await browser.press("?")
                try await browser.wait(until: "document.querySelector('dialog[open]')")
                try await browser.press("Escape")
                try await browser.wait(until: "!document.querySelector('dialog')")
                #expect(try await browser.text("location.pathname") == "/exchanges/2")
                try await browser.press("Escape")
                try await browser.wait(until: "location.pathname === '/'")
                #expect(try await browser.console() == [])
            }
        }
    }

    @Test("The menu is walked by keys and gives the focus back")
    func walksMenu() async throws {
        try await RunningPage.with { page in
            try await page.store.record(Recorded.exchange())
            try await Browser.with { browser in
                try await browser.open("http://127.0.0.1:\(page.port)/?token=\(page.token)")
                try await browser.wait(until: "document.querySelector('.more-tools')")
                _ = try await browser.run("document.querySelector('.more-tools').focus()")
                let item = "document.activeElement.firstChild.textContent"
                try await browser.press("Enter")
                try await browser.wait(until: "\(item) === 'Export…'")
                try await browser.press("ArrowDown")
                #expect(try await browser.text(item) == "Share…")
                try await browser.press("End")
                #expect(try await browser.text(item) == "Keys")
                for letter in ["d", "a", "r"] { try await browser.press(letter) }
                #expect(try await browser.text(item) == "Dark")
                try await browser.press("Enter")
                #expect(try await browser.text("document.documentElement.dataset.theme") == "dark")
                #expect(try await browser.text("document.activeElement.className").contains("more-tools"))
                try await browser.press("ArrowUp")
                #expect(try await browser.text(item) == "Keys")
                try await browser.press("Escape")
                #expect(try await browser.text("document.querySelector('[role=menu]').hidden") == "true")
                #expect(try await browser.text("document.activeElement.className").contains("more-tools"))
                #expect(try await browser.console() == [])
            }
        }
    }
}
