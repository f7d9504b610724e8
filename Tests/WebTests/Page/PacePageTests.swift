import Foundation
import Support
import Testing
import Web

@Suite("The pace of the page", .serialized, .timeLimit(.minutes(15)))
struct PacePageTests {
    @Test("An exchange is on the page some round trips, or a few frames, after its end")
    func appears() async throws {
        // What is gathered for a time on purpose would be most of it.
        try await RunningPage.with(configure: { $0.eventWindow = .milliseconds(5) }) { page in
            try await page.store.record(Recorded.exchange())
            try await Browser.with { browser in
                try await browser.open("http://127.0.0.1:\(page.port)/?token=\(page.token)")
                try await browser.wait(until: "document.querySelectorAll('tr[data-id]').length === 1")
                try await browser.wait(until: "!document.getElementById('state').textContent.startsWith('Connecting')")
                try await browser.countPace(by: "/api/v1/exchanges?limit=1")
                try await browser.run(
                    """
                    window.seen = {};
                    new MutationObserver(() => {
                      for (const { dataset } of document.querySelectorAll('tr[data-id]')) window.seen[dataset.id] ??= { ...window.pace };
                    }).observe(document.getElementById('rows'), { subtree: true, childList: true, attributes: true });
                    """
                )
                var number = 1
                var took: [(roundTrips: Int, frames: Int)] = []
                // A row is drawn with a frame, which on a busy machine is worth many round trips. One that another program delayed is none of ours.
                func arePrompt() -> Bool { took.count { $0.roundTrips <= 30 || $0.frames <= 3 } > took.count / 2 }
                for _ in 1...3 where !arePrompt() {
                    took = []
                    for _ in 1...9 {
                        number += 1
                        try await page.store.record(Recorded.exchange(offset: Int64(number)))
                        let ended = try await browser.pace()
                        try await browser.wait(until: "window.seen[\(number)] !== undefined")
                        let seen = try await browser.pace("window.seen[\(number)]")
                        took.append((seen.roundTrips - ended.roundTrips, seen.frames - ended.frames))
                    }
                    print("an exchange was on the page so many round trips and frames after its end: \(took)")
                }
                #expect(arePrompt())
                #expect(try await browser.console() == [])
            }
        }
    }

    /// Scrolls through a list from its top to its end, as a new page does it, and looks at its heap.
    ///
    /// - Parameters:
    ///   - count: its rows.
    ///   - body: what is done then on the same page.
    /// - Throws: what the browser and the closure throw.
    static func scrolls(
        _ count: Int,
        then body: @escaping @Sendable (RunningPage, Browser) async throws -> Void = { _, _ in }
    ) async throws {
        try await ShownList().shown(count) { page, browser in
            let before = try await browser.heap()
            _ = try await browser.result(
                of: """
                    \(ShownList.eyes)
                    // Those that belong there, each after the one before.
                    const wholeRows = () => {
                      const shown = ids();
                      const first = \(count) - Math.round(rows.scrollTop / 28);
                      return shown.length > 3 && Math.abs(shown[0] - first) <= 1 && shown.every((id, at) => id === shown[0] - at);
                    };
                    // To the end, back by more than is held, and to the end again.
                    const last = \(count / 200);
                    const steps = (from, to) => Array.from({ length: Math.abs(to - from) }, (_, at) => from + (at + 1) * Math.sign(to - from));
                    for (const step of [...steps(0, last), ...steps(last, last - 20), ...steps(last - 20, last)]) {
                      rows.scrollTop = (rows.scrollHeight - rows.clientHeight) * step / last;
                      const end = performance.now() + \(Patience.seconds(5) * 1_000);
                      do await new Promise(requestAnimationFrame);
                      while (!wholeRows() && performance.now() < end);
                      if (!wholeRows()) throw new Error(`no rows at ${rows.scrollTop}`);
                    }
                    """,
                within: 300
            )
            #expect(try await ShownList().numbers(browser).last == 1)
            let grown = try await browser.heap() - before
            print("the heap after \(count) rows: \(before / 1_000) kB and \(grown / 1_000) kB more")
            // Three thousand rows are held, of some 350 bytes each; if all were, that would be thrice what is allowed.
            #expect(grown < 100 * count)
            let drawn = try await browser.run("return document.querySelectorAll('#rows tbody tr').length") as? Int
            #expect(drawn ?? .max < 200)
            try await body(page, browser)
        }
    }
}
