import Testing
import Traffic
import Web

@Suite("The bar that says that rules are on, in a real browser", .serialized, .timeLimit(.minutes(15)))
struct RulesBarPageTests {
    private static let bar = "document.getElementById('rules-bar')"

    /// An exchange that a rule changed.
    private static func changed() -> Exchange {
        var exchange = Recorded.exchange()
        exchange.rules = [RuleUse(rule: "a", phase: .requestHead, action: "request", what: "User-Agent")]
        return exchange
    }

    @Test(
        "It says on every place how many are on and what they changed, turns all off, and those on again that were on"
    )
    func turns() async throws {
        var last = try HeldRules.block("c")
        last.isOff = true
        let rules = HeldRules([try HeldRules.block("a"), try HeldRules.block("b"), last], problems: [])
        try await RunningPage.with(control: ReplayRecorder(), rules: rules) { page in
            try await page.store.record(Self.changed())
            try await page.store.record(Recorded.exchange(offset: 1))
            try await Browser.with { browser in
                try await browser.open("http://127.0.0.1:\(page.port)/?token=\(page.token)")
                try await browser.wait(until: "\(Self.bar).innerText.includes('1 exchange changed')")
                #expect(try await browser.text("\(Self.bar).innerText").hasPrefix("2 rules on"))
                for theme in ["light", "dark"] {
                    try await browser.run("document.documentElement.dataset.theme = '\(theme)'")
                    #expect(try await browser.run(AccessibilityAudit.script) as? [String] == [], "\(theme)")
                }
                // The list keeps its place: what comes and goes stands below it.
                let top = "Math.round(document.getElementById('rows').getBoundingClientRect().top)"
                let before = try await browser.text(top)
                try await browser.run("\(Self.bar).querySelector('.end button:not([hidden])').focus()")
                try await browser.press("Enter")
                try await browser.wait(until: "\(Self.bar).innerText.includes('All rules are off')")
                #expect(rules.isOff == [true, true, true])
                #expect(try await browser.text("document.activeElement.textContent") == "Turn on again (2)")
                #expect(try await browser.text(top) == before)
                try await browser.press("Enter")
                try await browser.wait(until: "\(Self.bar).innerText.includes('2 rules on')")
                #expect(rules.isOff == [false, false, true])
                // A row that is switched in the place is known to the bar at once.
                try await browser.run("\(Self.bar).querySelector('a').click()")
                try await browser.wait(
                    until: "location.pathname === '/rules' && document.querySelectorAll('.switch').length === 3"
                )
                try await browser.click(".switch")
                try await browser.wait(until: "\(Self.bar).innerText.includes('1 rule on')")
                try await browser.run(
                    "[...\(Self.bar).querySelectorAll('a')].find((one) => one.textContent.endsWith('changed')).click()"
                )
                try await browser.wait(
                    until: "location.pathname === '/' && document.querySelectorAll('tr[data-id]').length === 1"
                )
                #expect(try await browser.query() == "is:modified")
                #expect(try await browser.console() == [])
            }
        }
    }

    @Test(
        "What they changed is counted again when exchanges end or are removed, and no counting holds up what is known of them"
    )
    func follows() async throws {
        let rules = HeldRules([try HeldRules.block("a")], problems: [])
        try await RunningPage.with(control: ReplayRecorder(), rules: rules) { page in
            try await page.store.record(Self.changed())
            try await Browser.with { browser in
                try await browser.open("http://127.0.0.1:\(page.port)/rules?token=\(page.token)")
                try await browser.wait(until: "\(Self.bar).innerText.includes('1 exchange changed')")
                // As where an exchange lasted long: the rule applied to it long ago.
                try await page.store.record(Self.changed())
                try await browser.wait(until: "\(Self.bar).innerText.includes('2 exchanges changed')")
                #expect(try await page.post("/api/v1/clear?all=true").status == 200)
                try await browser.wait(until: "!\(Self.bar).innerText.includes('changed')")
                try await browser.run(
                    """
                    const real = window.fetch;
                    window.fetch = (path, options) => {
                      if (!String(path).includes('is:modified')) return real(path, options);
                      window.isHeld = true;
                      return new Promise(() => {});
                    };
                    """
                )
                try rules.judge(Recorded.exchange())
                try await page.store.record(Self.changed())
                try await browser.wait(until: "window.isHeld")
                try rules.turn(nil, isOff: true)
                try await browser.wait(until: "document.querySelector('.switch').ariaChecked === 'false'")
            }
        }
    }

    @Test(
        "It says what is wrong with the files also while all rules are off; and when it goes, the focus stays on the page",
        arguments: [("rules", "Rules"), ("setup", "Send traffic here"), ("", "Exchanges")]
    )
    func hides(place: String, focus: String) async throws {
        let rules = HeldRules([try HeldRules.block("a")])
        try await RunningPage.with(control: ReplayRecorder(), rules: rules) { page in
            try await page.store.record(Recorded.exchange())
            try await Browser.with { browser in
                try await browser.open("http://127.0.0.1:\(page.port)/\(place)?token=\(page.token)")
                try await browser.wait(until: "\(Self.bar).innerText.includes('1 rule on')")
                try await browser.run("\(Self.bar).querySelector('.end button:not([hidden])').click()")
                try await browser.wait(until: "\(Self.bar).innerText.includes('All rules are off')")
                #expect(try await browser.text("\(Self.bar).innerText").contains("1 mistake in the rules files"))
                rules.read(rules.list?.rules ?? [])
                try await browser.wait(until: "!\(Self.bar).innerText.includes('mistake')")
                try await browser.run(
                    "[...\(Self.bar).querySelectorAll('button')].find((one) => one.textContent === 'Hide').focus()"
                )
                try await browser.press("Enter")
                try await browser.wait(until: "\(Self.bar).hidden")
                let focused = "document.activeElement.ariaLabel ?? document.activeElement.textContent"
                #expect(try await browser.text(focused) == focus)
            }
        }
    }

    @Test("While some rules are on again, the way back of the others can be hidden too")
    func hidesBesideOthers() async throws {
        let rules = HeldRules([try HeldRules.block("a"), try HeldRules.block("b")], problems: [])
        try await RunningPage.with(control: ReplayRecorder(), rules: rules) { page in
            try await Browser.with { browser in
                try await browser.open("http://127.0.0.1:\(page.port)/rules?token=\(page.token)")
                try await browser.wait(until: "\(Self.bar).innerText.includes('2 rules on')")
                try await browser.run("\(Self.bar).querySelector('.end button:not([hidden])').click()")
                try await browser.wait(until: "\(Self.bar).innerText.includes('All rules are off')")
                try await browser.click(".switch")
                try await browser.wait(until: "\(Self.bar).innerText.includes('Turn on again (1)')")
                try await browser.run(
                    "[...\(Self.bar).querySelectorAll('button')].find((one) => one.textContent === 'Hide').click()"
                )
                try await browser.wait(until: "!\(Self.bar).innerText.includes('again')")
                #expect(try await browser.text("\(Self.bar).innerText").hasPrefix("1 rule on"))
                #expect(rules.isOff == [false, true])
            }
        }
    }

    @Test("It is not there while no rule is on, unless the files have a mistake")
    func quiet() async throws {
        let rules = HeldRules([try HeldRules.block("a")], problems: [])
        try rules.turn(nil, isOff: true)
        try await RunningPage.with(control: ReplayRecorder(), rules: rules) { page in
            try await Browser.with { browser in
                try await browser.open("http://127.0.0.1:\(page.port)/rules?token=\(page.token)")
                try await browser.wait(until: "document.querySelector('.rule-item')")
                #expect(try await browser.text("\(Self.bar).hidden") == "true")
                let off = rules.list?.rules ?? []
                rules.read(off, problems: ["/etc/rules.yaml:1:1: wrong"])
                try await browser.wait(until: "\(Self.bar).innerText.trim() === '1 mistake in the rules files'")
                rules.read(off)
                try await browser.wait(until: "\(Self.bar).hidden")
            }
        }
    }
}
