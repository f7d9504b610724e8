import NIOCore
import Store
import Testing
import Traffic

@testable import Web

@Suite("The list of the page", .serialized, .timeLimit(.minutes(4)))
struct ListPageTests {
    /// What a script needs to see what a reader sees: the rows in sight, and their numbers, 0 for one that has yet to come.
    static let eyes = """
        const rows = document.getElementById('rows');
        const grid = document.querySelector('table[role=grid]');
        const inSight = () => {
          const box = rows.getBoundingClientRect();
          const head = grid.tHead.offsetHeight;
          return [...rows.querySelectorAll('tbody tr')].filter((row) => {
            const at = row.getBoundingClientRect();
            return at.top >= box.top + head - 2 && at.bottom <= box.bottom + 2;
          });
        };
        const ids = () => inSight().map((row) => Number(row.dataset.id ?? 0));
        const press = (key, more = {}) => grid.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true, ...more }));
        const click = (id, more = {}) => document.querySelector(`tr[data-id="${id}"]`).dispatchEvent(new MouseEvent('click', { bubbles: true, ...more }));
        """

    private func numbers(_ browser: Browser) async throws -> [Int] {
        try await browser.run("\(Self.eyes) return ids();") as? [Int] ?? []
    }

    private func wait(_ browser: Browser, until expression: String) async throws {
        try await browser.wait(until: "(() => { \(Self.eyes) return \(expression); })()")
    }

    /// A page on a store of so many exchanges, a second between two, newest 500 ms long, and a browser that shows it.
    private func shown(
        _ count: Int,
        query: String = "",
        _ body: @escaping @Sendable (RunningPage, Browser) async throws -> Void
    ) async throws {
        try await RunningPage.with { page in
            try await page.store.fill(count)
            try await Browser.with { browser in
                try await browser.open("http://127.0.0.1:\(page.port)/?token=\(page.token)\(query)")
                try await wait(browser, until: "ids().length > 3 && ids()[0]")
                try await body(page, browser)
                #expect(try await browser.console() == [])
            }
        }
    }

    @Test("It goes anywhere in 30,000 exchanges, holds few rows, and has a scroll bar as long as all of them")
    func goesAnywhere() async throws {
        try await shown(30_000) { page, browser in
            try await wait(browser, until: "grid.getAttribute('aria-rowcount') === '30001'")
            #expect(
                try await browser.run(
                    "\(Self.eyes) return grid.tBodies[0].parentNode.offsetHeight - grid.tHead.offsetHeight"
                ) as? Int == 30_000 * 28
            )
            for (part, id) in [(0.5, 15_000), (0.9, 3_000), (0.1, 27_000), (1.0, 1), (0.0, 30_000)] {
                // It is said and not held to a limit: others may have the machine.
                let took = try await browser.run(
                    """
                    \(Self.eyes)
                    const began = performance.now();
                    rows.scrollTop = \(part) * (rows.scrollHeight - rows.clientHeight);
                    return new Promise((done) => {
                      const look = () => (ids().length > 3 && !ids().includes(0) && Math.abs(ids()[0] - \(id)) < 40 ? done(performance.now() - began) : requestAnimationFrame(look));
                      requestAnimationFrame(look);
                    });
                    """
                )
                print("scrolled to \(part) of 30,000 in \(took) ms")
                let seen = try await numbers(browser)
                #expect(zip(seen, seen.dropFirst()).allSatisfy { $0 == $1 + 1 }, "\(part): \(seen)")
                let drawn = try await browser.run("return document.querySelectorAll('#rows tbody tr').length") as? Int
                #expect(drawn ?? .max < 200)
            }
            _ = try await browser.run("\(Self.eyes) press('End')")
            try await browser.wait(until: "location.pathname === '/exchanges/1'")
            try await wait(
                browser,
                until: "ids().at(-1) === 1 && document.querySelector('tr[aria-selected=true]').dataset.id === '1'"
            )
            _ = try await browser.run("\(Self.eyes) press('PageUp')")
            try await wait(browser, until: "Number(document.querySelector('tr[aria-selected=true]').dataset.id) > 5")
            _ = try await browser.run("\(Self.eyes) press('Home')")
            try await browser.wait(until: "location.pathname === '/exchanges/30000'")
            // A link to an exchange far down brings its row into sight.
            try await browser.open("http://127.0.0.1:\(page.port)/exchanges/12345")
            try await wait(browser, until: "ids().includes(12345)")
            // On the way down no more is held than a few thousand rows.
            _ = try await browser.run("\(Self.eyes) rows.scrollTop = 0")
            let counted = try await browser.run(
                """
                return import('/assets/held.js').then(({ Held, heldLimit }) => {
                  const held = new Held();
                  held.replace(0, [], { isFirst: true, isLast: false });
                  held.length = 1e6;
                  for (let at = 0; at < 100; at++) held.append(Array.from({ length: 200 }, (_, i) => ({ id: 1e6 - at * 200 - i })), false);
                  const [end, first] = [held.end, held.rows[0].id];
                  held.prepend(Array.from({ length: 200 }, (_, i) => ({ id: first + 200 - i })), false);
                  return [heldLimit, held.rows.length, end, held.start, held.isFirst, held.isLast];
                });
                """
            )
            #expect(counted as? [Int] == [3_000, 3_000, 20_000, 16_800, 0, 0])
        }
    }

    @Test(
        "A list taller than an element can be: the thumb jumps in proportion, the wheel moves by pixels, both ends are reached"
    )
    func tallerThanAnElement() async throws {
        try await shown(5) { _, browser in
            let said = try await browser.run(
                """
                return import('/assets/track.js').then(({ Track }) => {
                  const track = new Track(1_000_000);
                  track.measure(28_000_000, 500);
                  const said = [track.height, track.last];
                  track.moved(500_000);
                  said.push(Math.round(track.top / 1_000));
                  const before = track.top;
                  track.moved(500_120);
                  said.push(Math.round(track.top - before));
                  const rested = track.rest();
                  said.push(Math.abs(rested - 500_000) < 10, Math.round(track.top - before));
                  track.moved(999_500);
                  said.push(track.top === track.last);
                  track.moved(0);
                  said.push(track.top);
                  return said;
                });
                """
            )
            let answers = (said as? [Any] ?? []).map { "\($0)" }
            #expect(answers == ["1000000", "27999500", "14007", "120", "1", "120", "1", "0"])
        }
    }

    @Test("New exchanges come in at the top; elsewhere they wait, and a button says how many; paused they wait too")
    func waits() async throws {
        try await shown(3_000) { page, browser in
            try await wait(browser, until: "grid.getAttribute('aria-rowcount') === '3001'")
            try await page.store.record(Recorded.exchange(offset: 1))
            try await wait(browser, until: "ids()[0] === 3001 && grid.getAttribute('aria-rowcount') === '3002'")
            _ = try await browser.run("rows.scrollTop = 40 * 28 + 7")
            try await wait(browser, until: "ids()[0] > 2900 && ids()[0] < 2965")
            let before = try await numbers(browser)
            try await page.store.fill(37)
            try await browser.wait(until: "document.getElementById('fresh').textContent === '37 new ↑'")
            #expect(try await numbers(browser) == before)
            #expect(try await browser.run("return rows.scrollTop") as? Int == 40 * 28 + 7)
            _ = try await browser.run("document.getElementById('fresh').click()")
            try await wait(browser, until: "ids()[0] === 3038 && document.getElementById('fresh').hidden")
            // Held still at the top.
            _ = try await browser.run("document.getElementById('pause-list').click()")
            #expect(
                try await browser.run("return document.getElementById('pause-list').getAttribute('aria-pressed')")
                    as? String == "true"
            )
            try await page.store.fill(3)
            try await browser.wait(until: "document.getElementById('fresh').textContent === '3 new ↑'")
            #expect(try await numbers(browser).first == 3038)
            _ = try await browser.run("document.getElementById('pause-list').click()")
            try await wait(browser, until: "ids()[0] === 3041 && grid.getAttribute('aria-rowcount') === '3042'")
            // Far more at once than one event carries.
            try await page.store.fill(2_500)
            try await wait(browser, until: "ids()[0] === 5541 && grid.getAttribute('aria-rowcount') === '5542'")
        }
    }

    @Test("When too much changed to be told, the reader's place is kept")
    func keepsPlace() async throws {
        try await shown(6_000) { page, browser in
            try await wait(browser, until: "grid.getAttribute('aria-rowcount') === '6001'")
            _ = try await browser.run("rows.scrollTop = 3000 * 28")
            try await wait(browser, until: "ids()[0] > 2900 && ids()[0] < 3050")
            let before = try await numbers(browser)
            _ = try page.store.delete((4_000..<4_500).map { ExchangeID($0) })
            try await wait(browser, until: "grid.getAttribute('aria-rowcount') === '5501'")
            try await wait(browser, until: "ids()[0] === \(before[0])")
            #expect(try await numbers(browser) == before)
            #expect(try await browser.run("return Math.round(rows.scrollTop / 28)") as? Int == 2_500)
        }
    }

    @Test("Columns are chosen in a menu, sized by keys and by dragging, and remembered")
    func columns() async throws {
        try await shown(30) { page, browser in
            let names = "[...document.querySelectorAll('#rows thead th')].map((cell) => cell.dataset.column)"
            _ = try await browser.run(
                "document.querySelector('#view-menu summary').click(); document.querySelector('#view-menu input[value=time]').click()"
            )
            _ = try await browser.run(
                "document.querySelector('#view-menu input[value=scheme]').click(); document.querySelector('#view-menu input[value=waterfall]').click()"
            )
            let chosen = try await browser.run("return \(names)") as? [String] ?? []
            #expect(!chosen.contains("time") && !chosen.contains("waterfall") && chosen.contains("path"))
            #expect(try await browser.run("return document.querySelector('#view-menu').open") as? Bool == true)
            _ = try await browser.run(
                "document.querySelector('#view-menu .menu').dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }))"
            )
            #expect(try await browser.run("return document.activeElement.tagName") as? String == "SUMMARY")
            let width = "document.querySelector('th[data-column=host]').offsetWidth"
            let first = try #require(try await browser.run("return \(width)") as? Int)
            let edge = "document.querySelector('th[data-column=host] [role=separator]')"
            _ = try await browser.run(
                "\(edge).focus(); \(edge).dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowRight', bubbles: true, cancelable: true }))"
            )
            #expect(
                try await browser.run("return [\(width), document.activeElement === \(edge)]") as? [Int] == [
                    first + 8, 1,
                ]
            )
            _ = try await browser.run(
                """
                const at = (type, x) => new PointerEvent(type, { clientX: x, bubbles: true, cancelable: true });
                \(edge).dispatchEvent(at('pointerdown', 300));
                window.dispatchEvent(at('pointermove', 350));
                window.dispatchEvent(at('pointerup', 350));
                """
            )
            #expect(try await browser.run("return \(width)") as? Int == first + 58)
            try await browser.open("http://127.0.0.1:\(page.port)/")
            try await wait(browser, until: "ids()[0] === 30")
            #expect(try await browser.run("return \(names)") as? [String] == chosen)
            #expect(try await browser.run("return \(width)") as? Int == first + 58)
            _ = try await browser.run(
                "[...document.querySelectorAll('#view-menu button')].find((one) => one.textContent === 'Usual columns').click()"
            )
            #expect(try await browser.run("return \(width)") as? Int == first)
        }
    }

    @Test("A click on a column's name sorts the whole, once more the other way; the address holds it")
    func sorts() async throws {
        try await shown(3_000) { page, browser in
            func sort(_ name: String) async throws {
                _ = try await browser.run("document.querySelector('th[data-column=\(name)] .sorts').click()")
            }
            let way = "(name) => document.querySelector(`th[data-column=${name}]`).getAttribute('aria-sort')"
            // Of `fill`, the exchange of number n takes n * 7919 mod 3000 ms.
            let slowest = (1...3_000).sorted { ($0 * 7_919 % 3_000, $0) > ($1 * 7_919 % 3_000, $1) }
            try await sort("duration")
            try await wait(browser, until: "ids()[0] === \(slowest[0]) && ids()[1] === \(slowest[1])")
            #expect(
                try await browser.run("return [location.search, (\(way))('duration')]") as? [String] == [
                    "?sort=-duration", "descending",
                ]
            )
            try await wait(browser, until: "grid.getAttribute('aria-rowcount') === '3001'")
            _ = try await browser.run("\(Self.eyes) rows.scrollTop = 2000 * 28")
            try await wait(browser, until: "ids()[0] === \(slowest[2_000])")
            _ = try await browser.run("\(Self.eyes) rows.scrollTop = rows.scrollHeight")
            try await wait(browser, until: "ids().at(-1) === \(slowest[2_999])")
            try await page.store.fill(2)
            try await browser.wait(until: "document.getElementById('fresh').textContent === '2 new ↑'")
            try await sort("duration")
            try await wait(browser, until: "ids()[0] === 3000 || ids()[0] === 3001 || ids()[0] === 3002")
            #expect(try await browser.run("return location.search") as? String == "?sort=duration")
            try await sort("time")
            try await wait(browser, until: "ids()[0] === 3002")
            try await sort("time")
            try await wait(browser, until: "ids()[0] === 1 && ids()[1] === 2")
            #expect(
                try await browser.run("return [location.search, (\(way))('time')]") as? [String] == [
                    "?sort=started", "ascending",
                ]
            )
            try await page.store.fill(1)
            try await browser.wait(until: "document.getElementById('fresh').textContent === '1 new ↓'")
            _ = try await browser.run("document.getElementById('fresh').click()")
            try await wait(browser, until: "ids().at(-1) === 3003")
            try await page.store.fill(1)
            try await wait(browser, until: "ids().at(-1) === 3004")
            _ = try await browser.run("history.back()")
            try await wait(browser, until: "ids()[0] === 3004")
            try await browser.open("http://127.0.0.1:\(page.port)/?sort=-code")
            try await wait(browser, until: "inSight()[0].querySelector('.code').textContent === '500'")
        }
    }

    @Test("Table, compact, cards in columns, and rows in two lines where it is narrow")
    func layouts() async throws {
        try await shown(300) { page, browser in
            func look() async throws -> [Int] {
                try await browser.run(
                    "\(Self.eyes) const [a, b] = inSight(); return [a.offsetHeight, b.offsetTop - a.offsetTop, Math.sign(b.offsetLeft - a.offsetLeft), grid.tHead.hidden ? 0 : 1];"
                ) as? [Int] ?? []
            }
            func choose(_ kind: String) async throws {
                _ = try await browser.run("document.querySelector('#view-menu input[value=\(kind)]').click()")
            }
            #expect(try await look() == [28, 28, 0, 1])
            try await choose("compact")
            #expect(try await look() == [21, 21, 0, 1])
            try await choose("cards")
            #expect(try await look() == [78, 0, 1, 0])
            _ = try await browser.run(
                "const across = document.getElementById('across'); across.value = '1'; across.dispatchEvent(new Event('change'))"
            )
            #expect(try await look() == [78, 78, 0, 0])
            _ = try await browser.run(
                "const across = document.getElementById('across'); across.value = '3'; across.dispatchEvent(new Event('change'))"
            )
            try await browser.open("http://127.0.0.1:\(page.port)/")
            try await wait(browser, until: "ids()[0] === 300")
            let tops =
                try await browser.run(
                    "\(Self.eyes) return new Set(inSight().slice(0, 3).map((row) => row.offsetTop)).size"
                ) as? Int
            #expect(tops == 1)
            _ = try await browser.run("\(Self.eyes) rows.scrollTop = rows.scrollHeight")
            try await wait(browser, until: "ids().includes(1)")
            try await choose("table")
            _ = try await browser.run("document.querySelector('.listing').style.flex = '0 0 360px'")
            try await wait(browser, until: "grid.className === 'as-lines'")
            #expect(try await look() == [50, 50, 0, 0])
        }
    }

    @Test("Rows are marked by Ctrl and Shift and by x; a bar says how many and offers what can be done")
    func marks() async throws {
        try await shown(30) { _, browser in
            let bar = "document.getElementById('marked')"
            #expect(try await browser.run("return \(bar).hidden") as? Bool == true)
            _ = try await browser.run("\(Self.eyes) click(29, { ctrlKey: true }); click(26, { ctrlKey: true });")
            #expect(try await browser.run("return \(bar).textContent") as? String == "2 markedClear")
            _ = try await browser.run("\(Self.eyes) click(23, { shiftKey: true });")
            let marked = "return [...document.querySelectorAll('tr.marked')].map((row) => Number(row.dataset.id))"
            #expect(try await browser.run(marked) as? [Int] == [29, 26, 25, 24, 23])
            _ = try await browser.run("\(Self.eyes) click(20); press('x');")
            #expect(try await browser.run(marked) as? [Int] == [29, 26, 25, 24, 23, 20])
            _ = try await browser.run("\(Self.eyes) press('x'); press('ArrowDown'); press('x');")
            #expect(try await browser.run(marked) as? [Int] == [29, 26, 25, 24, 23, 19])
            let offered = try await browser.run(
                """
                return import('/assets/marked.js').then(({ MarkedBar }) => {
                  const listing = Object.assign(new EventTarget(), { marked: [3, 5], unmark() {} });
                  const bar = new MarkedBar({ listing });
                  let got = null;
                  bar.offer({ title: 'Compare', least: 2, most: 2, run: (ids) => { got = ids; } });
                  bar.offer({ title: 'Never', least: 3, run() {} });
                  document.querySelector('#marked button').click();
                  const said = [document.getElementById('marked').textContent, got.join()];
                  return said;
                });
                """
            )
            #expect(offered as? [String] == ["2 markedCompareClear", "3,5"])
        }
    }

    @Test("Open exchanges tick, the messages of a stream are counted live, and bars stand on the time in sight")
    func lives() async throws {
        try await RunningPage.with { page in
            for second in 0..<5 {
                try await page.store.record(
                    Recorded.exchange(code: [200, 404, 500, 200, 200][second], offset: Int64(second) * 1_000_000)
                )
            }
            var open = Recorded.exchange(code: 101, scheme: .wss, fields: [("Upgrade", "websocket")])
            open.version = .webSocket
            open.outcome = .pending
            open.timeline = Timeline(started: Recorded.start + 5_000_000)
            let opened = open
            try await page.store.submit([.opened(9, opened)])
            try await Browser.with { browser in
                var open = opened
                try await browser.open("http://127.0.0.1:\(page.port)/?token=\(page.token)")
                try await wait(browser, until: "ids()[0] === 6")
                let duration = "document.querySelector('tr[data-id=\"6\"] .cell-duration').textContent"
                let first = try #require(try await browser.run("return \(duration)") as? String)
                #expect(first.hasSuffix("…"))
                try await browser.wait(until: "\(duration) !== '\(first)'")
                open.messages = MessageCounts(request: 1, response: 30)
                try await page.store.submit([.changed(9, open)])
                try await browser.wait(
                    until: "document.querySelector('tr[data-id=\"6\"] .messages-mark').textContent === '↑1 ↓30'"
                )
                open.messages.add(.response)
                try await page.store.submit([.changed(9, open)])
                try await browser.wait(
                    until: "document.querySelector('tr[data-id=\"6\"] .messages-mark').textContent === '↑1 ↓31'"
                )
                let tones =
                    try await browser.run("\(Self.eyes) return inSight().map((row) => row.className.split(' ')[0])")
                    as? [String]
                #expect(tones == ["tone-pending", "tone-2", "tone-2", "tone-5", "tone-4", "tone-2"])
                open.outcome = .completed
                open.timeline.duration = 2_000_000
                try await page.store.submit([.ended(9, open, request: ByteBuffer(), response: ByteBuffer())])
                try await browser.wait(until: "\(duration) === '2.00 s'")
                // From the first row's start to the last one's end it is 7 s.
                try await browser.wait(until: "document.querySelector('.axis').textContent === '7.00 s'")
                let bars = try await browser.run(
                    "\(Self.eyes) return inSight().map((row) => row.querySelector('.fall')).map((bar) => Math.round(parseFloat(bar.style.left)))"
                )
                #expect(bars as? [Int] == [71, 57, 43, 29, 14, 0])
                let parts = try await browser.run(
                    "const bar = document.querySelector('tr[data-id=\"1\"] .fall'); return [bar.firstChild, bar.lastChild].map((part) => parseFloat(part.style.flexGrow))"
                )
                // Of 25.8 ms the response came in the last 0.9.
                #expect((parts as? [Double])?.map { ($0 * 10).rounded() / 10 } == [24.9, 0.9])
                #expect(try await browser.console() == [])
            }
        }
    }

    @Test("It is a grid with named rows, cells and edges; what has yet to come is busy and not a row of text")
    func isAGrid() async throws {
        try await shown(40) { _, browser in
            let said = try await browser.run(
                """
                \(Self.eyes)
                const bad = [];
                for (const row of grid.querySelectorAll('tr')) if (row.getAttribute('role') !== 'row' || !row.getAttribute('aria-rowindex')) bad.push('row');
                for (const cell of grid.querySelectorAll('td')) if (cell.getAttribute('role') !== 'gridcell') bad.push('cell');
                for (const cell of grid.querySelectorAll('th')) if (cell.getAttribute('role') !== 'columnheader' || !cell.textContent) bad.push('head');
                for (const edge of grid.querySelectorAll('[role=separator]')) if (edge.tabIndex !== 0 || !edge.getAttribute('aria-label')) bad.push('edge');
                for (const one of document.querySelectorAll('.listing :is(button, input, select, summary)')) {
                  if (!(one.textContent || one.getAttribute('aria-label') || one.closest('label')?.textContent).trim()) bad.push(one.outerHTML);
                }
                press('ArrowDown');
                const active = document.getElementById(grid.getAttribute('aria-activedescendant'));
                return [bad.join(), grid.getAttribute('aria-label'), String(active?.getAttribute('aria-selected')), String(grid.tabIndex)];
                """
            )
            #expect(said as? [String] == ["", "Exchanges", "true", "0"])
        }
    }
}

extension TrafficStore {
    /// Records so many exchanges in a few transactions; the one of number n began n seconds after the first and took n * 7919 mod 3000 ms.
    func fill(_ count: Int) async throws {
        let first = try list(ListingQuery(limit: 1, countsFacets: false)).exchanges.first?.id ?? 0
        var left = Array((first + 1)...(first + ExchangeID(count)))
        while !left.isEmpty {
            let events = left.prefix(5_000).map { number in
                var exchange = Recorded.exchange(
                    code: [200, 200, 200, 301, 404, 500][Int(number % 6)],
                    host: "host\(number % 7).test",
                    target: "/v2/things/\(number)?page=\(number % 10)",
                    length: Int(number % 900),
                    offset: number * 1_000_000
                )
                exchange.timeline.duration = number * 7_919 % 3_000 * 1_000
                return ExchangeEvent.ended(UInt64(number), exchange, request: ByteBuffer(), response: ByteBuffer())
            }
            left.removeFirst(events.count)
            let receipt = await withCheckedContinuation { done in
                submit(CaptureBatch(events: events) { done.resume(returning: $0) })
            }
            guard receipt.isRecorded else { throw NotRecorded() }
        }
        if count > 4_096 { try index() }
    }
}
