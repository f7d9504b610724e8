import NIOCore
import Store
import Testing
import Traffic

@Suite("The list of the page", .serialized, .timeLimit(.minutes(15)))
struct ListPageTests {
    private let list = ShownList()

    @Test(
        "It goes anywhere in 20,000 exchanges, holds few rows, and has a scroll bar as long as all of them; scrolled by, they leave a small heap"
    )
    func goesAnywhere() async throws {
        let count = 20_000
        try await PacePageTests.scrolls(count) { page, browser in
            try await list.wait(browser, until: "grid.getAttribute('aria-rowcount') === '\(count + 1)'")
            #expect(
                try await browser.run(
                    "\(ShownList.eyes) return grid.tBodies[0].parentNode.offsetHeight - grid.tHead.offsetHeight"
                ) as? Int == count * 28
            )
            for (part, id) in [(0.5, 10_000), (0.9, 2_000), (0.1, 18_000), (1.0, 1), (0.0, count)] {
                try await browser.run(
                    "\(ShownList.eyes) rows.scrollTop = \(part) * (rows.scrollHeight - rows.clientHeight)"
                )
                try await list.wait(
                    browser,
                    until: "ids().length > 3 && !ids().includes(0) && Math.abs(ids()[0] - \(id)) < 40"
                )
                let seen = try await list.numbers(browser)
                #expect(zip(seen, seen.dropFirst()).allSatisfy { $0 == $1 + 1 }, "\(part): \(seen)")
                let drawn = try await browser.run("return document.querySelectorAll('#rows tbody tr').length") as? Int
                #expect(drawn ?? .max < 200)
            }
            _ = try await browser.run("\(ShownList.eyes) press('End')")
            try await browser.wait(until: "location.pathname === '/exchanges/1'")
            try await list.wait(
                browser,
                until: "ids().at(-1) === 1 && document.querySelector('tr[aria-selected=true]').dataset.id === '1'"
            )
            _ = try await browser.run("\(ShownList.eyes) press('PageUp')")
            try await list.wait(
                browser,
                until: "Number(document.querySelector('tr[aria-selected=true]').dataset.id) > 5"
            )
            _ = try await browser.run("\(ShownList.eyes) press('Home')")
            try await browser.wait(until: "location.pathname === '/exchanges/\(count)'")
            // A link to an exchange far down brings its row into sight.
            try await browser.open("http://127.0.0.1:\(page.port)/exchanges/12345")
            let pointed = "grid.getAttribute('aria-activedescendant')"
            try await list.wait(browser, until: "ids().includes(12345) && \(pointed) === 'row-12345'")
            // A row that is not drawn is not named to who cannot see it.
            try await browser.run("rows.scrollTop = 0")
            try await list.wait(browser, until: "ids()[0] === \(count) && \(pointed) === null")
        }
    }

    @Test(
        "A list taller than an element can be: the thumb jumps in proportion, the wheel moves by pixels, both ends are reached"
    )
    func tallerThanAnElement() async throws {
        try await RunningPage.with { page in
            try await page.store.fill(5)
            try await Browser.with { browser in
                try await browser.devTools("Page.addScriptToEvaluateOnNewDocument", ["source": Self.million])
                try await browser.open("http://127.0.0.1:\(page.port)/?token=\(page.token)")
                try await list.wait(browser, until: "ids()[0] === 1_000_000")
                try await list.wait(browser, until: "grid.getAttribute('aria-rowcount') === '1000001'")
                // A million rows of 28 pixels are more than the 15 million that an element is given.
                let height = try #require(
                    try await browser.run("return document.getElementById('rows').scrollHeight") as? Int
                )
                #expect(height < 16_000_000)
                // The thumb: a place in the middle of the bar is the middle of the list.
                try await browser.run("rows.scrollTop = (rows.scrollHeight - rows.clientHeight) / 2")
                try await list.wait(browser, until: "Math.abs(ids()[0] - 500_000) < 50")
                // The wheel: a hundred rows of pixels are a hundred rows, though the bar has less for them, which it says once it rests.
                let middle = try #require(try await list.numbers(browser).first)
                let offset = try #require(try await browser.run("return rows.scrollTop") as? Double)
                for _ in 0..<10 {
                    try await browser.run("rows.scrollTop += 280")
                    try await browser.run("return new Promise(requestAnimationFrame)")
                }
                try await list.wait(browser, until: "Math.abs(ids()[0] - \(middle - 100)) <= 1")
                try await browser.wait(until: "Math.abs(rows.scrollTop - \(offset + 1_500)) < 20")
                #expect(abs(try #require(try await list.numbers(browser).first) - (middle - 100)) <= 1)
                try await browser.run("rows.scrollTop = rows.scrollHeight")
                try await list.wait(browser, until: "ids().at(-1) === 1")
                try await browser.run("rows.scrollTop = 0")
                try await list.wait(browser, until: "ids()[0] === 1_000_000")
                #expect(try await browser.console() == [])
            }
        }
    }

    /// Has the API tell of a million exchanges, all like the first: a store of so many takes minutes to fill.
    private static let million = """
        const real = window.fetch;
        const number = 1_000_000;
        let pattern = null;
        const json = (value) => new Response(JSON.stringify(value), { headers: { 'Content-Type': 'application/json' } });
        window.fetch = async (address, options) => {
          const { pathname, searchParams } = new URL(address, location.href);
          if (pathname === '/api/v1/search') {
            pattern ??= (await (await real('/api/v1/search?limit=1', options)).json()).exchanges[0];
            const [after, newer, limit] = ['after', 'newer', 'limit'].map((name) => Number(searchParams.get(name) ?? NaN));
            const top = newer >= 0 ? Math.min(number, newer + limit) : Math.min(number, after ? after - 1 : number);
            const end = newer >= 0 ? newer : Math.max(0, top - limit);
            const exchanges = Array.from({ length: Math.max(0, top - end) }, (_, at) => ({ ...pattern, id: top - at }));
            const isOver = newer >= 0 ? top === number : end === 0;
            return json({ exchanges, next: isOver ? null : exchanges.at(newer >= 0 ? 0 : -1).id });
          }
          const answer = await real(address, options);
          if (pathname !== '/api/v1/overview') return answer;
          return json({ ...(await answer.json()), matched: number, first: 1, bucketSize: 1_000, counts: Array(1_000).fill(1_000) });
        };
        """

    /// Has changes told of only once the first rows are there, and the counts come while the list is asked for again because of that.
    private static let late = """
        const real = window.fetch;
        const waits = { events: [500], overview: [1_500], search: [0, 3_000] };
        window.fetch = async (address, options) => {
          const word = new URL(address, location.href).pathname.split('/').pop();
          const wait = waits[word]?.shift();
          if (wait) await new Promise((go) => setTimeout(go, wait));
          return real(address, options);
        };
        """

    @Test(
        "A link brings its row into sight, though the list is asked for again before it is known where that is",
        arguments: ["345", "1345?sort=started"]
    )
    func lateChanges(_ link: String) async throws {
        try await list.shown(2_000) { page, browser in
            try await browser.devTools("Page.addScriptToEvaluateOnNewDocument", ["source": Self.late])
            try await browser.open("http://127.0.0.1:\(page.port)/exchanges/\(link)")
            try await list.wait(browser, until: "ids().includes(\(link.prefix { $0 != "?" }))")
        }
    }

    @Test("The height of the rows is no colour: what the list rules its lines with is the page's")
    func rules() async throws {
        try await RunningPage.with { page in
            try await page.store.fill(3)
            try await Browser.with { browser in
                try await browser.open("http://127.0.0.1:\(page.port)/?token=\(page.token)")
                try await browser.wait(until: "document.querySelectorAll('tr[data-id]').length === 3")
                let colours = try await browser.run(
                    "return [document.documentElement, document.querySelector('tr[data-id]')].map((one) => getComputedStyle(one).getPropertyValue('--line').trim())"
                )
                let both = try #require(colours as? [String])
                #expect(both[0] == both[1] && !both[0].hasSuffix("px"), "\(both)")
                let height = try await browser.run("return document.querySelector('tr[data-id]').offsetHeight")
                #expect(height as? Int == 28)
            }
        }
    }

    @Test(
        "A scroll in the moment in which the bar comes to rest is not undone, and no key goes on from a list that is gone"
    )
    func keepsScroll() async throws {
        try await RunningPage.with { page in
            try await page.store.fill(3_000)
            try await Browser.with { browser in
                // Keeps what the page puts off, to be done at will.
                let keeping = """
                    window.later = [];
                    const real = window.setTimeout;
                    window.setTimeout = (action, ...rest) => {
                      window.later.push(action);
                      return real(action, ...rest);
                    };
                    """
                try await browser.devTools("Page.addScriptToEvaluateOnNewDocument", ["source": keeping])
                try await browser.open("http://127.0.0.1:\(page.port)/?token=\(page.token)")
                try await list.wait(browser, until: "grid.getAttribute('aria-rowcount') === '3001'")
                try await browser.run("window.later.length = 0; rows.scrollTop = 1000 * 28")
                try await list.wait(browser, until: "ids()[0] === 2_000")
                try await browser.run("rows.scrollTop = 2000 * 28; window.later.forEach((action) => action())")
                try await list.wait(browser, until: "ids()[0] === 1_000")
                // A key went to a row that has yet to come; in another list the next one begins anew.
                try await browser.run(
                    """
                    \(ShownList.eyes)
                    window.plain = window.fetch;
                    window.fetch = (address, ...rest) => address.includes('search?') ? new Promise(() => {}) : plain(address, ...rest);
                    press('End');
                    return new Promise(requestAnimationFrame);
                    """
                )
                try await browser.run(
                    "window.fetch = plain; history.pushState(null, '', '/?code=404'); dispatchEvent(new PopStateEvent('popstate'))"
                )
                try await list.wait(
                    browser,
                    until: "ids()[0] === 2_998 && grid.getAttribute('aria-rowcount') === '501'"
                )
                try await browser.run("\(ShownList.eyes) press('ArrowDown')")
                try await browser.wait(until: "location.pathname.startsWith('/exchanges/')")
                #expect(try await browser.text("location.pathname") == "/exchanges/2998")
                #expect(try await browser.console() == [])
            }
        }
    }

    @Test("New exchanges come in at the top; elsewhere they wait, and a button says how many; paused they wait too")
    func waits() async throws {
        try await list.shown(3_000) { page, browser in
            try await list.wait(browser, until: "grid.getAttribute('aria-rowcount') === '3001'")
            try await page.store.record(Recorded.exchange(offset: 1))
            try await list.wait(browser, until: "ids()[0] === 3001 && grid.getAttribute('aria-rowcount') === '3002'")
            _ = try await browser.run("rows.scrollTop = 40 * 28 + 7")
            try await list.wait(browser, until: "ids()[0] > 2900 && ids()[0] < 2965")
            let before = try await list.numbers(browser)
            try await page.store.fill(37)
            try await browser.wait(until: "document.getElementById('fresh').textContent === '37 new ↑'")
            #expect(try await list.numbers(browser) == before)
            #expect(try await browser.run("return rows.scrollTop") as? Int == 40 * 28 + 7)
            _ = try await browser.run("document.getElementById('fresh').click()")
            try await list.wait(browser, until: "ids()[0] === 3038 && document.getElementById('fresh').hidden")
            // Held still at the top.
            _ = try await browser.run("document.getElementById('pause-list').click()")
            #expect(
                try await browser.run("return document.getElementById('pause-list').getAttribute('aria-pressed')")
                    as? String == "true"
            )
            try await page.store.fill(3)
            try await browser.wait(until: "document.getElementById('fresh').textContent === '3 new ↑'")
            #expect(try await list.numbers(browser).first == 3038)
            _ = try await browser.run("document.getElementById('pause-list').click()")
            try await list.wait(browser, until: "ids()[0] === 3041 && grid.getAttribute('aria-rowcount') === '3042'")
            // Far more at once than one event carries.
            try await page.store.fill(2_500)
            try await list.wait(browser, until: "ids()[0] === 5541 && grid.getAttribute('aria-rowcount') === '5542'")
        }
    }

    @Test("When too much changed to be told, the reader's place is kept")
    func keepsPlace() async throws {
        // More than the page holds.
        try await list.shown(4_000) { page, browser in
            try await list.wait(browser, until: "grid.getAttribute('aria-rowcount') === '4001'")
            _ = try await browser.run("rows.scrollTop = 2000 * 28")
            try await list.wait(browser, until: "ids()[0] > 1900 && ids()[0] < 2050")
            let before = try await list.numbers(browser)
            _ = try page.store.delete((2_500..<3_000).map { ExchangeID($0) })
            try await list.wait(browser, until: "grid.getAttribute('aria-rowcount') === '3501'")
            try await list.wait(browser, until: "ids()[0] === \(before[0])")
            #expect(try await list.numbers(browser) == before)
            #expect(try await browser.run("return Math.round(rows.scrollTop / 28)") as? Int == 1_500)
        }
    }

    /// Has no answer of the overview come before `go` is called.
    private static let uncounted = """
        const real = window.fetch;
        const counted = new Promise((done) => { window.go = done; });
        window.fetch = async (address, options) => {
          if (new URL(address, location.href).pathname.endsWith('/overview')) await counted;
          return real(address, options);
        };
        """

    @Test("A list with the oldest first goes to its very end, though nobody knows yet how long it is")
    func goesToTheEnd() async throws {
        try await list.shown(3_000) { page, browser in
            try await browser.devTools("Page.addScriptToEvaluateOnNewDocument", ["source": Self.uncounted])
            try await browser.open("http://127.0.0.1:\(page.port)/?sort=started")
            try await list.wait(browser, until: "ids()[0] === 1 && ids()[1] === 2")
            try await page.store.fill(1)
            try await browser.wait(until: "document.getElementById('fresh').textContent === '1 new ↓'")
            try await browser.run("document.getElementById('fresh').click()")
            try await list.wait(browser, until: "ids().at(-1) === 3001")
            try await browser.run("window.go()")
            try await list.wait(browser, until: "grid.getAttribute('aria-rowcount') === '3002'")
            try await list.wait(browser, until: "ids().at(-1) === 3001")
            try await page.store.fill(1)
            try await list.wait(browser, until: "ids().at(-1) === 3002")
            #expect(try await browser.console() == [])
        }
    }

    @Test("Who follows at the end of such a list stays there when too much came to be told")
    func staysAtTheEnd() async throws {
        try await list.shown(3_000) { page, browser in
            try await browser.open("http://127.0.0.1:\(page.port)/?sort=started")
            try await list.wait(browser, until: "grid.getAttribute('aria-rowcount') === '3001'")
            try await browser.run("rows.scrollTop = rows.scrollHeight")
            try await list.wait(browser, until: "ids().at(-1) === 3000")
            try await page.store.fill(2_500)
            try await list.wait(browser, until: "ids().at(-1) === 5500")
            try await list.wait(browser, until: "grid.getAttribute('aria-rowcount') === '5501'")
            try await page.store.fill(1)
            try await list.wait(browser, until: "ids().at(-1) === 5501")
        }
    }

    @Test("A click on a column's name sorts the whole, once more the other way; the address holds it")
    func sorts() async throws {
        try await list.shown(3_000) { page, browser in
            func sort(_ name: String) async throws {
                _ = try await browser.run("document.querySelector('th[data-column=\(name)] .sorts').click()")
            }
            let way = "(name) => document.querySelector(`th[data-column=${name}]`).getAttribute('aria-sort')"
            // Of `fill`, the exchange of number n takes n * 7919 mod 3000 ms.
            let slowest = (1...3_000).sorted { ($0 * 7_919 % 3_000, $0) > ($1 * 7_919 % 3_000, $1) }
            try await sort("duration")
            try await list.wait(browser, until: "ids()[0] === \(slowest[0]) && ids()[1] === \(slowest[1])")
            #expect(
                try await browser.run("return [location.search, (\(way))('duration')]") as? [String] == [
                    "?sort=-duration", "descending",
                ]
            )
            try await list.wait(browser, until: "grid.getAttribute('aria-rowcount') === '3001'")
            _ = try await browser.run("\(ShownList.eyes) rows.scrollTop = 2000 * 28")
            try await list.wait(browser, until: "ids()[0] === \(slowest[2_000])")
            _ = try await browser.run("\(ShownList.eyes) rows.scrollTop = rows.scrollHeight")
            try await list.wait(browser, until: "ids().at(-1) === \(slowest[2_999])")
            try await page.store.fill(2)
            try await browser.wait(until: "document.getElementById('fresh').textContent === '2 new ↑'")
            try await sort("duration")
            try await list.wait(browser, until: "ids()[0] === 3000 || ids()[0] === 3001 || ids()[0] === 3002")
            #expect(try await browser.run("return location.search") as? String == "?sort=duration")
            try await sort("time")
            try await list.wait(browser, until: "ids()[0] === 3002")
            try await sort("time")
            try await list.wait(browser, until: "ids()[0] === 1 && ids()[1] === 2")
            #expect(
                try await browser.run("return [location.search, (\(way))('time')]") as? [String] == [
                    "?sort=started", "ascending",
                ]
            )
            try await page.store.fill(1)
            try await browser.wait(until: "document.getElementById('fresh').textContent === '1 new ↓'")
            _ = try await browser.run("document.getElementById('fresh').click()")
            try await list.wait(browser, until: "ids().at(-1) === 3003")
            try await page.store.fill(1)
            try await list.wait(browser, until: "ids().at(-1) === 3004")
            _ = try await browser.run("history.back()")
            try await list.wait(browser, until: "ids()[0] === 3004")
            try await browser.open("http://127.0.0.1:\(page.port)/?sort=-code")
            try await list.wait(browser, until: "inSight()[0].querySelector('.code').textContent === '500'")
        }
    }
}
