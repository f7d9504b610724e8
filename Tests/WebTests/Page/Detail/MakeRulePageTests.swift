import Testing
import Traffic
import Web

@Suite("A rule that is made from an exchange, in a real browser", .serialized, .timeLimit(.minutes(15)))
struct MakeRulePageTests {
    private static let text = "document.querySelector('dialog .made-rule')?.textContent"

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
}
