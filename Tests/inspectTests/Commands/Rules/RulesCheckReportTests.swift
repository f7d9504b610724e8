import Testing
import Traffic

@testable import inspect

/// What `inspect rules check` says.
@Suite(.timeLimit(.minutes(15))) struct RulesCheckReportTests {
    private static func report(_ text: String) throws -> RulesCheckReport {
        let (rules, problems) = try RuleFiles.read(text, path: "rules.yaml")
        #expect(problems.map(\.description) == [])
        return RulesCheckReport(rules: rules)
    }

    private static let text = """
        rules:
        - {name: all, respond: {status: 503}}
        - {name: never, when: "path:/a", respond: {status: 200}}
        - {name: off, off: true, block: 403}
        """

    @Test("Rules are counted, and a rule that can never apply is warned of at its place")
    func lines() throws {
        let lines = try Self.report(Self.text).lines(in: .plain)
        #expect(lines.first == "3 rules, 2 on")
        #expect(lines.count == 2 && lines.last?.hasPrefix("warning rules.yaml:3:3: 'never' never applies") == true)
        #expect(try Self.report("rules: [{name: a, block: reset}]").lines(in: .plain) == ["1 rule, 1 on"])
        #expect(try Self.report("").lines(in: .plain) == ["0 rules, 0 on"])
    }

    @Test("JSON has the counts and the warnings")
    func json() throws {
        var json = JSONWriter()
        try Self.report(Self.text).write(to: &json)
        let value = try JSONReader.value(json.take())
        #expect(value["rules"]?.integer == 3 && value["on"]?.integer == 2)
        let warnings = value["warnings"]?.elements ?? []
        #expect(warnings.count == 1 && warnings[0]["line"]?.integer == 3 && warnings[0]["path"]?.string == "rules.yaml")
    }

    @Test("Mistakes end a command with 2 and a line for each, in the form in which editors find the place")
    func refusal() throws {
        let problems = [
            RuleProblem(path: "rules.yaml", line: 14, column: 9, sentence: "'respnse' is no action"),
            RuleProblem(path: "rules.yaml", line: 20, column: 1, sentence: "a\u{1B}b"),
        ]
        let failure = CommandFailure(RuleFiles.Refusal(problems: problems), arguments: ["inspect", "start"])
        #expect(failure.status == 2 && failure.text == nil)
        #expect(failure.line == "rules.yaml:14:9: 'respnse' is no action\nrules.yaml:20:1: a\\eb")
    }
}
