import Testing
import Traffic

@testable import ProgramTests
@testable import inspect

/// The rules of the manual are rules.
@Suite(.timeLimit(.minutes(15))) struct RulesArticleTests {
    @Test("Each example of the article is read as it stands there, and none is probably a mistake")
    func examples() throws {
        let text = try Readme.block(after: "the rules", in: Readme.article("changing-traffic"))
        let (rules, problems) = try RuleFiles.read(text, path: "rules.yaml")
        #expect(problems.map(\.description) == [])
        #expect(
            rules.map(\.name) == [
                "local scripts", "staging", "pin the address", "as the beta app", "nobody is admin",
                "no csp, dev build", "checkout is flaky", "trackers", "train wifi",
            ]
        )
        #expect(
            rules.flatMap { $0.actions.map(\.word) } == [
                "respond", "send", "send", "request", "response", "response", "respond", "block", "throttle", "fault",
            ]
        )
        #expect(RuleWarning.all(in: rules) == [])
    }

    @Test("Every limit of the article is one that a rule takes")
    func limits() throws {
        let article = try #require(Article.named("changing-traffic"))
        var count = 0
        for case .table(let header, let rows) in article.blocks where header.first.map(ArticleSpan.plain) == "word" {
            for limit in rows.compactMap({ $0.first.map(ArticleSpan.plain) }) {
                let (rules, problems) = try RuleFiles.read(
                    "rules:\n- name: a\n  block: reset\n  \(limit)\n",
                    path: "rules.yaml"
                )
                #expect(rules.count == 1 && problems.map(\.description) == [], "\(limit)")
                count += 1
            }
        }
        #expect(count == 6)
    }

    @Test("A condition has as many characters as the article says, and no more")
    func conditions() throws {
        let article = try Readme.text(of: Readme.article("changing-traffic"))
        for count in [10_000, 10_001] {
            let text = "rules: [{name: a, when: \"\(String(repeating: "x", count: count))\", block: reset}]"
            let problems = try RuleFiles.read(text, path: "rules.yaml").problems
            #expect(problems.isEmpty == (count == 10_000))
            #expect(problems.allSatisfy { $0.sentence.contains("at most \(RuleCondition.limit) ") })
        }
        #expect(RuleCondition.limit == 10_000 && article.contains("A `when` has at most 10,000 characters"))
    }
}
