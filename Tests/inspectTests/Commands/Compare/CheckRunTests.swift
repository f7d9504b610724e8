import ArgumentParser
import Testing
import Traffic

@testable import Lenses
@testable import ProgramTests
@testable import inspect

@Suite("A run of checks", .timeLimit(.minutes(15)))
struct CheckRunTests {
    /// A lens whose answers have to be even, and that tells of others.
    private struct EvenLens: Lens {
        let name = "even"
        let title = "Even"
        let rules = [
            CheckRule("EV-2", "it is even", consequence: "It is odd."),
            CheckRule("EV-10", "it is small", consequence: "It is large.", severity: .notice),
        ]
        func recognizes(_ exchange: ExchangeOutline, by evidence: LensEvidence) -> Bool { true }
        func view(_ capture: Capture) -> LensView { LensView(of: self, request: "") }
        func findings(_ capture: Capture) -> [CheckFinding] {
            guard let number = Int(capture.response.text) else { return [] }
            // One of a large number stands for nine more.
            let odd = CheckFinding(rules[0], at: "", "\(number) is odd.").standing(for: number > 1_000 ? 9 : 0)
            return (number % 2 == 1 ? [odd] : [])
                + (number > 9 ? [CheckFinding(rules[1], "\(number) is large.")] : [])
        }
        func changes(from before: Capture, to after: Capture) -> [String] {
            before.response.text == after.response.text ? [] : ["\(before.response.text) became \(after.response.text)"]
        }
    }

    /// A lens whose answers name the rules that they break.
    private struct NamingLens: Lens {
        let name = "naming"
        let title = "Naming"
        let rules =
            ["A-2", "A-3", "A-9", "A-10"].map { CheckRule($0, "it is not named", consequence: "It is.") }
            + [CheckRule("N-1", "it is not named", consequence: "It is.", severity: .notice)]
        func recognizes(_ exchange: ExchangeOutline, by evidence: LensEvidence) -> Bool { true }
        func view(_ capture: Capture) -> LensView { LensView(of: self, request: "") }
        func findings(_ capture: Capture) -> [CheckFinding] {
            capture.response.text.split(separator: " ").flatMap { word in
                rules.filter { $0.id == word }.map { CheckFinding($0, "It is named.") }
            }
        }
    }

    private static func capture(_ id: ExchangeID, _ target: String, _ body: String, code: Int = 200) -> Capture {
        var exchange = Sample(1, "GET", target, code: code, responseBody: Array(body.utf8)).exchange
        exchange.id = id
        return Capture(exchange: exchange, response: CapturedBody(bytes: Array(body.utf8)))
    }

    private static func run(_ captures: [Capture], lens: any Lens = EvenLens(), limit: Int = 2) throws -> CheckRun {
        var run = CheckRun(
            rules: try RuleOptions.parse([]),
            document: nil,
            shownLimit: limit,
            lenses: LensSet([lens])
        )
        for capture in captures { run.add(capture) { id in captures.first { $0.id == id } } }
        return run
    }

    @Test("Findings are kept by rule, breaches first, the first few of each")
    func rules() throws {
        let run = try Self.run((1...15).map { Self.capture($0, "/\($0)", "\($0)") })
        #expect(run.outcomes.map(\.rule.id) == ["EV-2", "EV-10"] && run.outcomes.map(\.count) == [8, 6])
        #expect(
            run.outcomes.map(\.exchangeCount) == [8, 6]
                && run.outcomes.map { $0.shown.map(\.row.id) } == [[1, 3], [10, 11]]
        )
        #expect(run.count == 15 && run.checkedCount == 15 && run.foundCount == 11 && run.changeCount == 0)
    }

    @Test("Of the breaches the rule that most exchanges break comes first, however often one exchange breaks another")
    func order() throws {
        let bodies = ["A-2 A-2 A-2", "A-10", "A-9 A-10", "N-1", "N-1", "N-1"]
        let run = try Self.run(
            zip(1..., bodies).map { Self.capture($0, "/\($0)", $1) },
            lens: NamingLens(),
            limit: 100
        )
        #expect(run.outcomes.map(\.rule.id) == ["A-10", "A-2", "A-9", "A-3", "N-1"])
        #expect(run.outcomes.map(\.exchangeCount) == [2, 1, 1, 0, 3])
    }

    @Test("A run that is not at its end tells how far it is, and each broken rule with its first five findings")
    func progress() throws {
        let run = try Self.run((1...19).map { Self.capture($0, "/\($0)", "\($0)") }, limit: 100)
        let line = String(decoding: run.progress(looked: 40, total: 100), as: UTF8.self)
        #expect(line.hasPrefix(#"{"looked":40,"total":100,"exchanges":19,"checked":19,"rules":[{"rule":"EV-2","#))
        #expect(line.hasSuffix("]}\n") && line.split(separator: "\"pointer\"").count == 11)
        #expect(line.contains(#""count":10,"exchanges":10,"#) && !line.contains(#""message":"11 is odd.""#))
    }

    @Test("What a finding stands for is told once, by its sentence or by the line behind the last")
    func standing() throws {
        let few = try Self.run([Self.capture(1, "/a", "1001")])
        #expect(few.outcomes.first?.count == 10 && few.outcomes.first?.untold == 0)
        let report = CheckReport(run: few, title: "all", isStrict: true)
        #expect(report.lines(in: .plain).filter { $0.contains(" more") } == ["      1001 is odd; and 9 more like it."])
        #expect(report.junit.cases.allSatisfy { $0.details.count == 1 })
        let many = try Self.run((1...3).map { Self.capture($0, "/\($0)", "1001") })
        #expect(many.outcomes.first?.count == 30 && many.outcomes.first?.untold == 10)
        #expect(CheckReport(run: many, title: "all", isStrict: true).lines(in: .plain).contains("  and 10 more"))
    }

    @Test("Good captures of the same endpoint are compared with the one before, failed ones are passed over")
    func changes() throws {
        let run = try Self.run([
            Self.capture(1, "/a", "2"), Self.capture(2, "/b", "4"), Self.capture(3, "/a", "2"),
            Self.capture(4, "/a", "x", code: 500),
            Self.capture(5, "/a", "6"), Self.capture(6, "/b", "8"),
        ])
        #expect(run.changes.map { [$0.before, $0.after.id] } == [[3, 5], [2, 6]])
        #expect(run.changes.map(\.sentences) == [["2 became 6"], ["4 became 8"]])
        let report = CheckReport(run: run, title: "all", isStrict: true)
        let lines = report.lines(in: .plain)
        #expect(report.holds && lines.contains("changed between captures") && lines.contains("      2 became 6"))
    }
}
