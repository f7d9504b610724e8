import Archive
import Store
import Testing
import Traffic
import Web

@Suite("The tools of the page in a real browser", .serialized, .timeLimit(.minutes(15)))
struct ToolsPageTests {
    private static let loaded =
        "document.querySelectorAll('tr[data-id]').length === 3 && document.querySelector('#tools button') && document.querySelector('[data-key=\"code 404\"]')"

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
                    try await browser.wait(until: "\(back) === '\(colour)' && document.querySelector('.more-tools')")
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
                try await browser.emulate(.phone)
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
                            return [...document.querySelectorAll('body *')].filter((one) => one.checkVisibility() && !one.closest('.skip, .unseen') && !scrolls(one))
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
                try await browser.wait(until: "document.querySelectorAll('tr[data-id]').length === 2")
                #expect(try await browser.console() == [])
            }
        }
    }

    @Test(
        "Export names the format, the filter and whether secrets are masked; Share masks them and gives a link without the token"
    )
    func exports() async throws {
        try await RunningPage.with(control: ReplayRecorder(), inform: { $0.storePath = "/home/sam/it's.db" }) { page in
            for code in [200, 404, 404] {
                let fields = [("Content-Type", "text/plain"), ("Set-Cookie", "sid=0123456789abcdef\(code); Path=/")]
                try await page.store.record(Recorded.exchange(code: code, fields: fields))
            }
            try await Browser.with { browser in
                try await browser.open("http://127.0.0.1:\(page.port)/?token=\(page.token)&q=code:404&method=GET")
                try await browser.wait(
                    until:
                        "document.querySelectorAll('tr[data-id]').length === 2 && document.querySelector('#tools button') && document.querySelectorAll('.chip').length === 2 && document.getElementById('totals').textContent.startsWith('2 of')"
                )
                try await browser.press("e")
                try await browser.wait(until: "document.querySelector('dialog[open] #export-save')")
                let text = try await browser.text("document.querySelector('dialog').innerText")
                #expect(
                    text.contains(
                        "The 2 exchanges of this view, oldest first: exchanges where the code is 404 and the method is GET."
                    )
                )
                let address =
                    "document.querySelector('dialog .primary').href.replace(location.origin, '').replace(/&key=\\w+$/, '')"
                #expect(
                    try await browser.text(address) == "/api/v1/export?q=code%3A404&method=GET&format=har&redact=true"
                )
                _ = try await browser.run(
                    """
                    const choice = document.getElementById('export-format');
                    choice.value = 'jsonl';
                    choice.dispatchEvent(new Event('change'));
                    document.getElementById('export-redact').click();
                    """
                )
                #expect(
                    try await browser.text(address)
                        == "/api/v1/export?q=code%3A404&method=GET&format=jsonl&redact=false"
                )
                #expect(
                    try await browser.text("document.querySelector('dialog pre').textContent")
                        == #"inspect export 'method:get code:404' --store '/home/sam/it'\''s.db' --format jsonl -o capture.jsonl"#
                )
                #expect(try await browser.text("document.querySelector('dialog').innerText").contains("can use them"))
                // Every format is one that the store can be exported as.
                let formats =
                    try await browser.run(
                        "return [...document.querySelectorAll('#export-format option')].map((one) => one.value)"
                    ) as? [String]
                #expect(Set(formats ?? []) == Set(ExportFormat.allCases.map(\.rawValue)))
                try await browser.press("Escape")
                try await browser.wait(until: "!document.querySelector('dialog')")
                try await browser.press("s")
                try await browser.wait(until: "document.querySelector('dialog[open] #share-link')")
                #expect(
                    try await browser.text(address) == "/api/v1/export?q=code%3A404&method=GET&format=har&redact=true"
                )
                // What the file will have masked is said before it is saved.
                try await browser.wait(until: "document.querySelector('.masked-places li')")
                let masked = try await browser.text("document.querySelector('.masked').innerText")
                #expect(masked.contains("2 values are masked") && masked.contains("2 × cookie"), "\(masked)")
                let link = try await browser.text("document.getElementById('share-link').textContent")
                #expect(link == "http://127.0.0.1:\(page.port)/?q=code%3A404&method=GET")
                #expect(try await browser.console() == [])
            }
        }
    }

    @Test("A number in the search box is text, and the command that exports the same has it in quotation marks")
    func exportsNumbers() async throws {
        try await RunningPage.with(control: ReplayRecorder()) { page in
            for target in ["/room/404", "/a"] { try await page.store.record(Recorded.exchange(target: target)) }
            try await Browser.with { browser in
                try await browser.open("http://127.0.0.1:\(page.port)/?token=\(page.token)&q=404")
                try await browser.wait(
                    until:
                        "document.querySelectorAll('tr[data-id]').length === 1 && document.querySelector('#tools button') && document.getElementById('totals').textContent.startsWith('1 of')"
                )
                try await browser.press("e")
                try await browser.wait(until: "document.querySelector('dialog[open] #export-save')")
                let command = try await browser.text("document.querySelector('dialog pre').textContent")
                #expect(command.hasPrefix("inspect export '\"404\"' "), "\(command)")
                // What a selection is as a query text is asked for; without an answer there is a file and no command.
                try await browser.open("http://127.0.0.1:\(page.port)/?token=\(page.token)&q=404&method=GET")
                try await browser.wait(
                    until:
                        "document.querySelector('#tools button') && document.getElementById('totals').textContent.startsWith('1 of')"
                )
                try await browser.run(
                    """
                    const real = window.fetch;
                    window.fetch = (address, options) =>
                      String(address).includes('/filter?') ? Promise.reject(new TypeError('away')) : real(address, options);
                    """
                )
                try await browser.press("e")
                try await browser.wait(until: "document.querySelector('dialog[open] #export-save')")
                #expect(try await browser.text("String(document.querySelector('dialog pre'))") == "null")
                #expect(try await browser.console() == [])
            }
        }
    }

    @Test("The page calls nothing missing that was only recorded late, in its notice and under Problems")
    func late() async throws {
        try await Pane.with { page in
            try await page.store.record(Recorded.exchange())
            let end = Recorded.start + 5_000_000
            try await page.store.record(late: LateSpell(count: 2, from: Recorded.start, to: end))
        } _: { pane in
            try await pane.open(1, "problems")
            try await pane.wait("document.getElementById('state').textContent.startsWith('Recording')")
            try await pane.wait("document.querySelector('#panel .decoded')")
            #expect(try await pane.text("document.getElementById('notice').hidden") == "true")
            #expect(try await pane.text("document.querySelector('#panel').textContent.includes('missing')") == "false")
        }
    }

    @Test("A pause is said in the bar with what passed meanwhile, until recording goes on")
    func pauses() async throws {
        try await RunningPage.with(control: ReplayRecorder()) { page in
            for code in [200, 404, 404] { try await page.store.record(Recorded.exchange(code: code)) }
            try await Browser.with { browser in
                try await browser.open("http://127.0.0.1:\(page.port)/?token=\(page.token)")
                try await browser.wait(until: "document.getElementById('state').textContent.startsWith('Recording')")
                // A proxy that answers as the API's does, with exchanges that pass.
                _ = try await browser.run(
                    """
                    let paused = false;
                    const real = window.fetch;
                    window.fetch = async (path, options) => {
                      if (!path.endsWith('/recording') && !path.endsWith('/instance')) return real(path, options);
                      if (options?.method === 'POST') paused = JSON.parse(options.body).paused;
                      window.asked = paused;
                      return new Response(JSON.stringify({ recording: true, paused, gaps: [{ kind: 'pause', count: 9 }, { kind: 'pause', count: 1200 }] }));
                    };
                    """
                )
                try await browser.press("p")
                try await browser.wait(
                    until: "document.getElementById('state').textContent === 'Paused, 1,200 passed unrecorded'"
                )
                #expect(try await browser.text("document.getElementById('pause').textContent") == "Record")
                #expect(try await browser.text("document.getElementById('notice').hidden") == "true")
                try await browser.click("#pause")
                try await browser.wait(
                    until:
                        "document.getElementById('state').textContent.startsWith('Recording') && window.asked === false"
                )
                #expect(try await browser.console() == [])
            }
        }
    }

    @Test(
        "What recording is said to be is what was answered last, in whatever order answers come, and a second press is not lost"
    )
    func pausesInTurn() async throws {
        try await RunningPage.with(control: ReplayRecorder()) { page in
            try await Browser.with { browser in
                // The page asks every five seconds how recording stands, and every two while it is paused: here at once.
                let hurry = """
                    const wait = setTimeout;
                    window.setTimeout = (does, time, ...given) => wait(does, time === 5000 || time === 2000 ? 50 : time, ...given);
                    """
                try await browser.devTools("Page.addScriptToEvaluateOnNewDocument", ["source": hurry])
                try await browser.open("http://127.0.0.1:\(page.port)/?token=\(page.token)")
                let state = "document.getElementById('state').textContent"
                try await browser.wait(until: "\(state).startsWith('Recording')")
                // Answers that come when the test lets them, each with how the proxy stood as it was asked.
                _ = try await browser.run(
                    """
                    const real = window.fetch;
                    const kept = { paused: false, held: [] };
                    window.kept = kept;
                    const answer = (status, paused) => new Response(JSON.stringify(status === 200 ? { recording: true, paused, gaps: [] } : { error: 'not now' }), { status });
                    window.fetch = (path, options) => {
                      if (!path.endsWith('/recording') && !path.endsWith('/instance')) return real(path, options);
                      const isPost = options?.method === 'POST';
                      if (isPost && !kept.fails) kept.paused = JSON.parse(options.body).paused;
                      const response = answer(isPost && kept.fails ? 503 : 200, kept.paused);
                      return new Promise((resolve) => kept.held.push({ isPost, go: () => resolve(response) }));
                    };
                    window.release = (isPost) => {
                      const index = kept.held.findIndex((one) => one.isPost === isPost);
                      if (index >= 0) kept.held.splice(index, 1)[0].go();
                      return index >= 0;
                    };
                    """
                )
                // A question that was asked before the pause and is answered after it.
                try await browser.wait(until: "kept.held.some((one) => !one.isPost)", within: 20)
                try await browser.press("p")
                try await browser.wait(until: "release(true)")
                try await browser.wait(until: "\(state).startsWith('Paused')")
                #expect(try await browser.text("release(false)") == "true")
                _ = try await browser.result(of: "await new Promise(requestAnimationFrame)")
                #expect(try await browser.text(state).hasPrefix("Paused"))
                // Two presses at once: the proxy ends as it began, and the page says so.
                try await browser.press("p")
                try await browser.press("p")
                try await browser.wait(until: "release(true)")
                try await browser.wait(until: "release(true)")
                try await browser.wait(until: "\(state).startsWith('Paused') && kept.paused === true")
                // A pause of somebody else is seen, and one that was refused here leaves nothing else to be believed.
                _ = try await browser.run("kept.paused = false; kept.fails = true;")
                try await browser.press("p")
                try await browser.wait(until: "release(true)")
                try await browser.wait(until: "release(false), \(state).startsWith('Recording')")
                _ = try await browser.run("kept.paused = true;")
                try await browser.wait(until: "release(false), \(state).startsWith('Paused')", within: 20)
            }
        }
    }
}
