import NIOCore
import Testing
import Traffic

@Suite("The record of rules on an exchange", .timeLimit(.minutes(15)))
struct RuleRecordTests {
    private static func use(_ rule: String, _ action: String, _ what: String, note: String? = nil) -> RuleUse {
        RuleUse(rule: rule, phase: .requestHead, action: action, what: what, note: note)
    }

    private static func line(_ uses: [RuleUse]) -> ExchangeSummary {
        var exchange = Exchange(
            timeline: Timeline(started: 0),
            method: "GET",
            scheme: .https,
            host: "a.test",
            port: 443,
            target: "/",
            request: Message(head: ByteBuffer(string: "GET / HTTP/1.1\r\n\r\n")),
            client: Peer(token: 1, address: "127.0.0.1:1", tls: nil),
            outcome: .completed
        )
        exchange.rules = uses
        return exchange.summary
    }

    @Test("A line names each rule of the record once, in the order of the record")
    func names() {
        let line = Self.line([
            Self.use("staging", "send", "host"), Self.use("beta", "request", "User-Agent"),
            Self.use("staging", "response", "", note: "skipped: body over 8 MiB"),
        ])
        #expect(line.rules == ["staging", "beta"] && line.isModified)
        #expect(Facet.rule.singles(Facet.rule.value(line)) == ["staging", "beta"])
    }

    @Test("An exchange that no rule touched has the value none")
    func untouched() {
        let line = Self.line([])
        #expect(line.rules.isEmpty && !line.isModified && Facet.rule.value(line) == "none")
        // A foreign store may have a rule without a name.
        #expect(Facet.rule.value(Self.line([Self.use("", "send", "host")])) == "none")
    }

    @Test(
        "A rule that only marked the exchange, or changed nothing, did not modify it",
        arguments: [
            ("tag", "slow", nil, false), ("stop", "", nil, false), ("delay", "300 ms", nil, false),
            ("throttle", "slow-4g", nil, false), ("send", "", "shadowed by a", false), ("send", "host", nil, true),
            ("respond", "503", nil, true), ("block", "reset", nil, true),
        ] as [(String, String, String?, Bool)]
    )
    func modified(action: String, what: String, note: String?, isModified: Bool) throws {
        let line = Self.line([Self.use("a", action, what, note: note)])
        #expect(line.isModified == isModified && line.rules == ["a"])
        let filter = try FilterParser.parse("is:modified", now: 0)
        #expect(filter.decision(on: line) == isModified)
    }

    @Test(
        "A query finds an exchange by each of its rules, ignoring case, and by a pattern",
        arguments: [
            ("rule:staging", true), ("rule:STAGING", true), ("rule:\"as the beta app\"", true), ("rule:stag", false),
            ("rule:stag*", true), ("rule:/app$/", true), ("rule:none", false), ("-rule:staging", false),
            ("rule:other,staging", true), ("-rule:other", true),
        ]
    )
    func queries(text: String, isFound: Bool) throws {
        let line = Self.line([
            Self.use("staging", "send", "host"), Self.use("As the beta app", "request", "User-Agent"),
        ])
        #expect(try FilterParser.parse(text, now: 0).decision(on: line) == isFound)
    }

    @Test("What was typed of the name of a rule is completed, in quotes where it needs them")
    func completion() {
        let counts = [
            FacetCount(value: "staging", count: 2, selected: false),
            FacetCount(value: "as the beta app", count: 1, selected: false),
        ]
        func texts(_ text: String) -> [String] {
            FilterCompletion.texts(text) { $0 == .rule ? counts : [] }
        }
        #expect(texts("rul") == ["rule:"])
        #expect(texts("rule:st") == ["rule:staging"])
        #expect(texts("rule:a") == ["rule:\"as the beta app\""])
        #expect(texts("is:mod") == ["is:modified"])
    }

    @Test("A completed name of a rule means that rule alone", arguments: ["\"q\"", "/api/", "a*", "b&c", "-d", "(e)"])
    func oddCompletion(_ name: String) throws {
        let counts = [FacetCount(value: name, count: 1, selected: false)]
        let text = try #require(FilterCompletion.texts("rule:") { $0 == .rule ? counts : [] }.first)
        let filter = try FilterParser.parse(text, now: 0)
        func accepts(_ rule: String) throws -> Bool {
            var exchange = RuledExchange()
            exchange.exchange.rules = [RuleUse(rule: rule, phase: .requestHead, action: "send", what: "host")]
            return try filter.matches(exchange)
        }
        #expect(try accepts(name) && !accepts("api") && !accepts("q") && !accepts("about"), "\(text)")
    }
}
