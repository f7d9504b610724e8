import Foundation
import NIOCore
import Store
import Support
import Testing
import Traffic

@Suite("The page follows what is recorded, in a real browser", .serialized, .timeLimit(.minutes(15)))
struct FollowingPageTests {
    /// Has the page note each stream of events that it opens, and wait no seconds before one is tried again.
    private static let watch = """
        window.sources = [];
        const Plain = EventSource;
        window.EventSource = class extends Plain {
          constructor(...given) {
            super(...given);
            window.sources.push(this);
          }
        };
        const wait = setTimeout;
        window.setTimeout = (does, time, ...given) => wait(does, time === 2000 ? 1 : time, ...given);
        window.look = (isHidden) => {
          Object.defineProperty(document, 'hidden', { configurable: true, get: () => isHidden });
          document.dispatchEvent(new Event('visibilitychange'));
        };
        """
    private static let open = "window.sources.filter(({ readyState }) => readyState !== 2).length"
    private static let rows = "[...document.querySelectorAll('tr[data-id]')].map((row) => row.dataset.id).join()"
    private static let state = "document.getElementById('state').textContent"

    private func shown(
        _ query: String,
        _ body: @escaping @Sendable (RunningPage, Browser) async throws -> Void
    ) async throws {
        try await RunningPage.with(control: ReplayRecorder()) { page in
            try await Browser.with { browser in
                try await browser.devTools("Page.addScriptToEvaluateOnNewDocument", ["source": Self.watch])
                let mark = query.contains("?") ? "&" : "?"
                try await browser.open("http://127.0.0.1:\(page.port)\(query)\(mark)token=\(page.token)")
                try await browser.wait(until: "window.sources.length && \(Self.state) !== 'Connecting…'")
                try await body(page, browser)
            }
        }
    }

    @Test("A tab holds one stream, none while nobody looks, and learns then what it missed")
    func one() async throws {
        try await shown("/setup") { page, browser in
            try await browser.wait(until: "document.querySelector('.setup .light')")
            #expect(try await browser.text(Self.open) == "1")
            try await browser.run("look(true)")
            #expect(try await browser.text(Self.open) == "0")
            for code in [200, 404] { try await page.store.record(Recorded.exchange(code: code)) }
            try await browser.run("look(false)")
            try await browser.wait(until: "document.querySelector('.setup .light.on')")
            #expect(try await browser.text(Self.open) == "1")
            try await browser.run("history.pushState(null, '', '/'); dispatchEvent(new PopStateEvent('popstate'))")
            try await browser.wait(until: "\(Self.rows) === '2,1'")
            #expect(try await browser.text(Self.open) == "1")
            // One that was opened in the background has its rows from before anybody looked.
            try await browser.run("look(true)")
            let other = Recorded.exchange(host: "late.test")
            try await page.store.record(other)
            try await browser.run(
                "history.pushState(null, '', '/?host=late.test'); dispatchEvent(new PopStateEvent('popstate'))"
            )
            try await browser.wait(until: "\(Self.rows) === '3'")
            try await page.store.record(other)
            try await browser.run("look(false)")
            try await browser.wait(until: "\(Self.rows) === '4,3'")
            #expect(try await browser.console() == [])
            try await untold(page, browser)
        }
    }

    @Test("Seven windows in sight of one browser all follow, four of them by a stream, and each gets what it asks for")
    func windows() async throws {
        try await shown("/") { page, first in
            try await first.withOthers(6) { others in
                for window in others {
                    try await window.devTools("Page.addScriptToEvaluateOnNewDocument", ["source": Self.watch])
                    try await window.open("http://127.0.0.1:\(page.port)/?token=\(page.token)")
                    try await window.wait(until: "\(Self.state).startsWith('Recording')")
                }
                let all = [first] + others
                try await page.store.record(Recorded.exchange())
                for window in all { try await window.wait(until: "\(Self.rows) === '1'") }
                for (index, window) in all.enumerated() {
                    #expect(try await window.text("document.visibilityState") == "visible")
                    #expect(try await window.text(Self.open) == (index < 4 ? "1" : "0"), "\(index)")
                    #expect(try await window.text(Self.state).hasPrefix("Recording"))
                    #expect(try await window.text("document.getElementById('notice').hidden") == "true")
                }
                let last = try #require(others.last)
                try await last.run("document.querySelector('tr[data-id]').click()")
                try await last.wait(until: "document.querySelector('#detail .code')?.textContent === '200'")
                // A window that follows something else keeps its slot, and one that nobody looks at gives it to who waits.
                try await first.run(
                    "history.pushState(null, '', '/?code=200'); dispatchEvent(new PopStateEvent('popstate'))"
                )
                try await first.wait(until: "window.sources.length === 2 && \(Self.open) === 1")
                for window in all.prefix(4) { try await window.run("look(true)") }
                for window in all.dropFirst(4) { try await window.wait(until: "\(Self.open) === 1") }
                try await page.store.record(Recorded.exchange())
                for window in all.prefix(4) { try await window.run("look(false)") }
                for window in all {
                    try await window.wait(until: "\(Self.rows) === '2,1'")
                    #expect(try await window.console() == [])
                }
            }
        }
    }

    @Test(
        "Where a browser has no locks, or refuses them, a page holds a stream as if it were the only one",
        arguments: ["get: () => undefined", "value: { request: async () => { throw new Error('not here'); } }"]
    )
    func lockless(locks: String) async throws {
        let script = "Object.defineProperty(navigator, 'locks', { \(locks) });"
        try await RunningPage.with(control: ReplayRecorder()) { page in
            try await Browser.with { browser in
                try await browser.devTools(
                    "Page.addScriptToEvaluateOnNewDocument",
                    ["source": Self.watch + script]
                )
                try await browser.open("http://127.0.0.1:\(page.port)/?token=\(page.token)")
                try await browser.wait(until: "\(Self.open) === 1 && \(Self.state).startsWith('Recording')")
                try await page.store.record(Recorded.exchange())
                try await browser.wait(until: "\(Self.rows) === '1'")
                #expect(try await browser.console() == [])
            }
        }
    }

    /// Has the page's stream of events begin when the test says so.
    private static let held = """
        const Plain = EventSource;
        window.EventSource = class extends EventTarget {
          static CLOSED = 2;
          readyState = 0;
          constructor(address) {
            super();
            window.release = () => {
              this.real = new Plain(address);
              for (const name of ['hello', 'changes', 'resync', 'error']) this.real.addEventListener(name, ({ data, lastEventId }) => {
                this.readyState = this.real.readyState;
                this.dispatchEvent(new MessageEvent(name, { data, lastEventId }));
              });
            };
          }
          close() { this.real?.close(); }
        };
        """

    @Test("What is recorded after the list was answered and before changes are told of is on the page, too")
    func between() async throws {
        try await RunningPage.with { page in
            try await page.store.record(Recorded.exchange())
            try await Browser.with { browser in
                try await browser.devTools("Page.addScriptToEvaluateOnNewDocument", ["source": Self.held])
                try await browser.open("http://127.0.0.1:\(page.port)/?token=\(page.token)")
                try await browser.wait(until: "\(Self.rows) === '1' && window.release")
                try await page.store.record(Recorded.exchange())
                try await browser.run("window.release()")
                try await browser.wait(until: "\(Self.rows) === '2,1'")
            }
        }
    }

    @Test("A list that has to be asked for again and again, faster than it is answered, shows what is answered")
    func flood() async throws {
        try await shown("/") { page, browser in
            try await page.store.record(Recorded.exchange())
            try await browser.wait(until: "\(Self.rows) === '1'")
            try await browser.run(
                """
                const real = window.fetch;
                window.fetch = async (address, options) => {
                  if (address.includes('search?')) await new Promise((done) => setTimeout(done, 300));
                  return real(address, options);
                };
                setInterval(() => window.sources[0].dispatchEvent(new MessageEvent('resync', { data: '{}' })), 50);
                """
            )
            try await page.store.record(Recorded.exchange())
            try await browser.wait(until: "\(Self.rows) === '2,1'")
        }
    }

    @Test("The check of the set-up sees the first decrypted request, however many others were missed with it")
    func missed() async throws {
        try await shown("/setup") { page, browser in
            try await browser.wait(until: "document.querySelector('.setup .light')")
            try await browser.run("look(true)")
            for _ in 0..<101 { try await page.store.record(Recorded.exchange(scheme: .http)) }
            try await page.store.record(Recorded.exchange())
            try await browser.run("look(false)")
            try await browser.wait(until: "document.querySelectorAll('.setup .light.on').length === 2")
            let first = "document.querySelector('.setup .light a').getAttribute('href')"
            #expect(try await browser.text(first) == "/exchanges/1")
        }
    }

    /// Looks at what changes without being told of one by one: the pane of an exchange and the check of the set-up ask again.
    private func untold(_ page: RunningPage, _ browser: Browser) async throws {
        func go(_ place: String) async throws {
            try await browser.run(
                "history.pushState(null, '', '\(place)'); dispatchEvent(new PopStateEvent('popstate'))"
            )
        }
        try await go("/exchanges/4?host=late.test")
        try await browser.wait(until: "document.querySelector('#detail .code').textContent === '200'")
        try page.store.delete([4])
        try await browser.wait(
            until: "document.querySelector('#detail .problem').textContent.includes('no exchange of this number')"
        )
        try await go("/setup")
        try await browser.wait(
            until: "document.querySelector('#place .setup .light').textContent.includes('3 recorded before')"
        )
        try await browser.run("look(true)")
        try await page.store.record(Recorded.exchange())
        try page.store.delete([1])
        try await browser.run("look(false)")
        try await browser.wait(until: "document.querySelector('#place .setup .light.on')")
    }

    @Test("A filter that cannot be read is refused once; without the key nothing is tried until another tab has it")
    func refusals() async throws {
        try await shown("/?q=code:") { page, browser in
            try await browser.wait(until: "\(Self.state).startsWith('Recording')")
            let questions = """
                for (let count = 0; count < 20; count += 1) {
                  await (await fetch('/api/v1/instance', { headers: { Authorization: `Bearer ${JSON.parse(localStorage['inspect.key'])}` } })).text();
                }
                return window.sources.length;
                """
            #expect(try await browser.result(of: questions) == "1")
            #expect(try await browser.text(Self.state).hasPrefix("Recording"))
            try await page.store.record(Recorded.exchange())
            try await browser.run(
                "history.pushState(null, '', '/?q=code:200'); dispatchEvent(new PopStateEvent('popstate'))"
            )
            try await browser.wait(until: "\(Self.rows) === '1' && document.getElementById('notice').hidden")
            try await browser.run(
                "window.held = localStorage['inspect.key']; localStorage['inspect.key'] = '\"another\"'; look(true); look(false);"
            )
            try await browser.wait(until: "\(Self.state) === 'Not connected'")
            let tried = try await browser.text("window.sources.length")
            try await browser.run("localStorage['inspect.key'] = window.held")
            #expect(try await browser.result(of: questions) == tried)
            try await browser.run("dispatchEvent(new StorageEvent('storage'))")
            try await browser.wait(until: "\(Self.state).startsWith('Recording')")
        }
    }

    @Test("What stands in the place of rows stays while other traffic passes, and the strip counts nothing then")
    func nothing() async throws {
        try await RunningPage.with { page in
            var open = Recorded.exchange()
            (open.response, open.code, open.outcome, open.timeline.duration) = (nil, nil, .pending, nil)
            let exchange = open
            _ = await withCheckedContinuation { done in
                page.store.submit(CaptureBatch(events: [.opened(77, exchange)]) { done.resume(returning: $0) })
            }
            try await Browser.with { browser in
                try await browser.open("http://127.0.0.1:\(page.port)/?token=\(page.token)")
                try await browser.wait(until: "document.querySelector('#strip .now')?.checkVisibility()")
                try await browser.run(
                    "history.pushState(null, '', '/?method=PATCH'); dispatchEvent(new PopStateEvent('popstate'))"
                )
                try await browser.wait(
                    until:
                        "document.querySelector('.welcome')?.textContent.includes('The one exchange recorded is left out')"
                )
                try await browser.wait(until: "document.querySelector('#strip .now').hidden")
                try await browser.run("window.button = document.querySelector('.welcome button')")
                try await page.store.record(Recorded.exchange())
                try await browser.wait(
                    until: "document.querySelector('.welcome').textContent.includes('All 2 exchanges are left out')"
                )
                #expect(try await browser.text("document.querySelector('.welcome button') === window.button") == "true")
                try await browser.run("window.button.click()")
                try await browser.wait(until: "location.search === '' && \(Self.rows) === '2,1'")
                #expect(try await browser.console() == [])
            }
        }
    }

    @Test("Rows leave a window of time that counts back from now, in whichever way it is asked for")
    func ages() async throws {
        // The row has to be drawn before it has left the window, in three pages that wait for that at the same time.
        let seconds = 1 + Patience.seconds(2)
        let windows = ["since=", "q=since:", "q=code:200%20-before:"]
        try await RunningPage.with(control: ReplayRecorder()) { page in
            let opened = Watched(0)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for window in windows {
                    group.addTask {
                        try await Browser.with { browser in
                            try await browser.open(
                                "http://127.0.0.1:\(page.port)/?\(window)\(seconds)s&token=\(page.token)"
                            )
                            try await browser.wait(
                                until: "\(Self.state).startsWith('Recording') && document.querySelector('.welcome')"
                            )
                            opened.update { $0 += 1 }
                            try await browser.wait(until: "\(Self.rows) === '1'", within: 60)
                            try await browser.wait(until: "\(Self.rows) === '' && document.querySelector('.welcome')")
                            try await browser.wait(
                                until: "document.getElementById('totals').textContent.startsWith('0 of 1')"
                            )
                        }
                    }
                }
                _ = try await opened.wait(for: "every page to be open", within: .seconds(60)) { $0 == windows.count }
                let now = Moment.microseconds(Date())
                try await page.store.record(Recorded.exchange(offset: now - Recorded.start))
                try await group.waitForAll()
            }
        }
    }
}
