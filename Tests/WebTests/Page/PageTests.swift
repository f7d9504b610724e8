import Testing

@Suite("The page in a real browser", .serialized, .timeLimit(.minutes(15)))
struct PageTests {
    /// The rows on the page: ids, top to bottom.
    private func ids(_ browser: Browser) async throws -> [Int] {
        try await browser.run(
            "return [...document.querySelectorAll('tr[data-id]')].map((row) => Number(row.dataset.id));"
        ) as? [Int] ?? []
    }

    @Test("An address with a pass that is used up shows its list again, and the pass leaves it as before")
    func usedPass() async throws {
        try await RunningPage.with(control: ReplayRecorder()) { page in
            try await page.store.record(Recorded.exchange())
            try await Browser.with { browser in
                let pass = try #require(try await page.post("/api/v1/passes").object()["pass"] as? String)
                for (query, rest) in [("", ""), ("&code=200", "?code=200")] {
                    try await browser.open("http://127.0.0.1:\(page.port)/?pass=\(pass)\(query)")
                    try await browser.wait(until: "document.querySelector('tr[data-id]')")
                    #expect(try await browser.text("location.search") == rest)
                }
                #expect(try await browser.console() == [])
            }
        }
    }

    @Test("It shows rows and counts, follows what is recorded, filters by click, and says nothing on the console")
    func showsAndFollows() async throws {
        try await RunningPage.with(control: ReplayRecorder()) { page in
            for code in [200, 200, 404, 500] { try await page.store.record(Recorded.exchange(code: code)) }
            try await Browser.with { browser in
                try await browser.open("http://127.0.0.1:\(page.port)/?token=\(page.token)")
                try await browser.wait(until: "document.querySelectorAll('tr[data-id]').length === 4")
                #expect(try await ids(browser) == [4, 3, 2, 1])
                #expect(try await browser.run("return location.href") as? String == "http://127.0.0.1:\(page.port)/")
                let count =
                    "document.querySelector('[data-key=\"code 200\"]').closest('label').querySelector('.count').textContent"
                try await browser.wait(
                    until: "document.getElementById('totals').textContent === '4 exchanges' && \(count) === '2'"
                )

                try await page.store.record(Recorded.exchange(code: 200))
                try await browser.wait(until: "document.querySelector('tr[data-id=\"5\"]') && \(count) === '3'")

                _ = try await browser.run("document.querySelector('[data-key=\"code 500\"]').click()")
                try await browser.wait(until: "document.querySelectorAll('tr[data-id]').length === 1")
                #expect(try await ids(browser) == [4])
                #expect(try await browser.run("return location.search") as? String == "?code=500")
                _ = try await browser.run("document.querySelector('[data-key=\"code 404\"]').click()")
                try await browser.wait(until: "document.querySelectorAll('tr[data-id]').length === 2")
                #expect(try await browser.run("return location.search") as? String == "?code=500&code=404")
                _ = try await browser.run("history.back()")
                try await browser.wait(until: "document.querySelectorAll('tr[data-id]').length === 1")
                #expect(try await browser.console() == [])
            }
        }
    }

    @Test("A link to an exchange opens it; the arrow keys walk on; bodies show as a tree")
    func opensDetail() async throws {
        try await RunningPage.with { page in
            let body = Array(#"{"name": "Café", "id": 12345678901234567890, "tags": ["a", {"b": null}]}"#.utf8)
            for _ in 0..<3 { try await page.store.record(Recorded.exchange(length: body.count), response: body) }
            try await Browser.with { browser in
                try await browser.open(
                    "http://127.0.0.1:\(page.port)/exchanges/2?token=\(page.token)&code=200#response"
                )
                // The tree reads its rows piece by piece, after it has a place on the page.
                try await browser.wait(
                    until: "/Café[^]*12345678901234567890/.test(document.querySelector('.tree').innerText)"
                )
                let head =
                    try await browser.run("return document.querySelector('pre.head').textContent") as? String ?? ""
                #expect(head.hasPrefix("HTTP/1.1 200 Because\nContent-Type: application/json\n"))
                try await browser.wait(until: "document.querySelector('tr[aria-selected=true]').dataset.id === '2'")
                _ = try await browser.run(
                    """
                    const grid = document.querySelector('table[role=grid]');
                    grid.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowDown', bubbles: true }));
                    """
                )
                try await browser.wait(until: "location.pathname === '/exchanges/1' && document.title.startsWith('1 ')")
                #expect(
                    try await browser.run("return location.search + location.hash") as? String == "?code=200#response"
                )
                #expect(try await browser.console() == [])
            }
        }
    }

    @Test(
        "The Decoded tab draws what a lens reads, lists what breaks a rule, and a failure inside is said above every tab"
    )
    func decodes() async throws {
        try await RunningPage.with { page in
            let text = #"{"meta": {"total": 0}, "meetings": []}"#
            let exchange = Recorded.exchange(host: "local.test", target: "/feed?query", length: text.utf8.count)
            try await page.store.record(exchange, response: Array(text.utf8))
            try await page.store.record(Recorded.exchange(host: "local.test", fields: [("Content-Type", "image/png")]))
            try await Browser.with { browser in
                try await browser.open("http://127.0.0.1:\(page.port)/exchanges/1?token=\(page.token)#decoded")
                try await browser.wait(until: "document.querySelector('.decoded .badge').textContent === 'meetings'")
                let shown =
                    try await browser.run("return document.querySelector('.decoded').innerText") as? String ?? ""
                #expect(shown.contains("Virtual Meeting Finder") && shown.contains("Request"))
                let banner = "return document.querySelector('.alarm')"
                #expect(try await browser.run(banner + ".hidden") as? Bool == false)
                let failure = try await browser.run(banner + ".textContent") as? String ?? ""
                #expect(failure.hasPrefix("Failed inside: "))
                _ = try await browser.run("document.querySelector('#tab-overview').click()")
                try await browser.wait(until: "document.querySelector('#panel .facts')")
                #expect(try await browser.run("return location.hash") as? String == "#overview")
                try await browser.open("http://127.0.0.1:\(page.port)/exchanges/2#decoded")
                try await browser.wait(
                    until: "document.querySelector('.decoded').textContent.startsWith('No lens reads')"
                )
                #expect(try await browser.run(banner + ".hidden") as? Bool == true)
                // Every kind of part, drawn by the page's own module from an answer of the API's shape.
                _ = try await browser.run(Self.drawing)
                try await browser.wait(until: "document.querySelector('#drawn .found li')")
                let facts =
                    try await browser.run(
                        """
                        const at = (selector) => document.querySelectorAll('#drawn ' + selector).length;
                        return [at('dd.bad'), at('thead th'), at('tbody td.good'), at('.nodes > li > details[open]'), at('.nodes li li'), at('pre.text'),
                          at('.found li.breach'), at(':is(img, script)'), window.ran ?? 0];
                        """
                    ) as? [Int]
                #expect(facts == [1, 2, 1, 1, 2, 1, 1, 0, 0])
                let alarm = try await browser.run("return document.querySelector('#alarm').innerText") as? String
                #expect(alarm == "Failed inside: <img src=x onerror=window.ran=1>")
                let drawn =
                    try await browser.run("return document.querySelector('#drawn').textContent") as? String ?? ""
                #expect(drawn.contains("40 more of 41.") && drawn.contains("the iPhone app would crash"))
                let said = try await browser.console()
                #expect(said == [])
            }
        }
    }

    /// Has the page draw a view of every kind of part, which `fetch` is made to answer with.
    private static let drawing = """
        const text = (text, tone = 'plain') => ({ text, tone });
        const hostile = '<img src=x onerror=window.ran=1>';
        const view = { lens: 'x', title: hostile, request: hostile, response: null, failure: hostile, sections: [
          { title: 'A', kind: 'fields', fields: [{ name: hostile, value: text(hostile, 'bad') }] },
          { title: 'B', kind: 'table', columns: ['n', hostile], rows: [[text('1'), text(hostile, 'good')]], total: 41 },
          { title: 'C', kind: 'tree', nodes: [{ label: text('a'), detail: text('b', 'faint'), children: [
            { label: text('c'), children: [] }, { label: text(hostile), children: [] }] }] },
          { title: 'D', kind: 'text', text: hostile }] };
        const finding = { rule: 'X-1', side: 'response', pointer: '/a', message: hostile, consequence: 'the iPhone app would crash', severity: 'breach' };
        // The page around this goes on asking for what it shows.
        const real = window.fetch;
        window.fetch = async (path, options) => path.includes('exchanges/1/')
          ? new Response(JSON.stringify(path.endsWith('findings') ? { findings: [finding] } : view)) : real(path, options);
        return import(asset('decoded.js')).then(({ DecodedView }) => {
          const decoded = new DecodedView(1);
          decoded.element.id = 'drawn';
          decoded.alarm.id = 'alarm';
          document.body.append(decoded.alarm, decoded.element);
        });
        """
}
