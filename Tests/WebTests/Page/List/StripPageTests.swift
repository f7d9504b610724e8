import NIOCore
import Testing
import Traffic

@Suite("The strip of time", .serialized, .timeLimit(.minutes(15)))
struct StripPageTests {
    /// What a script needs to point at a part of the strip, 0 to 1.
    private static let hand = """
        const plot = document.getElementById('strip-plot');
        const at = (type, part) => {
          const box = plot.getBoundingClientRect();
          const event = new PointerEvent(type, { clientX: box.left + part * box.width, clientY: box.top + 5, bubbles: true, cancelable: true, button: 0 });
          (type === 'pointerdown' || type === 'pointerenter' ? plot : type === 'pointermove' ? plot : window).dispatchEvent(event);
        };
        const press = (key, more = {}) => plot.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true, ...more }));
        """

    private static let says = "document.querySelector('.says').textContent"
    private static let rows = "[...document.querySelectorAll('tr[data-id]')].map((row) => Number(row.dataset.id))"

    /// Ten seconds with as many exchanges each as its number, and a browser on them.
    private func shown(_ body: @escaping @Sendable (RunningPage, Browser) async throws -> Void) async throws {
        try await RunningPage.with { page in
            for second in 0..<10 {
                for number in 0...second {
                    let code = number == 0 ? 500 : number == 1 ? 404 : 200
                    // The newest is the last to be recorded: 1 at 14:02:04.
                    let offset = 544_000 + Int64(second) * 1_000_000 + Int64(number) * 1_000
                    try await page.store.record(Recorded.exchange(code: code, offset: offset))
                }
            }
            try await Browser.with { browser in
                try await browser.open("http://127.0.0.1:\(page.port)/?token=\(page.token)")
                try await browser.wait(
                    until: "\(Self.rows).length > 10 && !document.getElementById('strip').hidden && \(Self.says)"
                )
                try await body(page, browser)
                #expect(try await browser.console() == [])
            }
        }
    }

    @Test("It shows the capture by outcome, says the same in words and as a table, and grows with what comes")
    func shows() async throws {
        try await shown { page, browser in
            let summary = try await browser.run("return \(Self.says)") as? String ?? ""
            #expect(summary.hasPrefix("55 exchanges (9 4xx, 10 5xx), up to "))
            let table =
                try await browser.run(
                    "return [...document.querySelectorAll('#strip tbody tr')].map((row) => [...row.cells].slice(1).map((cell) => Number(cell.textContent)))"
                ) as? [[Int]] ?? []
            #expect(table.count <= 12 && table.flatMap(\.self).reduce(0, +) == 55)
            #expect(table.map { $0[5] }.reduce(0, +) == 10)
            // Something is drawn, in more than one colour, and higher at the end than at the beginning.
            let drawn =
                try await browser.run(
                    """
                    const canvas = document.querySelector('#strip canvas');
                    const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
                    const colours = new Set();
                    const tall = [0, 0];
                    for (let i = 0; i < data.length; i += 4) {
                      if (data[i + 3] < 250) continue;
                      colours.add(data.slice(i, i + 3).join());
                      tall[(i / 4) % canvas.width < canvas.width / 2 ? 0 : 1] += 1;
                    }
                    return [colours.size >= 3, tall[1] > 1.2 * tall[0]];
                    """
                ) as? [Bool]
            #expect(drawn == [true, true])
            var left = Recorded.exchange(offset: 10_540_000)
            left.outcome = .cancelled
            left.failure = ExchangeFailure(side: .client, phase: .deliver, cause: .closed, message: "It left.")
            try await page.store.record(left)
            try await browser.wait(until: "\(Self.says).startsWith('56 exchanges (1 cancelled, 9 4xx, 10 5xx)')")
            try await browser.wait(until: "document.querySelector('#row-56')?.classList.contains('tone-none')")
            var open = Recorded.exchange(offset: 10_544_000)
            (open.response, open.code, open.outcome, open.timeline.duration) = (nil, nil, .pending, nil)
            try await page.store.submit([.opened(77, open)])
            try await browser.wait(until: "\(Self.says).startsWith('57 exchanges (1 cancelled, 1 in progress')")
            _ = try await browser.run("document.querySelector('#strip .now').click()")
            try await browser.wait(until: "location.search === '?outcome=pending' && \(Self.rows).join() === '57'")
        }
    }

    @Test("Dragged over, a window of time narrows the list and stays on the strip; a double click takes it away")
    func brushes() async throws {
        try await shown { _, browser in
            _ = try await browser.run("\(Self.hand) at('pointermove', 0.002)")
            #expect(
                try await (browser.run("return \(Self.says)") as? String)?.contains("1 exchange (1 5xx) · ") == true
            )
            _ = try await browser.run(
                "\(Self.hand) at('pointerdown', 0.95); at('pointermove', 0.9); at('pointermove', 0.82);"
            )
            #expect(try await browser.run("return document.querySelector('.brush').hidden") as? Bool == false)
            #expect(try await browser.run("return location.search") as? String == "")
            _ = try await browser.run("\(Self.hand) at('pointerup', 0.82)")
            try await browser.wait(
                until:
                    "new URLSearchParams(location.search).has('since') && new URLSearchParams(location.search).has('before')"
            )
            try await browser.wait(until: "\(Self.rows).length > 0 && \(Self.rows).every((id) => id > 36)")
            // The whole stays to be seen, with the window on it.
            let cells = "[...document.querySelectorAll('#strip tbody tr')].flatMap((row) => [...row.cells].slice(1))"
            try await browser.wait(
                until: "\(cells).reduce((sum, cell) => sum + Number(cell.textContent), 0) === 55"
            )
            let place =
                try await browser.run(
                    "return [parseFloat(document.querySelector('.brush').style.left)]"
                ) as? [Double] ?? []
            #expect(place.first ?? 0 > 70)
            _ = try await browser.run(
                "document.getElementById('strip-plot').dispatchEvent(new MouseEvent('dblclick', { bubbles: true }))"
            )
            try await browser.wait(
                until: "location.search === '' && document.querySelector('.brush').hidden && \(Self.rows).includes(55)"
            )
            _ = try await browser.run("history.back()")
            try await browser.wait(
                until: "new URLSearchParams(location.search).has('since') && !document.querySelector('.brush').hidden"
            )
        }
    }

    @Test("Arrow keys look at one moment after another, with Shift they select; Escape takes the window away")
    func keys() async throws {
        try await shown { _, browser in
            _ = try await browser.run(
                "\(Self.hand) plot.focus(); press('End'); press('ArrowLeft', { shiftKey: true }); press('ArrowLeft', { shiftKey: true });"
            )
            try await browser.wait(until: "new URLSearchParams(location.search).has('since')")
            try await browser.wait(
                until: "\(Self.rows).length > 0 && \(Self.rows).length < 30 && \(Self.rows)[0] === 55"
            )
            _ = try await browser.run("\(Self.hand) press('Escape')")
            try await browser.wait(
                until:
                    "location.search === '' && document.querySelector('table[role=grid]').getAttribute('aria-rowcount') === '56'"
            )
            let named = try await browser.run(
                "\(Self.hand) return [plot.getAttribute('role'), plot.getAttribute('aria-label'), plot.tabIndex, document.getElementById(plot.getAttribute('aria-describedby')).textContent.length > 20]"
            )
            #expect((named as? [Any])?.map { "\($0)" } == ["group", "Exchanges over time", "0", "1"])
        }
    }

    @Test("It is not there before anything is recorded; folded away, it stays so")
    func folds() async throws {
        try await RunningPage.with { page in
            try await Browser.with { browser in
                try await browser.open("http://127.0.0.1:\(page.port)/?token=\(page.token)")
                try await browser.wait(until: "document.querySelector('.welcome')")
                #expect(try await browser.run("return document.getElementById('strip').hidden") as? Bool == true)
                try await page.store.record(Recorded.exchange())
                try await browser.wait(until: "!document.getElementById('strip').hidden")
                _ = try await browser.run("document.querySelector('#strip .fold').click()")
                #expect(try await browser.run("return document.getElementById('strip-plot').hidden") as? Bool == true)
                try await browser.open("http://127.0.0.1:\(page.port)/")
                try await browser.wait(until: "!document.getElementById('strip').hidden")
                let fold = "document.querySelector('#strip .fold')"
                #expect(
                    try await browser.run(
                        "return [document.getElementById('strip-plot').hidden, \(fold).getAttribute('aria-expanded') === 'false']"
                    ) as? [Bool] == [true, true]
                )
                _ = try await browser.run("\(fold).click()")
                #expect(
                    try await browser.run("return document.querySelector('#strip canvas').width > 100") as? Bool == true
                )
                #expect(try await browser.console() == [])
            }
        }
    }
}
