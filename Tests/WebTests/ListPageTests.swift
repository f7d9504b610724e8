import NIOCore
import Store
import Testing
import Traffic

@testable import Web

@Suite("The list of the page", .serialized, .timeLimit(.minutes(4)))
struct ListPageTests {
    private let list = ShownList()

    @Test("It goes anywhere in 30,000 exchanges, holds few rows, and has a scroll bar as long as all of them")
    func goesAnywhere() async throws {
        try await list.shown(30_000) { page, browser in
            try await list.wait(browser, until: "grid.getAttribute('aria-rowcount') === '30001'")
            #expect(
                try await browser.run(
                    "\(ShownList.eyes) return grid.tBodies[0].parentNode.offsetHeight - grid.tHead.offsetHeight"
                ) as? Int == 30_000 * 28
            )
            for (part, id) in [(0.5, 15_000), (0.9, 3_000), (0.1, 27_000), (1.0, 1), (0.0, 30_000)] {
                // It is said and not held to a limit: others may have the machine.
                let took = try await browser.run(
                    """
                    \(ShownList.eyes)
                    const began = performance.now();
                    rows.scrollTop = \(part) * (rows.scrollHeight - rows.clientHeight);
                    return new Promise((done) => {
                      const look = () => (ids().length > 3 && !ids().includes(0) && Math.abs(ids()[0] - \(id)) < 40 ? done(performance.now() - began) : requestAnimationFrame(look));
                      requestAnimationFrame(look);
                    });
                    """
                )
                print("scrolled to \(part) of 30,000 in \(took) ms")
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
            try await browser.wait(until: "location.pathname === '/exchanges/30000'")
            // A link to an exchange far down brings its row into sight.
            try await browser.open("http://127.0.0.1:\(page.port)/exchanges/12345")
            try await list.wait(browser, until: "ids().includes(12345)")
            // On the way down no more is held than a few thousand rows.
            _ = try await browser.run("\(ShownList.eyes) rows.scrollTop = 0")
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
        try await list.shown(5) { _, browser in
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
        try await list.shown(6_000) { page, browser in
            try await list.wait(browser, until: "grid.getAttribute('aria-rowcount') === '6001'")
            _ = try await browser.run("rows.scrollTop = 3000 * 28")
            try await list.wait(browser, until: "ids()[0] > 2900 && ids()[0] < 3050")
            let before = try await list.numbers(browser)
            _ = try page.store.delete((4_000..<4_500).map { ExchangeID($0) })
            try await list.wait(browser, until: "grid.getAttribute('aria-rowcount') === '5501'")
            try await list.wait(browser, until: "ids()[0] === \(before[0])")
            #expect(try await list.numbers(browser) == before)
            #expect(try await browser.run("return Math.round(rows.scrollTop / 28)") as? Int == 2_500)
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
