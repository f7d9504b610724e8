import Testing
import Traffic
import Web

@Suite("The place of the rules, in a real browser", .serialized, .timeLimit(.minutes(15)))
struct RulesPageTests {
    private static let hostile = #"<img src=x onerror="document.title='bad'">"#

    /// The element of the rule at a place, from 1, in the script.
    private static func row(_ place: Int) -> String { "document.querySelectorAll('.rule-item')[\(place - 1)]" }

    @Test("The rules stand in their order with what they do and have done, which is followed; a switch is the API's")
    func list() async throws {
        var second = try HeldRules.block("no trackers", when: "host:*.tracker.test")
        (second.isOff, second.group) = (true, "quiet")
        let rules = HeldRules([try HeldRules.block("other", .close), second], problems: [])
        try await RunningPage.with(control: ReplayRecorder(), rules: rules) { page in
            try await Browser.with { browser in
                try await browser.open("http://127.0.0.1:\(page.port)/rules?token=\(page.token)")
                try await browser.wait(until: "document.querySelectorAll('.rule-item').length === 2")
                #expect(
                    try await browser.text("document.querySelector('#places [aria-current]').textContent") == "Rules"
                )
                let first = try await browser.text("\(Self.row(1)).innerText")
                for words in ["1.", "other", "block close", "on every exchange", "has not applied yet", "rules.yaml:2"]
                {
                    #expect(first.contains(words), "\(words): \(first)")
                }
                let other = try await browser.text("\(Self.row(2)).innerText")
                for words in ["2.", "no trackers", "quiet", "off", "when host:*.tracker.test"] {
                    #expect(other.contains(words), "\(words): \(other)")
                }
                #expect(
                    try await browser.text("document.querySelector('.sum').textContent").hasPrefix(
                        "1 of 2 rules are on"
                    )
                )
                // The focus stays on the switch while its rule is switched and counts go on.
                try await browser.run("\(Self.row(1)).querySelector('.switch').focus()")
                try await browser.press("Enter")
                try await browser.wait(until: "\(Self.row(1)).querySelector('.switch').ariaChecked === 'false'")
                #expect(rules.isOff == [true, true])
                try await browser.press(" ")
                try await browser.wait(until: "\(Self.row(1)).querySelector('.switch').ariaChecked === 'true'")
                #expect(rules.isOff == [false, true])
                try rules.judge(Recorded.exchange())
                try await browser.wait(until: "\(Self.row(1)).innerText.includes('applied 1 time · last at ')")
                #expect(
                    try await browser.text("document.activeElement === \(Self.row(1)).querySelector('.switch')")
                        == "true"
                )
                #expect(
                    try await browser.text("\(Self.row(2)).querySelector('a').getAttribute('href')")
                        == "/?rule=no+trackers"
                )
                try await browser.run("\(Self.row(2)).querySelector('a').click()")
                try await browser.wait(until: "location.pathname === '/' && document.querySelector('.chip')")
                #expect(try await browser.console() == [])
            }
        }
    }

    @Test("The exchanges of a rule are those of its name as it is written, in the list and among the findings")
    func exchanges() async throws {
        let names = ["a*", "abc", "a,b", #""q""#]
        let rules = HeldRules(try names.map { try HeldRules.block($0) }, problems: [])
        try await RunningPage.with(control: ReplayRecorder(), rules: rules) { page in
            for (offset, name) in names.enumerated() {
                var exchange = Recorded.exchange(target: "/\(offset)", offset: Int64(offset))
                exchange.rules = [RuleUse(rule: name, phase: .requestHead, action: "request", what: "User-Agent")]
                try await page.store.record(exchange)
            }
            try await Browser.with { browser in
                try await browser.open("http://127.0.0.1:\(page.port)/rules?token=\(page.token)")
                try await browser.wait(until: "document.querySelectorAll('.rule-item').length === 4")
                let shown = try await browser.result(
                    of: """
                        const { get } = await import(asset('api.js'));
                        const links = [...document.querySelectorAll('.rule-facts a')];
                        const answers = await Promise.all(links.map(({ search }) => get(`exchanges${search}`)));
                        return answers.map(({ exchanges }) => exchanges.map(({ id }) => id).join('+')).join();
                        """
                )
                #expect(shown == "1,2,3,4")
                try await browser.run("\(Self.row(2)).querySelector('.rule-facts a').click()")
                try await browser.wait(until: "location.pathname === '/' && document.querySelector('.chip')")
                try await browser.wait(until: "document.querySelectorAll('tr[data-id]').length === 1")
                // The filter goes along to the findings, of which it is no question.
                try await browser.click("#places a[href^='/findings']")
                try await browser.wait(
                    until: "document.querySelector('#place .sum').textContent.includes(' in 1 exchange of which ')"
                )
                #expect(try await browser.text("document.querySelectorAll('#place .problem').length") == "0")
                #expect(try await browser.console() == [])
            }
        }
    }

    @Test("What a file says is shown as text alone, its mistakes stand over the rules, and all of it is accessible")
    func hostile() async throws {
        let rules = HeldRules(
            [try HeldRules.block(Self.hostile, when: "path:'<b>'"), try HeldRules.block("last")],
            problems: ["/etc/rules.yaml:3:1: \(Self.hostile)"]
        )
        try rules.judge(Recorded.exchange(), gap: "body over 8 MiB")
        try await RunningPage.with(control: ReplayRecorder(), rules: rules) { page in
            try await Browser.with { browser in
                try await browser.open("http://127.0.0.1:\(page.port)/rules?token=\(page.token)")
                try await browser.wait(until: "document.querySelectorAll('.rule-item').length === 2")
                let mistakes = try await browser.text("document.querySelector('.rules-problems').innerText")
                #expect(
                    mistakes.contains("1 mistake in the rules files") && mistakes.contains(Self.hostile),
                    "\(mistakes)"
                )
                #expect(try await browser.text("document.querySelectorAll('#place :is(img, b)').length") == "0")
                #expect(try await browser.text("document.title") == "Rules · inspect")
                for theme in ["light", "dark"] {
                    try await browser.run("document.documentElement.dataset.theme = '\(theme)'")
                    #expect(try await browser.run(AccessibilityAudit.script) as? [String] == [], "\(theme)")
                }
                // A row of a rule that its file leaves as it is stays, wherever it stands now; mistakes that are put right go.
                try await browser.run("window.kept = \(Self.row(2)); kept.querySelector('.switch').focus()")
                rules.read([try HeldRules.block("last"), try HeldRules.block("new")])
                try await browser.wait(until: "\(Self.row(2)).dataset.rule === 'new'")
                #expect(
                    try await browser.text("\(Self.row(1)) === kept && kept.contains(document.activeElement)") == "true"
                )
                #expect(try await browser.text("document.querySelectorAll('.rules-problems').length") == "0")
                // Where the rule with the focus is gone, the one at its place has it.
                rules.read([try HeldRules.block("renamed"), try HeldRules.block("new")])
                try await browser.wait(until: "\(Self.row(1)).dataset.rule === 'renamed'")
                #expect(try await browser.text("document.activeElement.ariaLabel") == "renamed")
                #expect(try await browser.console() == [])
            }
        }
    }

    @Test(
        "A row stays while its file is edited around it, its trial is asked anew where the rule changed, and a rule that is used up says so"
    )
    func edits() async throws {
        func last(line: Int, times: Int64, when: String = "") throws -> [Rule] {
            var rule = try HeldRules.block("last", when: when)
            (rule.place.line, rule.limits.times) = (line, times)
            return [try HeldRules.block("first", when: "host:other.test"), rule]
        }
        let (lower, other) = (try last(line: 7, times: 1), try last(line: 7, times: 2))
        let narrowed = try last(line: 7, times: 2, when: "path:/v2")
        let rules = HeldRules(try last(line: 2, times: 1), problems: [])
        let bench = RuleBench { _, _, _ in
            ""
        } attempt: { _, _ in
            Array(#"{"problems":[],"warnings":[],"of":1,"looked":1,"touched":1,"rules":[],"exchanges":[]}"#.utf8)
        }
        try await RunningPage.with(control: ReplayRecorder(), rules: rules, bench: bench) { page in
            try await Browser.with { browser in
                try await browser.open("http://127.0.0.1:\(page.port)/rules?token=\(page.token)")
                try await browser.wait(until: "document.querySelectorAll('.rule-item').length === 2")
                try await browser.run(
                    """
                    window.tries = 0;
                    const real = window.fetch;
                    window.fetch = (path, options) => {
                      if (String(path).includes('/rules/try')) window.tries += 1;
                      return real(path, options);
                    };
                    window.kept = \(Self.row(2));
                    kept.querySelector('.more').click();
                    kept.querySelector('.switch').focus();
                    """
                )
                let told = "kept.querySelector('.rule-trial').innerText"
                try await browser.wait(until: "\(told).includes('Would have matched 1 of 1 exchange')")
                // A line was written above it.
                rules.read(lower)
                try await browser.wait(until: "kept.innerText.includes('rules.yaml:7')")
                let isKept = "\(Self.row(2)) === kept && document.activeElement === kept.querySelector('.switch')"
                #expect(try await browser.text("\(isKept) && \(told).includes('1 of 1') && tries") == "1")
                // What it does reads as before.
                rules.read(other, now: 1_000_000)
                try await browser.wait(until: "tries === 2 && \(told).includes('1 of 1')")
                #expect(try await browser.text(isKept) == "true")
                rules.read(narrowed, now: 2_000_000)
                try await browser.wait(until: "tries === 3 && kept.innerText.includes('when path:/v2')")
                #expect(try await browser.text(isKept) == "true")
                #expect(try await browser.text("kept.querySelector('.rule-state').textContent") == "on")
                for _ in 0..<2 { try rules.judge(Recorded.exchange()) }
                try await browser.wait(until: "kept.querySelector('.rule-state').textContent.startsWith('used up')")
                #expect(try await browser.text(isKept) == "true")
                #expect(try await browser.console() == [])
            }
        }
    }

    @Test("A long list stays unfolded when its file changes and when a mistake comes")
    func unfolded() async throws {
        let held = try (1...450).map { try HeldRules.block("rule \($0)") }
        let rules = HeldRules(held, problems: [])
        try await RunningPage.with(control: ReplayRecorder(), rules: rules) { page in
            try await Browser.with { browser in
                try await browser.open("http://127.0.0.1:\(page.port)/rules?token=\(page.token)")
                let rows = "document.querySelectorAll('.rule-item').length"
                try await browser.wait(until: "\(rows) === 200")
                try await browser.run("document.querySelector('.portion > button').click()")
                try await browser.run("window.kept = \(Self.row(390)).querySelector('.switch'); kept.focus()")
                rules.read(held, problems: ["/etc/rules.yaml:1:1: wrong"])
                try await browser.wait(until: "document.querySelector('.rules-problems')")
                #expect(try await browser.text("\(rows) + ' ' + (document.activeElement === kept)") == "400 true")
                rules.read(Array(held.dropFirst()))
                try await browser.wait(until: "\(Self.row(1)).dataset.rule === 'rule 2'")
                #expect(try await browser.text("\(rows) + ' ' + (document.activeElement === kept)") == "400 true")
                // A row that is drawn late says what its file says by then.
                try rules.turn(["rule 450"], isOff: true)
                try await browser.wait(until: "document.querySelector('.sum').textContent.startsWith('448 of 449')")
                try await browser.run("document.querySelector('.portion > button').click()")
                #expect(
                    try await browser.text("\(rows) + \(Self.row(449)).querySelector('.rule-state').textContent")
                        == "449off"
                )
            }
        }
    }

    @Test(
        "That a switch found nobody is said until inspect answers again",
        arguments: [".switch", "#rules-bar .end button:not([hidden])"]
    )
    func errors(button: String) async throws {
        let rules = HeldRules([try HeldRules.block("a")], problems: [])
        try await RunningPage.with(control: ReplayRecorder(), rules: rules) { page in
            try await Browser.with { browser in
                try await browser.open("http://127.0.0.1:\(page.port)/rules?token=\(page.token)")
                try await browser.wait(until: "document.querySelector(`\(button)`)")
                let said = "[...document.querySelectorAll('[role=alert]')].map((one) => one.textContent).join('')"
                try await browser.run(
                    """
                    const real = window.fetch;
                    window.fetch = async (path, options) => {
                      if (options?.method === 'POST') throw new TypeError();
                      return real(path, options);
                    };
                    window.told = [];
                    new MutationObserver(() => told.push(\(said))).observe(document.body, { subtree: true, childList: true, characterData: true });
                    document.querySelector(`\(button)`).click();
                    """
                )
                try await browser.wait(
                    until: "told.some((one) => one.includes('does not answer')) && \(said) === ''"
                )
                #expect(rules.isOff == [false])
            }
        }
    }

    @Test("Without rules the place says how to begin with some, and without a proxy that none hold")
    func nothing() async throws {
        let rules = HeldRules([], files: [], problems: [])
        try await RunningPage.with(
            control: ReplayRecorder(),
            rules: rules,
            inform: { $0.storePath = "/data/it's.db" }
        ) { page in
            try await Browser.with { browser in
                try await browser.open("http://127.0.0.1:\(page.port)/rules?token=\(page.token)")
                try await browser.wait(until: "document.querySelector('#place .absent')")
                let commands = try await browser.run(
                    "return [...document.querySelectorAll('#place pre')].map((one) => one.textContent)"
                )
                let lines = try #require(commands as? [String])
                #expect(lines.first == #"inspect start --store '/data/it'\''s.db' --rules rules.yaml"#)
                #expect(lines.last?.hasPrefix("rules:\n- name: checkout is flaky\n") == true)
                #expect(
                    try await browser.text("document.querySelector('#place .absent p > a').getAttribute('href')")
                        == "/manual?article=changing-traffic"
                )
                #expect(try await browser.run(AccessibilityAudit.script) as? [String] == [])
            }
        }
        try await RunningPage.with { page in
            try await Browser.with { browser in
                try await browser.open("http://127.0.0.1:\(page.port)/?token=\(page.token)")
                try await browser.wait(until: "document.querySelector('#places a')")
                #expect(try await !browser.text("document.querySelector('#places').textContent").contains("Rules"))
                try await browser.open("http://127.0.0.1:\(page.port)/rules")
                try await browser.wait(
                    until: "document.querySelector('#place')?.innerText.includes('No proxy is running')"
                )
                #expect(try await browser.console() == [])
            }
        }
    }
}
