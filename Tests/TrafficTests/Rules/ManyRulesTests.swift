import Support
import Testing

@testable import Traffic

@Suite("Very many rules", .timeLimit(.minutes(15)))
struct ManyRulesTests {
    private static let place = Rule.Place(path: "r.yaml", line: 1, column: 1)

    @Test("The index of needles finds what a search for each of them finds", arguments: [8, 40, 400])
    func needles(count: Int) {
        var dice = SeededGenerator(seed: UInt64(count))
        func text(_ lengths: ClosedRange<Int>) -> [UInt8] {
            (0..<Int.random(in: lengths, using: &dice)).map { _ in UInt8.random(in: 0x61...0x64, using: &dice) }
        }
        func some<Element>(_ element: () -> Element) -> [Element] {
            (0..<Int.random(in: 1...3, using: &dice)).map { _ in element() }
        }
        let entries = (0..<count).map { (entry: $0, alternatives: some { some { text(1...6) } }) }
        let index = NeedleIndex(entries)
        for _ in 0..<200 {
            let path = text(0...24)
            let expected = entries.filter { entry in
                entry.alternatives.contains { $0.allSatisfy { TextFold.find($0, in: path) != nil } }
            }
            var found: Set<Int> = []
            index.each(in: path) { found.insert($0) }
            #expect(found == Set(expected.map(\.entry)), "\(String(decoding: path, as: UTF8.self))")
        }
    }

    @Test("Of very many expressions for paths only those are looked at that may match, and more of them cost no more")
    func paths() throws {
        func list(_ count: Int) throws -> RuleList {
            let rules = try (0..<count).map { number in
                let name = String(String(10_000 + number).dropFirst())
                // The longest text that must stand in the path is the same for all.
                let condition = try RuleCondition("path:/^\\/api\\/versions\\/\\d+\\/u\(name)$/")
                return Rule(name: name, place: Self.place, condition: condition, actions: [.block(.reset)])
            }
            return RuleList(rules, now: 0)
        }
        let summary = RuledExchange("GET", "a.test", "/api/versions/3/u0017?x=1").summary
        let (few, many) = (try list(100), try list(4_000))
        #expect(many.candidates(for: summary) == [17] && few.candidates(for: summary) == [17])
        func time(_ list: RuleList) -> Double {
            ThreadTime.least { for _ in 0..<100 { _ = list.candidates(for: summary) } }
        }
        // A search for each would take forty times as long.
        #expect(time(many) < time(few) * 10)
    }

    @Test("Rules that tag cost each the same, however many there are")
    func tags() throws {
        func list(_ count: Int) -> RuleList {
            let rules = (0..<count).map { number in
                var rule = Rule(name: "\(number)", place: Self.place)
                rule.tags = ["all", "t\(number)"]
                return rule
            }
            return RuleList(rules, now: 0)
        }
        let exchange = RuledExchange()
        func tags(_ list: RuleList) throws -> [String] {
            var run = try #require(RuleRun(list, for: exchange.summary))
            _ = try run.judge(.request, at: .requestHead, of: exchange, now: 0)
            return run.tags
        }
        let (few, many) = (list(500), list(8_000))
        #expect(try tags(few) == ["all"] + (0..<500).map { "t\($0)" })
        let short = try ThreadTime.least { _ = try tags(few) }
        // Where each is compared with all that came before, it takes 256 times as long.
        #expect(try ThreadTime.least { _ = try tags(many) } < short * 64)
    }
}
