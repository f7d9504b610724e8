import NIOCore
import Store
import Testing
import Traffic
import Web

@Suite("A rule that is made from an exchange, in a real browser", .serialized, .timeLimit(.minutes(15)))
struct MakeRulePageTests {
    private static let text = "document.querySelector('dialog .made-rule')?.textContent"

    /// An exchange that is open, with so many bytes of a response so far.
    private static func open(_ length: Int = 0) -> Exchange {
        var exchange = Recorded.exchange(length: length)
        // The head is there before the body, and stays.
        exchange.response?.head = Recorded.exchange(length: 3).response?.head ?? ByteBuffer()
        (exchange.outcome, exchange.timeline.duration) = (.pending, nil)
        return exchange
    }

    @Test("It stands in a dialog to copy, as a stub or as a change, as text alone; what cannot be made is said")
    func makes() async throws {
        let bench = RuleBench { id, form, _ in
            if id == 2 { throw RuleBench.Refusal("exchange 2 has no answer that a rule could give or change") }
            return "# made from exchange \(id)\nrules:\n- name: <b>\(form.rawValue)</b>\n"
        } attempt: { _, _ in
            []
        }
        try await RunningPage.with(control: ReplayRecorder(), bench: bench) { page in
            for number in Int64(0)..<2 { try await page.store.record(Recorded.exchange(offset: number)) }
            try await Browser.with { browser in
                try await browser.open("http://127.0.0.1:\(page.port)/exchanges/1?token=\(page.token)")
                let button = "[aria-label='Make a rule…']"
                try await browser.wait(until: "document.querySelector(`\(button)`)")
                try await browser.run("document.querySelector(`\(button)`).focus()")
                try await browser.press("Enter")
                try await browser.wait(
                    until: "\(Self.text) === '# made from exchange 1\\nrules:\\n- name: <b>stub</b>\\n'"
                )
                for theme in ["light", "dark"] {
                    try await browser.run("document.documentElement.dataset.theme = '\(theme)'")
                    #expect(try await browser.run(AccessibilityAudit.script) as? [String] == [], "\(theme)")
                }
                try await browser.press("ArrowDown")
                try await browser.wait(until: "\(Self.text)?.includes('<b>edit</b>')")
                #expect(try await browser.text("document.querySelectorAll('dialog b').length") == "0")
                try await browser.press("Escape")
                try await browser.wait(until: "!document.querySelector('dialog')")
                #expect(try await browser.text("document.activeElement.title") == "Make a rule…")
                // A chosen exchange of which none can be made.
                try await browser.open("http://127.0.0.1:\(page.port)/exchanges/2")
                try await browser.wait(until: "document.querySelector(`\(button)`)")
                try await browser.click(button)
                try await browser.wait(
                    until: "document.querySelector('dialog .wrong')?.textContent.includes('has no answer')"
                )
                #expect(try await browser.text("document.querySelector('dialog .made-rule').hidden") == "true")
            }
        }
    }

    @Test("A body that grows has no rule made anew; an end does")
    func grows() async throws {
        let bench = RuleBench { _, _, store in
            "# \(try store.exchange(1)?.outcome == .completed ? "whole" : "open")\n"
        } attempt: { _, _ in
            []
        }
        try await RunningPage.with(control: ReplayRecorder(), bench: bench) { page in
            try await page.store.submit([.opened(1, Self.open())])
            try await Browser.with { browser in
                try await browser.open("http://127.0.0.1:\(page.port)/exchanges/1?token=\(page.token)#overview")
                let button = "[aria-label='Make a rule…']"
                try await browser.wait(until: "document.querySelector(`\(button)`)")
                try await browser.run(
                    """
                    window.made = 0;
                    const real = window.fetch;
                    window.fetch = async (path, options) => {
                      if (!String(path).includes('/rule?as=')) return real(path, options);
                      window.made += 1;
                      const answer = await real(path, options);
                      if (window.made === 2) await new Promise((done) => { window.release = done; });
                      return answer;
                    };
                    """
                )
                try await browser.click(button)
                try await browser.wait(until: "\(Self.text) === '# open\\n'")
                for length in 1...3 {
                    let bytes = ByteBuffer(string: "a")
                    try await page.store.submit([.body(1, .response, bytes), .changed(1, Self.open(length))])
                    try await browser.wait(until: "document.querySelector('#panel').innerText.includes('\(length) B')")
                }
                #expect(try await browser.text("made") == "1")
                try await page.store.submit([
                    .ended(1, Recorded.exchange(length: 3), request: ByteBuffer(), response: ByteBuffer())
                ])
                try await browser.wait(until: "document.querySelector('#panel').innerText.includes('ompleted')")
                try await browser.wait(until: "typeof window.release === 'function'")
                try await browser.run("release()")
                try await browser.wait(until: "\(Self.text) === '# whole\\n'")
                #expect(try await browser.text("made") == "2")
            }
        }
    }

    @Test("An exchange that ends while its rule is asked for has it made anew; a dialog that is closed asks no longer")
    func ends() async throws {
        let bench = RuleBench { id, _, store in
            guard try store.exchange(id)?.outcome == .completed else { throw RuleBench.Refusal("it is not whole") }
            return "rules: []\n"
        } attempt: { _, _ in
            []
        }
        try await RunningPage.with(control: ReplayRecorder(), bench: bench) { page in
            try await page.store.submit([.opened(1, Self.open())])
            try await Browser.with { browser in
                try await browser.open("http://127.0.0.1:\(page.port)/exchanges/1?token=\(page.token)")
                let button = "[aria-label='Make a rule…']"
                try await browser.wait(until: "document.querySelector(`\(button)`)")
                try await browser.run("window.before = document.querySelector(`\(button)`); before.focus()")
                try await browser.press("Enter")
                try await browser.wait(
                    until: "document.querySelector('dialog .wrong')?.textContent.includes('it is not whole')"
                )
                let whole = Recorded.exchange()
                try await page.store.submit([.ended(1, whole, request: ByteBuffer(), response: ByteBuffer())])
                try await browser.wait(until: "\(Self.text) === 'rules: []\\n'")
                #expect(try await browser.text("document.querySelector('dialog .wrong').textContent") == "")
                // The button that opened it was drawn anew.
                try await browser.press("Escape")
                try await browser.wait(until: "!document.querySelector('dialog')")
                #expect(
                    try await browser.text("!before.isConnected && document.activeElement.title") == "Make a rule…"
                )
                try await browser.run(
                    """
                    const real = window.fetch;
                    window.fetch = (path, options) => {
                      if (!String(path).includes('/rule?as=')) return real(path, options);
                      window.signal = options.signal;
                      return new Promise(() => {});
                    };
                    """
                )
                try await browser.press("Enter")
                try await browser.wait(until: "window.signal?.aborted === false")
                try await browser.press("Escape")
                try await browser.wait(until: "window.signal.aborted")
            }
        }
    }
}
