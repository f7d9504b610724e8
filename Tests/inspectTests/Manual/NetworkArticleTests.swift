import Testing
import Traffic

@testable import ProgramTests
@testable import inspect

/// What the manual says of slow and broken networks is what rules take.
@Suite(.timeLimit(.minutes(15))) struct NetworkArticleTests {
    /// The first cells of the tables whose first heading is a word, as plain text.
    private static func rows(_ heading: String) throws -> [[String]] {
        let article = try #require(Article.named("changing-traffic"))
        return article.blocks.flatMap { block -> [[String]] in
            guard case .table(let header, let rows) = block, header.first.map(ArticleSpan.plain) == heading else {
                return []
            }
            return rows.map { $0.map(ArticleSpan.plain) }
        }
    }

    private static func actions(_ text: String) throws -> [RuleAction] {
        let (rules, problems) = try RuleFiles.read("rules:\n- name: a\n  \(text)\n", path: "rules.yaml")
        #expect(problems.map(\.description) == [], "\(text)")
        return rules.first?.actions ?? []
    }

    @Test("The examples of the section are read as they stand there")
    func examples() throws {
        let text = try Readme.block(after: "slow and broken networks", in: Readme.article("changing-traffic"))
        let (rules, problems) = try RuleFiles.read(text, path: "rules.yaml")
        #expect(problems.map(\.description) == [])
        #expect(rules.flatMap { $0.actions.map(\.word) } == ["delay", "throttle", "fault"])
        #expect(rules.last?.limits.every == 3, "The fault is all that the rule does")
        #expect(RuleWarning.all(in: rules) == [])
    }

    @Test("Every preset stands in the table with its numbers, or is named below it")
    func presets() throws {
        let rows = try Self.rows("preset")
        for preset in NetworkPreset.all where !["offline", "dns"].contains(preset.name) {
            guard case .throttle(let throttle)? = try Self.actions("throttle: \(preset.name)").first else {
                Issue.record("\(preset.name) is no throttle")
                continue
            }
            let row = try #require(rows.first { $0.first == preset.name }, "\(preset.name)")
            let numbers = [throttle.down, throttle.up].map { $0.map { Double($0.bytesPerSecond) / 125 } }
            #expect(row[1...2].map { Double($0) } == numbers, "\(preset.name)")
            #expect(Double(row[3]) == Double(throttle.roundTrip) / 1_000, "\(preset.name)")
        }
        #expect(rows.count == NetworkPreset.all.count - 2)
        #expect(try Self.actions("throttle: {preset: offline}") == [.block(.hang)])
    }

    @Test("Every part of a throttle and every fault of the tables is one that a rule takes")
    func parts() throws {
        let parts = try Self.rows("part").compactMap(\.first)
        for part in parts {
            #expect(try Self.actions("throttle: {preset: slow-4g, \(part)}").map(\.word) == ["throttle"])
        }
        let faults = try Self.rows("fault").compactMap(\.first)
        for fault in faults { #expect(try Self.actions("fault: \(fault)").map(\.word) == ["fault"]) }
        #expect(parts.count == 5 && faults.count == 7)
    }
}
