import Testing
import Traffic

@testable import inspect

/// What `inspect rules` says of the running proxy's rules.
@Suite(.timeLimit(.minutes(15))) struct RulesListReportTests {
    private static func rule(_ name: String, on: Bool = true, hits: Int64 = 0) -> RunningRuleList.Rule {
        RunningRuleList.Rule(
            name: name,
            on: on,
            when: "",
            actions: ["block"],
            path: "rules.yaml",
            line: 1,
            hits: hits,
            lastHit: hits > 0 ? "2026-11-20T14:02:03.456Z" : nil,
            skipped: 0,
            shadowed: 0
        )
    }

    private static func report(_ rules: [RunningRuleList.Rule], _ problems: [String] = []) -> RulesListReport {
        let list = RunningRuleList.List(rules: rules, files: ["/etc/rules.yaml"], problems: problems)
        return RulesListReport(list: list, now: 2_000_000)
    }

    @Test("Each rule says whether it is on, how often it applied and when, and what kept it from that")
    func lines() {
        var ended = Self.rule("short")
        ended.ends = "1970-01-01T00:00:02.000Z"
        var used = Self.rule("used", hits: 1)
        used.ended = "times"
        #expect(Self.report([used]).lines(in: .plain).last?.hasPrefix("ended ") == true)
        #expect(RunningRuleList.List(rules: [used], files: [], problems: []).namesOn == nil)
        var odd = Self.rule("odd", hits: 12)
        (odd.skipped, odd.shadowed) = (1, 3)
        let lines = Self.report([Self.rule("quiet", on: false), ended, odd]).lines(in: .plain)
        #expect(lines.count == 4 && lines[0].contains("hits") && lines[0].hasSuffix("rule"))
        #expect(lines[1].hasPrefix("off ") && lines[1].contains(" - ") && lines[1].hasSuffix("quiet"))
        #expect(lines[2].hasPrefix("ended ") && lines[2].hasSuffix("short"))
        #expect(lines[3].hasPrefix("on ") && lines[3].contains("  12  "))
        #expect(lines[3].hasSuffix("odd  (skipped 1 time, shadowed 3 times)"))
        #expect(Self.report([]).lines(in: .plain) == ["no rules"])
    }

    @Test("A rule that has ended is not among those that are on")
    func ended() {
        var ended = Self.rule("short")
        ended.ends = "1970-01-01T00:00:02.000Z"
        #expect(!ended.isActive(2_000_000) && ended.isActive(1_999_999) && !Self.rule("a", on: false).isActive(0))
        let list = RunningRuleList.List(rules: [ended, Self.rule("a")], files: [], problems: [])
        #expect(list.sentence == "1 of 2 rules are on" && list.namesOn == "a")
    }

    @Test("Mistakes in the files are told, safe for a terminal")
    func problems() {
        let lines = Self.report([], ["rules.yaml:1:1: a\u{1B}"]).lines(in: .plain)
        #expect(lines.count == 3 && lines[1] == "rules.yaml:1:1: a\\e")
        #expect(lines[0] == "no rules" && lines[2].contains("rules of before"))
    }

    @Test("JSON has all that the API says")
    func json() throws {
        var json = JSONWriter()
        Self.report([Self.rule("a", hits: 2)], ["wrong"]).write(to: &json)
        let value = try JSONReader.value(json.take())
        let rule = value["rules"]?.elements?.first
        #expect(rule?["name"]?.string == "a" && rule?["hits"]?.integer == 2 && rule?["on"]?.boolean == true)
        #expect(rule?["lastHit"]?.string == "2026-11-20T14:02:03.456Z" && rule?["ends"] != nil)
        #expect(value["problems"]?.elements?.compactMap(\.string) == ["wrong"])
    }
}
