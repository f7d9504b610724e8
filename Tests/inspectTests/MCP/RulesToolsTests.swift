import Foundation
import Support
import Testing
import Traffic

@testable import inspect

@Suite("The tools about rules", .timeLimit(.minutes(15)))
struct RulesToolsTests {
    private static let secret = "hx7Qp2Lw9zRt"

    /// The arguments of a call: rules as a text of one line, and what else is given.
    private static func arguments(_ rules: String, _ rest: String = "") -> String {
        let text = JSONWriter.bytes { $0.value(nil, .string("rules:\n\(rules)\n")) }
        return "{\"yaml\": \(String(decoding: text, as: UTF8.self))\(rest)}"
    }

    private static func answer(
        _ rules: String,
        _ rest: String = "",
        isMasked: Bool = true
    ) async throws -> String {
        let store = try await MaskedStore(secret: secret)
        return await store.answer("rules_try", arguments(rules, rest), isMasked: isMasked)
    }

    @Test("Rules of an agent are tried on what a query selects, with what each would have done")
    func tried() async throws {
        let rules = """
            - {name: hills, when: "path:/plain/", response: {fields: {set: {X-A: b}}}}
            - {name: nothing, when: "path:/nowhere", block: reset}
            """
        let all = try JSONReader.value(Array(try await Self.answer(rules).utf8))
        #expect(all["looked"]?.integer == 6 && all["touched"]?.integer == 2)
        #expect(all["rules"]?.elements?.map { $0["hits"]?.integer } == [2, 0])
        #expect(all["exchanges"]?.elements?.map { $0["exchange"]?["id"]?.integer } == [2, 5])
        #expect(all["exchanges"]?.elements?.first?["changes"]?.string?.contains("X-A") == true)
        let one = try JSONReader.value(Array(try await Self.answer(rules, #", "query": "5", "limit": 0"#).utf8))
        #expect(
            one["looked"]?.integer == 1 && one["touched"]?.integer == 1 && one["exchanges"]?.elements?.isEmpty == true
        )
    }

    @Test("A rule that is off is tried by its name, alone")
    func named() async throws {
        let rules = """
            - {name: hills, off: true, when: "path:/plain/", response: {status: 500}}
            - {name: all, response: {status: 501}}
            """
        let answer = try await Self.answer(rules, #", "names": ["hills"]"#)
        let value = try JSONReader.value(Array(answer.utf8))
        #expect(value["rules"]?.elements?.map { $0["name"]?.string } == ["hills"] && value["touched"]?.integer == 2)
        let stranger = try await Self.answer(rules, #", "names": ["hils"]"#)
        #expect(stranger == "there is no rule 'hils'; there are hills, all")
    }

    @Test("No rule finds a masked secret, wherever it stands")
    func masked() async throws {
        let conditions = [
            "path:/login url:\(Self.secret)", "reqheader:authorization=\"Bearer \(Self.secret)\"",
            "body:\(Self.secret)",
            "json:$.password=\(Self.secret)", "\(Self.secret)",
        ]
        for condition in conditions {
            let rules = #"- {name: a, when: '\#(condition)', request: {fields: {set: {X-A: b}}}}"#
            let shown = try JSONReader.value(Array(try await Self.answer(rules, isMasked: false).utf8))
            #expect((shown["touched"]?.integer ?? 0) > 0, "\(condition)")
            let answer = try await Self.answer(rules)
            let value = try JSONReader.value(Array(answer.utf8))
            #expect(value["touched"]?.integer == 0, "\(condition): \(answer)")
        }
    }

    @Test("Mistakes are told with their place, and no file is read")
    func mistakes() async throws {
        #expect(try await Self.answer("- {name: a, respnse: {}}").contains("yaml:2:13: 'respnse'"))
        #expect(try await Self.answer("- {name: a").contains("yaml:"))
        let twice = "- {name: a, delay: 1s}\n- {name: a, delay: 2s}"
        #expect(try await Self.answer(twice).contains("names are unique"))
        for action in ["response: {body: {file: /a}}", "respond: {file: a}", "respond: {dir: /etc}"] {
            let file = try await Self.answer("- {name: a, \(action)}")
            #expect(file.hasSuffix("rules that stand in no file can name none"), "\(file)")
        }
        let answer = try await Self.answer("- {name: a, respond: {from: 1}}")
        let value = try JSONReader.value(Array(answer.utf8))
        #expect(value["touched"]?.integer == 6)
        #expect(value["exchanges"]?.elements?.first?["untried"]?.string?.contains("not looked at") == true, "\(answer)")
    }

    @Test("A sentence is told up to the length of a result, in whole characters")
    func longSentences() {
        let fit = ResultFit(limitBytes: 10)
        #expect(fit.fitted("zwölf wort") == "zwölf wor… (1 byte more)" && fit.fitted("short") == "short")
        #expect(fit.fitted("ööööö") == "ööööö" && fit.fitted("aöööööö") == "aöööö… (4 bytes more)")
    }

    /// The list of a proxy that runs with one rule.
    private static func running(_ when: String) -> RunningRuleList.List {
        let rule = RunningRuleList.Rule(
            name: "a",
            on: true,
            when: when,
            actions: ["block"],
            path: "rules.yaml",
            line: 1,
            hits: 0,
            skipped: 0,
            shadowed: 0
        )
        return RunningRuleList.List(rules: [rule], files: [], problems: [])
    }

    @Test(
        "A condition of the running proxy names no secret, in whatever case and with whatever signs escaped, and that is said"
    )
    func runningRules() async throws {
        let store = try await MaskedStore(secret: Self.secret)
        for value in [Self.secret, Self.secret.lowercased(), "/hx7Qp2[L]w9zRt/", "*hx7Qp2?Lw9zRt*"] {
            let list = Self.running("host:api.example.test body:\(value)")
            #expect(await store.answer("rules", "{}", isMasked: false, rules: list).contains("body:\(value)"))
            let answer = await store.answer("rules", "{}", rules: list)
            #expect(answer.contains("host:api.example.test body:<hidden>"), "\(answer)")
            #expect(answer.contains("Values that may be secrets are <hidden>"), "\(answer)")
        }
        let plain = await store.answer("rules", "{}", rules: Self.running("host:api.example.test path:/v2"))
        #expect(plain.contains("host:api.example.test path:/v2") && !plain.contains("hidden"), "\(plain)")
    }

    @Test("A dry run tells what the agent's rules replace, and not what those of the running proxy do")
    func replacements() async throws {
        let file = try TemporaryDirectory()
        let yaml =
            "rules: [{name: a, response: {fields: {set: {X-A: b}}, body: {replace: {regex: 'm[o]on', with: x}}}}]"
        let path = file.file("rules.yaml")
        try yaml.write(toFile: path, atomically: true, encoding: .utf8)
        let store = try await MaskedStore(secret: Self.secret)
        let tool = RulesTryTool { _ in [path] }
        for (isMasked, isTold) in [(true, false), (false, true)] {
            let answer = await store.answer("rules_try", "{}", isMasked: isMasked, trying: tool)
            #expect(answer.contains("m[o]on") == isTold && answer.contains("<hidden>") == !isTold, "\(answer)")
        }
        // A text that cannot be put in is quoted, and not for an agent.
        try
            "rules: [{name: a, response: {fields: {set: {Content-Type: 'text/plain; charset=iso-8859-1'}}, body: {text: 'moon →'}}}]"
            .write(toFile: path, atomically: true, encoding: .utf8)
        for (isMasked, isTold) in [(true, false), (false, true)] {
            let answer = await store.answer("rules_try", "{}", isMasked: isMasked, trying: tool)
            #expect(
                answer.contains("cannot be written") == isTold && answer.contains("<hidden>") == !isTold,
                "\(answer)"
            )
        }
        let own = try await Self.answer("- {name: a, response: {body: {replace: {regex: 'm[o]on', with: x}}}}")
        #expect(own.contains("m[o]on"), "\(own)")
    }

    @Test(
        "What is hidden of a condition are values of messages, fields and queries, and what may be a secret in an address",
        arguments: [
            ("method:GET path:/login host:a.test", "method:GET path:/login host:a.test"),
            ("host:a.test (body:abc or -path:/x)", "host:a.test (body:<hidden> or -path:\"/x\")"),
            ("reqheader:authorization=\"Bearer x\" -header:cookie", "reqheader:authorization=<hidden> -header:cookie"),
            ("resheader:/x: secret/", "<hidden>"), ("resheader:/x:.secret/", "resheader:<hidden>"),
            ("json:$.a=b message:c word \"a b\"", "json:<hidden> message:<hidden> <hidden> <hidden>"),
            (#"json:$.a=/Zx81\.Real/ code:404"#, "code:404 json:<hidden>"),
            ("url:https://a.test/b query:a=b", "url:https://a.test/b query:<hidden>"), ("url:a?b=c", "url:<hidden>"),
            ("path:/a or path:/b", "path:/a or path:/b"), ("(", "<hidden>"),
            ("is:websocket body:a", "is:websocket body:<hidden>"),
            ("type:application/x-www-form-urlencoded", "type:application/x-www-form-urlencoded"),
        ]
    )
    func hiddenValues(_ when: String, _ shown: String) {
        #expect(HiddenCondition.text(of: when, now: 0) == shown)
    }

    @Test(
        "An address, a host or a program of plain words is shown",
        arguments: [
            "path:/v2/orders/17", "path:/api/*", "host:*.example.test", "host:127.0.0.1", "host:\"::1\"",
            "process:curl",
            "url:https://a.test:8443/b", "path:/payment-methods",
        ]
    )
    func plainAddresses(_ when: String) {
        #expect(HiddenCondition.text(of: when, now: 0) == when)
    }

    @Test(
        "An address, a host or a program that may hold a secret is hidden",
        arguments: [
            "path:/hook/Zx81.RealSecret77", "url:*Zx81.RealSecret77*", "url:sid=abc", "path:/share/k3f9-x7q2-m1zp",
            "path:/reset/481516", "path:/u/correct-horse-battery-staple", "path:/%5a%78%38%31", "path:*Zx8*Real*Sec*",
            #"path:/my\.secret\-pass/"#, "path:/hxQpLwzRt", "path:/user@a", "path:/hunter2",
            "host:zx81realsecret77.hooks.test", #"host:/zx81\.real77x/"#, "host:k7x9q2m4p1z8.hooks.test",
            "method:zx81realsecret77", #"process:/zx81\.real/"#, "process:\"zx81real77\"", "method:/z[x]8/",
        ]
    )
    func hiddenAddresses(_ when: String) {
        let key = when.prefix { $0 != ":" }
        #expect(HiddenCondition.text(of: when, now: 0) == "\(key):<hidden>")
    }

    @Test("Many rules over one exchange take no longer than an answer may")
    func slow() async throws {
        let clock = Watched(ContinuousClock.now)
        let rules = (0..<100).map { "- {name: a\($0), when: 'body:x\($0)', response: {status: 500}}" }
        let store = try await MaskedStore(secret: Self.secret)
        let asked = Self.arguments(rules.joined(separator: "\n"), #", "query": "1""#)
        let quick = await store.answer("rules_try", asked)
        #expect(quick.contains("\"looked\": 1") || quick.contains("\"looked\":1"), "\(quick)")
        let answer = await store.answer("rules_try", asked) {
            clock.update { $0 += .seconds(1) }
            return clock.value
        }
        #expect(answer.contains("takes longer than"), "\(answer)")
    }

    @Test("Without rules, and without a running proxy, the agent is told so")
    func none() async throws {
        let store = try await MaskedStore(secret: Self.secret)
        #expect(await store.answer("rules_try", "{}").hasPrefix("there are no rules to try; give 'yaml'"))
        #expect(await store.answer("rules", "{}").contains("no proxy is running on"))
    }
}
