import NIOCore
import Testing
import Traffic

@Suite("The rows of the list", .serialized, .timeLimit(.minutes(15)))
struct RowPageTests {
    private let list = ShownList()

    @Test("Columns are chosen in a menu, sized by keys and by dragging, and remembered")
    func columns() async throws {
        try await list.shown(30) { page, browser in
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
                "document.querySelector('#view-menu .view-panel').dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }))"
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
            try await list.wait(browser, until: "ids()[0] === 30")
            #expect(try await browser.run("return \(names)") as? [String] == chosen)
            #expect(try await browser.run("return \(width)") as? Int == first + 58)
            _ = try await browser.run(
                "[...document.querySelectorAll('#view-menu button')].find((one) => one.textContent === 'Usual columns').click()"
            )
            #expect(try await browser.run("return \(width)") as? Int == first)
        }
    }

    @Test("Table, compact, cards in columns, and rows with their whole address where it is narrow")
    func layouts() async throws {
        try await list.shown(300) { page, browser in
            func look() async throws -> [Int] {
                try await browser.run(
                    "\(ShownList.eyes) const [a, b] = inSight(); return [a.offsetHeight, b.offsetTop - a.offsetTop, Math.sign(b.offsetLeft - a.offsetLeft), grid.tHead.hidden ? 0 : 1];"
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
            try await list.wait(browser, until: "ids()[0] === 300")
            let tops =
                try await browser.run(
                    "\(ShownList.eyes) return new Set(inSight().slice(0, 3).map((row) => row.offsetTop)).size"
                ) as? Int
            #expect(tops == 1)
            // How long the list is, is known a moment after its first rows.
            try await list.wait(browser, until: "(rows.scrollTop = rows.scrollHeight, ids().includes(1))")
            try await choose("table")
            _ = try await browser.run("document.querySelector('.listing').style.flex = '0 0 360px'")
            try await list.wait(browser, until: "grid.className === 'as-lines'")
            #expect(try await look() == [66, 66, 0, 0])
            try await browser.run("rows.scrollTop = 0")
            try await list.wait(browser, until: "ids()[0] === 300")
            let target = "/v2/organisations/4711/facilities/?format=json&open=now"
            try await page.store.record(Recorded.exchange(target: target, offset: 400_000_000))
            try await page.store.record(Recorded.exchange(method: "CONNECT", host: "a.test", target: "a.test:443"))
            try await list.wait(browser, until: "ids()[1] === 301")
            // The text of an address, and whether all of it has room.
            let addresses =
                "[302, 301].map((id) => document.querySelector(`tr[data-id='${id}'] .cell-address`)).map((one) => one.textContent + ' ' + (one.scrollHeight <= one.clientHeight && one.scrollWidth <= one.clientWidth)).join(' ')"
            #expect(try await browser.text(addresses) == "a.test:443 true api.example.test\(target) true")
        }
    }

    @Test("Each value of an exchange becomes the filter: by right-click on a row or in the detail, and by keys")
    func filters() async throws {
        try await list.shown(30) { page, browser in
            func rightClick(_ selector: String) async throws {
                try await browser.run(
                    "document.querySelector(`\(selector)`).dispatchEvent(new MouseEvent('contextmenu', { bubbles: true, cancelable: true, clientX: 400, clientY: 400 }))"
                )
            }
            let entry = "document.activeElement.firstChild.textContent"
            let address = "decodeURIComponent(location.pathname + location.search)"
            // The entry of the cell that was clicked has the focus; the host's comes first.
            try await rightClick("tr[data-id='29'] .cell-code")
            #expect(try await browser.text(entry) == "Only code 500")
            try await browser.press("Enter")
            try await browser.wait(until: "location.search.startsWith('?code=')")
            try await browser.open("http://127.0.0.1:\(page.port)/")
            try await list.wait(browser, until: "ids()[0] === 30")
            try await rightClick("tr[data-id='29'] .cell-path")
            try await browser.press("Enter")
            try await browser.wait(until: "\(address) === '/?q=path:\"/v2/things/29\"'")
            try await list.wait(browser, until: "ids().join() === '29'")
            try await browser.open("http://127.0.0.1:\(page.port)/")
            try await list.wait(browser, until: "ids()[0] === 30")
            try await rightClick("tr[data-id='29'] .cell-host")
            #expect(try await browser.text(entry) == "Only host host1.test")
            try await browser.press("ArrowDown", "Enter")
            try await browser.wait(until: "\(address) === '/?q=-host:host1.test'")
            // Escape leaves all as it is, and the focus where it was.
            try await browser.open("http://127.0.0.1:\(page.port)/exchanges/29#overview")
            try await browser.wait(until: "document.querySelector('#panel .facts')")
            // Without rows the list is hidden, and takes no focus.
            try await list.wait(browser, until: "ids().includes(29)")
            try await browser.run("document.querySelector('[role=grid]').focus()")
            #expect(try await browser.text("document.activeElement.getAttribute('role')") == "grid")
            try await browser.press(".")
            #expect(try await browser.text(entry) == "Only host host1.test")
            try await browser.press("Escape")
            #expect(try await browser.text("document.activeElement.getAttribute('role')") == "grid")
            #expect(try await browser.text(address) == "/exchanges/29")
            try await browser.press("o")
            try await browser.wait(until: "\(address) === '/exchanges/29?host=host1.test'")
            try await list.wait(browser, until: "ids().every((id) => id % 7 === 1)")
            try await browser.run(
                "[...document.querySelectorAll('.facts dt')].find((one) => one.textContent === 'Media type').nextElementSibling.id = 'here'"
            )
            try await rightClick("#here")
            #expect(try await browser.text(entry) == "Only type application/json")
            try await browser.press("Enter")
            try await browser.wait(until: "\(address) === '/exchanges/29?host=host1.test&type=application/json'")
        }
    }

    @Test("Until the chosen exchange is shown, no key filters by the exchange that was shown before, or by none")
    func filtersLate() async throws {
        try await list.shown(30) { _, browser in
            let address = "location.pathname + location.search"
            let title = "document.querySelector('#detail .detail-head .address')"
            try await browser.run(
                """
                const real = window.fetch;
                window.hold = () => { window.gate = new Promise((done) => { window.release = done; }); };
                window.fetch = async (path, options) => {
                  if (/\\/exchanges\\/\\d+$/.test(path)) await window.gate;
                  return real(path, options);
                };
                hold();
                document.querySelector('tr[data-id="30"]').click();
                document.querySelector('[role=grid]').focus();
                """
            )
            try await browser.wait(until: "location.pathname === '/exchanges/30'")
            try await browser.press(".", "o")
            #expect(try await browser.text("document.activeElement.getAttribute('role')") == "grid")
            try await browser.run("release()")
            try await browser.wait(until: title)
            try await browser.run("hold()")
            try await browser.press("ArrowDown", "o", ".")
            #expect(try await browser.text("document.activeElement.getAttribute('role')") == "grid")
            #expect(try await browser.text(address) == "/exchanges/29")
            try await browser.run("release()")
            try await browser.wait(until: "\(title).textContent.includes('host1.test')")
            try await browser.press("o")
            try await browser.wait(until: "\(address) === '/exchanges/29?host=host1.test'")
        }
    }

    @Test("Of an exchange without a code the filter takes the value of the category, in the words of the category")
    func filtersCodeless() async throws {
        try await list.shown(5) { page, browser in
            var exchange = Recorded.exchange(offset: 400_000_000)
            (exchange.code, exchange.response) = (nil, nil)
            try await page.store.record(exchange)
            exchange.outcome = .failed
            try await page.store.record(exchange)
            try await list.wait(browser, until: "document.querySelector('tr[data-id=\"7\"]')")
            for (id, value, word) in [(6, "none", "none"), (7, "failed", "no-answer")] {
                try await browser.run(
                    "document.querySelector('tr[data-id=\"\(id)\"] .cell-code').dispatchEvent(new MouseEvent('contextmenu', { bubbles: true, cancelable: true, clientX: 400, clientY: 400 }))"
                )
                #expect(
                    try await browser.text("document.activeElement.firstChild.textContent") == "Only code \(word)"
                )
                try await browser.press("Enter")
                try await browser.wait(until: "location.search === '?code=\(value)'")
                try await list.wait(browser, until: "ids().join() === '\(id)'")
                try await browser.run("history.back()")
                try await list.wait(browser, until: "ids().length === 7")
            }
        }
    }

    @Test("Rows are marked by Ctrl and Shift and by x; a bar says how many and offers what can be done")
    func marks() async throws {
        try await list.shown(30) { _, browser in
            let bar = "document.getElementById('marked')"
            #expect(try await browser.run("return \(bar).hidden") as? Bool == true)
            _ = try await browser.run("\(ShownList.eyes) click(29, { ctrlKey: true }); click(26, { ctrlKey: true });")
            let said = try await browser.run("return \(bar).textContent") as? String ?? ""
            #expect(said.hasPrefix("2 marked") && said.contains("Compare") && said.hasSuffix("Clear"), "\(said)")
            _ = try await browser.run("\(ShownList.eyes) click(23, { shiftKey: true });")
            let marked = "return [...document.querySelectorAll('tr.marked')].map((row) => Number(row.dataset.id))"
            #expect(try await browser.run(marked) as? [Int] == [29, 26, 25, 24, 23])
            _ = try await browser.run("\(ShownList.eyes) click(20); press('x');")
            #expect(try await browser.run(marked) as? [Int] == [29, 26, 25, 24, 23, 20])
            _ = try await browser.run("\(ShownList.eyes) press('x'); press('ArrowDown'); press('x');")
            #expect(try await browser.run(marked) as? [Int] == [29, 26, 25, 24, 23, 19])
            let offered = try await browser.run(
                """
                return import(asset('marked.js')).then(({ MarkedBar }) => {
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
                try await list.wait(browser, until: "ids()[0] === 6")
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
                    try await browser.run(
                        "\(ShownList.eyes) return inSight().map((row) => row.className.split(' ')[0])"
                    )
                    as? [String]
                #expect(tones == ["tone-pending", "tone-2", "tone-2", "tone-5", "tone-4", "tone-2"])
                open.outcome = .completed
                open.timeline.duration = 2_000_000
                try await page.store.submit([.ended(9, open, request: ByteBuffer(), response: ByteBuffer())])
                try await browser.wait(until: "\(duration) === '2.00 s'")
                // From the first row's start to the last one's end it is 7 s.
                try await browser.wait(until: "document.querySelector('.axis').textContent === '7.00 s'")
                let bars = try await browser.run(
                    "\(ShownList.eyes) return inSight().map((row) => row.querySelector('.fall')).map((bar) => Math.round(parseFloat(bar.style.left)))"
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
        try await list.shown(40) { _, browser in
            let said = try await browser.run(
                """
                \(ShownList.eyes)
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
