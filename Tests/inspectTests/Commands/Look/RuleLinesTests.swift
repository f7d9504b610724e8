import Testing
import Traffic

@testable import inspect

@Suite("What rules did, as show prints it", .timeLimit(.minutes(15)))
struct RuleLinesTests {
    private static func use(_ rule: String, _ action: String, _ what: String, note: String? = nil) -> RuleUse {
        RuleUse(rule: rule, phase: .requestHead, action: action, what: what, note: note)
    }

    private static func lines(_ uses: [RuleUse]) -> [String] { RuleLines(uses).lines(Style(isColoured: false)) }

    @Test("The changes stand on one line; without any use there is none")
    func changes() {
        #expect(Self.lines([]) == [])
        let uses = [
            Self.use("staging", "send", "host"), Self.use("nobody is admin", "response", "$.items[*].role ×20"),
        ]
        #expect(Self.lines(uses) == ["Changed by: staging (host), nobody is admin ($.items[*].role ×20)"])
    }

    @Test(
        "A use that changed nothing, or has something to say, has a line of its own",
        arguments: [
            (("flaky", "respond", "", "shadowed by staging"), ["Rule      flaky: respond, shadowed by staging"]),
            (("campus", "tag", "slow", nil), ["Rule      campus: tag slow"]),
            (("end", "stop", "", nil), ["Rule      end: stop"]),
            (("beta", "request", "", nil), ["Rule      beta: request, nothing to change"]),
            (
                ("stub", "respond", "502", "failed: no file"),
                ["Changed by: stub (502)", "Rule      stub: respond 502, failed: no file"]
            ),
        ] as [((String, String, String, String?), [String])]
    )
    func others(use: (String, String, String, String?), expected: [String]) {
        #expect(Self.lines([Self.use(use.0, use.1, use.2, note: use.3)]) == expected)
    }

    @Test("Of many the first are shown and the rest counted, and what a stranger wrote cannot steer the terminal")
    func bounds() {
        let many = Self.lines((1...25).map { Self.use("rule \($0)", "tag", "slow") })
        #expect(many.count == 21 && many.last == "          and 5 more")
        let odd = Self.lines([Self.use("a\u{1B}[31m", "send", "host"), Self.use("b", "tag", "x\u{1B}[0m\n")])
        #expect(odd.count == 2 && !odd.joined().contains("\u{1B}") && !odd.joined().contains("\n"), "\(odd)")
    }
}
