import NIOCore
import Store
import Testing
import Traffic

/// A page that shows a list, and what a test sees of it.
struct ShownList {
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

    /// The numbers of the rows in sight, top to bottom.
    func numbers(_ browser: Browser) async throws -> [Int] {
        try await browser.run("\(Self.eyes) return ids();") as? [Int] ?? []
    }

    /// Waits in the page until an expression over `eyes` is true.
    func wait(_ browser: Browser, until expression: String) async throws {
        try await browser.wait(until: "(() => { \(Self.eyes) return \(expression); })()")
    }

    /// A page on a store of so many exchanges, a second between two, and a browser that shows it.
    func shown(
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
