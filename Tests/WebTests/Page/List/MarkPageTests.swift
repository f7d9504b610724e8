import Foundation
import Store
import Testing
import Traffic

@Suite("What a person says of an exchange, on the page", .serialized, .timeLimit(.minutes(15)))
struct MarkPageTests {
    @Test("On the page a row names the rules that touched it, the detail says what they did, and text stays text")
    func rules() async throws {
        try await RunningPage.with { page in
            var ruled = Recorded.exchange()
            ruled.rules = [
                RuleUse(rule: "staging", phase: .requestHead, action: "send", what: "host"),
                RuleUse(rule: "<b>flaky</b>", phase: .requestHead, action: "respond", what: "", note: "shadowed"),
            ]
            try await page.store.record(ruled)
            try await page.store.record(Recorded.exchange(offset: 10))
            try await Browser.with { browser in
                try await browser.open("http://127.0.0.1:\(page.port)/exchanges/1?token=\(page.token)#overview")
                let title = "Changed by the rules staging, <b>flaky</b>"
                try await browser.wait(
                    until: "document.querySelector('tr[data-id=\"1\"] .by-rule.modified')?.title === '\(title)'"
                )
                let facts = "[...document.querySelectorAll('dl.facts dd')].map((one) => one.textContent)"
                for fact in ["staging (host)", "<b>flaky</b>: respond, shadowed"] {
                    try await browser.wait(until: "\(facts).includes('\(fact)')")
                }
                try await browser.wait(until: "!document.querySelector('tr[data-id=\"2\"] .by-rule')")
                try await browser.wait(
                    until: "document.querySelector('.facet[data-name=rule] .value[data-value=staging]')"
                )
                #expect(try await browser.console() == [])
            }
        }
    }

    @Test("On the page a favourite, a tag and a note are set by hand, and captured text in them stays text")
    func browser() async throws {
        try await RunningPage.with { page in
            try await page.store.record(Recorded.exchange(target: "/<img src=x onerror=alert(1)>"))
            try await Browser.with { browser in
                try await browser.open("http://127.0.0.1:\(page.port)/exchanges/1?token=\(page.token)#overview")
                try await browser.wait(until: "document.querySelector('.marks .favourite')")
                _ = try await browser.run("document.querySelector('.marks .favourite').click()")
                try await browser.wait(until: "document.querySelector('tr[data-id=\"1\"] .mark.favourite')")
                try await browser.wait(until: "document.querySelector('.marks .favourite[aria-pressed=true]')")
                _ = try await browser.run(
                    "document.getElementById('new-tag').value = 'slow'; document.getElementById('new-tag').form.requestSubmit();"
                )
                try await browser.wait(
                    until: "document.querySelector('tr[data-id=\"1\"] .tag')?.textContent === 'slow'"
                )
                try await browser.wait(until: "document.querySelector('[data-key=\"tag slow\"]')")
                _ = try await browser.run(
                    "document.getElementById('note').value = '<b>why</b>'; document.getElementById('note').form.requestSubmit();"
                )
                try await browser.wait(
                    until: "document.querySelector('tr[data-id=\"1\"] .mark.note')?.title === '<b>why</b>'"
                )
                try await browser.wait(until: "document.querySelector('[aria-label=\"Remove the tag slow\"]')")
                _ = try await browser.run("document.querySelector('[aria-label=\"Remove the tag slow\"]').click()")
                try await browser.wait(until: "!document.querySelector('tr[data-id=\"1\"] .tag')")
                #expect(try await browser.console() == [])
            }
            let marks = try page.store.summaries(of: [1]).first?.marks
            #expect(marks == ExchangeMarks(isFavourite: true, tags: [], note: "<b>why</b>"))
        }
    }
}
