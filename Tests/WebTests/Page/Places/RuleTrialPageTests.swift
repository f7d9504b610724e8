import Store
import Testing
import Traffic
import Web

@Suite("What rules would have matched, in a real browser", .serialized, .timeLimit(.minutes(15)))
struct RuleTrialPageTests {
    private static let hostile = "<img src=x onerror=\"document.title='bad'\">"

    /// Tells of one exchange whatever is tried; a text with the word `wrong` has a mistake, one with `many` 103 rules and 52 warnings.
    private static let bench = RuleBench { _, _, _ in
        ""
    } attempt: { trial, store in
        let count = try store.ids(trial.filter).count
        var text: String?
        if case .yaml(let typed) = trial.tried { text = typed }
        var json = JSONWriter()
        json.object { json in
            let isWrong = text?.contains("wrong") == true
            json.objects("problems", isWrong ? [hostile] : []) { sentence, json in
                json.integer("line", 2)
                json.integer("column", 3)
                json.string("sentence", sentence)
            }
            let isMany = text?.contains("many") == true
            json.objects("warnings", isMany ? Array(1...52) : []) { line, json in
                json.integer("line", line)
                json.integer("column", 1)
                json.string("sentence", "odd")
            }
            guard !isWrong else { return }
            json.integer("of", 8_140)
            json.boolean("late", text != nil)
            json.integer("looked", text == nil ? 8_140 : 3_000)
            json.integer("touched", 200 + count)
            json.objects("rules", isMany ? (1...103).map { "r\($0)" } : [hostile]) { name, json in
                json.string("name", name)
                json.boolean("on", true)
                json.integer("hits", 200 + count)
                for member in ["shadowed", "skipped", "failed"] { json.integer(member, 0) }
            }
            json.objects("exchanges", [1]) { id, json in
                json.object("exchange") { json in
                    json.integer("id", id)
                    json.string("method", "GET")
                    json.string("url", "https://a.test/\(hostile)")
                    json.integer("code", 200)
                }
                json.string("changes", "a (\(hostile))")
                json.objects("uses", [String]()) { _, _ in }
                json.boolean("mayDiffer", true)
                json.string("untried", nil)
            }
        }
        return json.take()
    }

    private static func told(_ place: String) -> String { "document.querySelector('\(place) .rule-trial').innerText" }

    @Test("A rule of the place says how many of how many, with the first as links, under the list's filter")
    func rule() async throws {
        let rules = HeldRules([try HeldRules.block("a")], problems: [])
        try rules.turn(nil, isOff: true)
        try await RunningPage.with(control: ReplayRecorder(), rules: rules, bench: Self.bench) { page in
            for code in [200, 404] { try await page.store.record(Recorded.exchange(code: code)) }
            try await Browser.with { browser in
                try await browser.open("http://127.0.0.1:\(page.port)/rules?code=404&token=\(page.token)")
                try await browser.wait(until: "document.querySelector('.rule-item .more')")
                try await browser.click(".rule-item .more")
                let place = ".rule-item"
                try await browser.wait(
                    until: "\(Self.told(place)).includes('Would have matched 201 of 8,140 exchanges')"
                )
                let told = try await browser.text(Self.told(place))
                for words in ["that the list's filter selects", "the answer may differ", "and 200 more", Self.hostile] {
                    #expect(told.contains(words), "\(words): \(told)")
                }
                #expect(try await browser.text("document.querySelectorAll('#place img').length") == "0")
                for theme in ["light", "dark"] {
                    try await browser.run("document.documentElement.dataset.theme = '\(theme)'")
                    #expect(try await browser.run(AccessibilityAudit.script) as? [String] == [], "\(theme)")
                }
                #expect(rules.isOff == [true])
                try await browser.click(".rule-item .more")
                try await browser.wait(until: "\(Self.told(place)).trim() === ''")
                try await browser.click(".rule-item .more")
                try await browser.wait(until: "document.querySelector('.rule-item .tried a')")
                try await browser.click(".rule-item .tried a")
                try await browser.wait(until: "location.pathname === '/exchanges/1'")
                #expect(try await browser.console() == [])
            }
        }
    }

    /// Writes a text into the box at once: keys that come slowly would have its beginning tried.
    private static func write(_ text: String) -> String {
        "const box = document.querySelector('.rule-draft textarea'); box.value = '\(text)'; box.dispatchEvent(new Event('input'))"
    }

    @Test(
        "A text is tried as it is typed; its mistakes lead to their place, and it is there again for whoever comes back"
    )
    func text() async throws {
        try await RunningPage.with(control: ReplayRecorder(), bench: Self.bench) { page in
            try await page.store.record(Recorded.exchange())
            try await Browser.with { browser in
                try await browser.open("http://127.0.0.1:\(page.port)/rules?token=\(page.token)")
                try await browser.wait(until: "document.querySelector('.rule-draft summary')")
                try await browser.click(".rule-draft summary")
                try await browser.run(Self.write("rules:\\n- wrong\\n"))
                try await browser.wait(until: "\(Self.told(".rule-draft")).includes('line 2, column 3')")
                let told = try await browser.text(Self.told(".rule-draft"))
                #expect(told.contains(Self.hostile) && !told.contains("Would have matched"), "\(told)")
                #expect(try await browser.text("document.querySelectorAll('#place img').length") == "0")
                try await browser.click(".rule-draft .mistakes button")
                let caret = "document.activeElement.tagName + document.activeElement.selectionStart"
                try await browser.wait(until: "\(caret) === 'TEXTAREA9'")
                // What is read out is how many there are and where.
                #expect(
                    try await browser.text("document.querySelector('.rule-draft [role=status]').textContent")
                        == "1 mistake, in line 2, column 3."
                )
                // YAML ends a line at U+2028 too.
                let mistake = "document.querySelector('.rule-draft .mistakes button')"
                try await browser.run("window.seen = \(mistake)")
                try await browser.run(Self.write("wrong\\u2028- x"))
                try await browser.wait(until: "\(mistake) && \(mistake) !== seen")
                try await browser.click(".rule-draft .mistakes button")
                try await browser.wait(until: "\(caret) === 'TEXTAREA8'")
                try await browser.run(Self.write("many"))
                try await browser.wait(until: "\(Self.told(".rule-draft")).includes('and 3 more rules')")
                let many = try await browser.text(Self.told(".rule-draft"))
                #expect(many.contains("r100: ") && !many.contains("r101: "))
                #expect(many.contains("line 50, column 1 warning: odd") && many.contains("and 2 more"), "\(many)")
                try await browser.run(Self.write("rules: []"))
                try await browser.wait(
                    until:
                        "\(Self.told(".rule-draft")).includes('201 of 3,000 exchanges in the time that there is; of 8,140 the newest 1,000 are tried first')"
                )
                for theme in ["light", "dark"] {
                    try await browser.run("document.documentElement.dataset.theme = '\(theme)'")
                    #expect(try await browser.run(AccessibilityAudit.script) as? [String] == [], "\(theme)")
                }
                try await browser.click(".rule-draft .tried a")
                try await browser.wait(until: "location.pathname === '/exchanges/1'")
                try await browser.run("history.back()")
                try await browser.wait(until: "document.querySelector('.rule-draft .tried a')")
                #expect(try await browser.text("document.querySelector('.rule-draft textarea').value") == "rules: []")
                #expect(try await browser.console() == [])
            }
        }
    }
}
