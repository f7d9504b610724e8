import Testing
import Traffic

@Suite("Rules, over the API", .timeLimit(.minutes(15)))
struct RuleTests {
    private static func rules() throws -> HeldRules {
        var first = try HeldRules.block("staging", when: "host:a.test")
        first.limits.expires = 1_000_000
        var second = try HeldRules.block("other", .close)
        second.isOff = true
        return HeldRules([first, second])
    }

    @Test("The rules are told with what they have done, and what is wrong with their files")
    func told() async throws {
        let rules = try Self.rules()
        try await RunningPage.with(rules: rules) { page in
            let reply = try await page.get("/api/v1/rules")
            let counts =
                #""hits":0,"lastHit":null,"skipped":0,"unjudged":0,"failed":0,"shadowed":0,"since":"1970-01-01T00:00:00.000Z","#
            let parts = [
                #"{"rules":[{"name":"staging","on":true,"group":null,"when":"host:a.test","actions":["block"],"#,
                #""effect":"block reset","path":"rules.yaml","line":2,"#, counts,
                #""ends":"1970-01-01T00:00:01.000Z","ended":"expires"},"#,
                #"{"name":"other","on":false,"group":null,"when":"","actions":["block"],"#,
                #""effect":"block close","path":"rules.yaml","line":2,"#, counts, #""ends":null,"ended":null}],"#,
                // One is off, the other has ended.
                #""all":2,"active":0,"hits":0,"#,
                #""files":["/etc/rules.yaml"],"problems":["/etc/rules.yaml:1:1: wrong"]}"#, "\n",
            ]
            #expect(reply.text == parts.joined(), "\(reply.text)")
            #expect(try await page.get("/rules.json").text == reply.text)
            let short = try await page.get("/api/v1/rules?limit=0").text
            #expect(short.hasPrefix(#"{"rules":[],"all":2,"active":0,"hits":0,"#), "\(short)")
            #expect(try await page.get("/api/v1/rules?limit=10001").status == 400)
        }
    }

    @Test("A rule that has applied as often as it may is not active, and one that its file changes may apply again")
    func usedUp() async throws {
        func rule(times: Int64) throws -> Rule {
            var rule = try HeldRules.block("some")
            rule.limits.times = times
            return rule
        }
        let changed = try rule(times: 3)
        let rules = HeldRules([try rule(times: 2)], problems: [])
        try await RunningPage.with(rules: rules) { page in
            try rules.judge(Recorded.exchange())
            var text = try await page.get("/api/v1/rules").text
            #expect(text.contains(#""ended":null"#) && text.contains(#""active":1,"hits":1,"#), "\(text)")
            try rules.judge(Recorded.exchange())
            text = try await page.get("/api/v1/rules").text
            #expect(text.contains(#""ended":"times""#) && text.contains(#""active":0,"hits":2,"#), "\(text)")
            rules.read([changed], now: 1_000_000)
            text = try await page.get("/api/v1/rules").text
            #expect(text.contains(#""since":"1970-01-01T00:00:01.000Z","ends":null,"ended":null"#), "\(text)")
            #expect(text.contains(#""active":1,"hits":0,"#), "\(text)")
        }
    }

    @Test("A rule that could not be judged, or not be done, counts as skipped")
    func skipped() async throws {
        let rules = HeldRules([try HeldRules.block("block", when: "reqbody:secret")])
        try rules.judge(Recorded.exchange(), gap: "body over 8 MiB")
        try await RunningPage.with(rules: rules) { page in
            let reply = try await page.get("/api/v1/rules")
            #expect(reply.text.contains(#""skipped":1,"unjudged":1,"failed":0,"shadowed":0"#), "\(reply.text)")
        }
    }

    @Test("Rules are switched by name and all together; a name of no rule switches none")
    func switches() async throws {
        let rules = try Self.rules()
        try await RunningPage.with(rules: rules) { page in
            #expect(try await page.post("/api/v1/rules", #"{"names":["other"],"on":true}"#).status == 200)
            #expect(rules.isOff == [false, false])
            #expect(try await page.post("/api/v1/rules", #"{"all":true,"on":false}"#).status == 200)
            #expect(rules.isOff == [true, true])
            let unknown = try await page.post("/api/v1/rules", #"{"names":["stagin","other"],"on":true}"#)
            #expect(unknown.status == 404 && unknown.text.contains("did you mean 'staging'?"), "\(unknown.text)")
            #expect(rules.isOff == [true, true])
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
