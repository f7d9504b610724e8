import Synchronization
import Testing
import Traffic

@Suite("Rules, over the API", .timeLimit(.minutes(15)))
struct RuleTests {
    /// Rules of a test's making, which hold nowhere.
    private final class HeldRules: RuleControl {
        private let held: Mutex<RuleList>

        init(_ rules: [Rule]) { held = Mutex(RuleList(rules, now: 0)) }

        var list: RuleList? { held.withLock { $0 } }
        var files: [String] { ["/etc/rules.yaml"] }
        var problems: [String] { ["/etc/rules.yaml:1:1: wrong"] }

        func turn(_ names: [String]?, isOff: Bool) throws(UnknownRules) {
            let known = held.withLock { $0.rules.map(\.name) }
            let strangers = Set(names ?? []).subtracting(known)
            guard strangers.isEmpty else { throw UnknownRules(strangers.sorted(), known: known) }
            held.withLock { $0 = $0.turning(Set(names ?? known), isOff: isOff, now: 0) }
        }
    }

    /// A request of which nothing but its line is known.
    private struct Asked: FilterSubject {
        let summary: ExchangeSummary

        func message(_ side: MessageSide) -> Message? { nil }
        func body(_ side: MessageSide, offset: Int64, limitBytes: Int) -> [UInt8] { [] }
        func messages(after number: Int64) -> [StreamMessage] { [] }
    }

    private static func rules() throws -> HeldRules {
        let place = Rule.Place(path: "rules.yaml", line: 2, column: 3)
        var first = Rule(
            name: "staging",
            place: place,
            condition: try RuleCondition("host:a.test"),
            actions: [.block(.reset)]
        )
        first.limits.expires = 1_000_000
        var second = Rule(name: "other", place: place, actions: [.block(.close)])
        second.isOff = true
        return HeldRules([first, second])
    }

    @Test("The rules are told with what they have done, and what is wrong with their files")
    func told() async throws {
        let rules = try Self.rules()
        try await RunningPage.with(rules: rules) { page in
            let reply = try await page.get("/api/v1/rules")
            let parts = [
                #"{"rules":[{"name":"staging","on":true,"group":null,"when":"host:a.test","actions":["block"],"#,
                #""path":"rules.yaml","line":2,"hits":0,"lastHit":null,"skipped":0,"shadowed":0,"#,
                #""ends":"1970-01-01T00:00:01.000Z"},"#,
                #"{"name":"other","on":false,"group":null,"when":"","actions":["block"],"#,
                #""path":"rules.yaml","line":2,"hits":0,"lastHit":null,"skipped":0,"shadowed":0,"ends":null}],"#,
                #""files":["/etc/rules.yaml"],"problems":["/etc/rules.yaml:1:1: wrong"]}"#, "\n",
            ]
            #expect(reply.text == parts.joined(), "\(reply.text)")
        }
    }

    @Test("A rule that could not be judged, or not be done, counts as skipped")
    func skipped() async throws {
        let place = Rule.Place(path: "rules.yaml", line: 2, column: 3)
        let block = Rule(
            name: "block",
            place: place,
            condition: try RuleCondition("reqbody:secret"),
            actions: [.block(.reset)]
        )
        let rules = HeldRules([block])
        let asked = Asked(summary: Recorded.exchange().summary)
        var run = try #require(rules.list.flatMap { RuleRun($0, for: asked.summary) })
        _ = try run.judge(.request, at: .requestHead, of: asked, now: 0, gap: "body over 8 MiB")
        try await RunningPage.with(rules: rules) { page in
            let reply = try await page.get("/api/v1/rules")
            #expect(reply.text.contains(#""hits":0,"lastHit":null,"skipped":1,"shadowed":0"#), "\(reply.text)")
        }
    }

    @Test("Rules are switched by name and all together; a name of no rule switches none")
    func switches() async throws {
        let rules = try Self.rules()
        try await RunningPage.with(rules: rules) { page in
            func isOff() -> [Bool] { rules.list?.rules.map(\.isOff) ?? [] }
            #expect(try await page.post("/api/v1/rules", #"{"names":["other"],"on":true}"#).status == 200)
            #expect(isOff() == [false, false])
            #expect(try await page.post("/api/v1/rules", #"{"all":true,"on":false}"#).status == 200)
            #expect(isOff() == [true, true])
            let unknown = try await page.post("/api/v1/rules", #"{"names":["stagin","other"],"on":true}"#)
            #expect(unknown.status == 404 && unknown.text.contains("did you mean 'staging'?"), "\(unknown.text)")
            #expect(isOff() == [true, true])
            for wrong in [#"{"on":true}"#, #"{"names":[],"on":true}"#, #"{"names":["other"]}"#, "{}"] {
                #expect(try await page.post("/api/v1/rules", wrong).status == 400, "\(wrong)")
            }
            #expect(try await page.post("/api/v1/rules", #"{"names":["other"],"all":true,"on":true}"#).status == 400)
        }
    }

    @Test("Without a proxy there are no rules")
    func noProxy() async throws {
        try await RunningPage.with { page in
            let switched = try await page.post("/api/v1/rules", #"{"all":true,"on":true}"#)
            #expect(try await page.get("/api/v1/rules").status == 409 && switched.status == 409)
        }
    }
}
