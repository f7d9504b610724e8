import ArgumentParser
import Foundation
import Lenses
import Store
import Testing
import Traffic

@testable import ProgramTests
@testable import inspect

/// The lines of figures, meetings and checks keep to the terminal's width, and lose nothing that a person needs.
@Suite(.timeLimit(.minutes(15))) struct ReportWidthTests {
    private static let widths = [40, 60, 80, 100, 132, 200]

    /// A lens that finds fault with every answer, at length.
    private struct WordyLens: Lens {
        let name = "wordy"
        let title = "Wordy"
        let rules = [
            CheckRule(
                "WY-1",
                "an answer says what it is about in a few words, and not in many that all say the same",
                consequence:
                    "A client shows all of them, one after the other, until the last line of its screen is full."
            )
        ]
        func recognizes(_ exchange: ExchangeOutline, by evidence: LensEvidence) -> Bool { true }
        func view(_ capture: Capture) -> LensView { LensView(of: self, request: "") }
        func findings(_ capture: Capture) -> [CheckFinding] {
            [CheckFinding(rules[0], at: "/data/0/description", "it has \(String(repeating: "many ", count: 30))words.")]
        }
    }

    private static func layout(_ width: Int?, isColoured: Bool = false) -> Layout {
        Layout(style: Style(isColoured: isColoured), width: width)
    }

    /// The words of some lines, whatever line they stand in.
    private static func words(_ lines: [String]) -> [String] {
        lines.joined(separator: " ").split(separator: " ").map(String.init)
    }

    private static func exchange(_ id: ExchangeID, _ target: String) -> Exchange {
        var exchange = Sample(CaptureToken(id), "GET", target, responseBody: Array("{}".utf8)).exchange
        exchange.id = id
        return exchange
    }

    @Test("Figures fit, and of a long endpoint the end is shown", arguments: widths)
    func figures(width: Int) throws {
        var statistics = TrafficStatistics()
        for number in 1...60 {
            var row = Self.exchange(ExchangeID(number), "/v2/a/path/of/several/words/in/it/items/\(number)").summary
            row.started += Int64(number) * 2_000_000
            row.duration = number == 1 ? 7_325_000_000 : 12_400
            if number % 3 == 0 { row.code = 503 }
            statistics.add(row)
        }
        let report = StatisticsReport(statistics: statistics, endpointLimit: 10)
        let lines = report.lines(in: Self.layout(width))
        for line in lines { #expect(TerminalCells.width(line) <= width, "\(line)") }
        #expect(lines.contains { $0.hasSuffix("/items/{id}") }, "\(lines)")
        #expect(lines.contains { $0.hasSuffix(" all") } && lines.contains { $0.contains("█") })
        // In a pipe nothing is cut.
        let whole = report.lines(in: .plain)
        #expect(
            whole.contains {
                $0.hasSuffix("  GET https://api.example.test/v2/a/path/of/several/words/in/it/items/{id}")
            }
        )
        #expect(whole.contains { $0.contains("122 min 5 s") })
    }

    @Test("Findings fit, and every word of them is there", arguments: widths)
    func findings(width: Int) throws {
        var run = CheckRun(
            rules: try RuleOptions.parse([]),
            document: nil,
            shownLimit: 2,
            lenses: LensSet([WordyLens()])
        )
        for number in 1...3 {
            let exchange = Self.exchange(ExchangeID(number), "/v2/\(number)/" + String(repeating: "long", count: 20))
            run.add(Capture(exchange: exchange, response: CapturedBody(bytes: Array("{}".utf8)))) { _ in nil }
        }
        let report = CheckReport(run: run, title: "all that was captured", isStrict: false)
        let lines = report.lines(in: Self.layout(width))
        for line in lines { #expect(TerminalCells.width(line) <= width, "\(line)") }
        for number in 1...2 {
            #expect(lines.contains { $0.hasPrefix("  \(number)  GET /v2/\(number)/long") }, "\(lines)")
        }
        // The addresses alone are cut.
        func prose(_ lines: [String]) -> [String] { Self.words(lines.filter { !$0.contains("GET ") }) }
        #expect(prose(lines) == prose(report.lines(in: .plain)))
        let painted = report.lines(in: Self.layout(width, isColoured: true))
        #expect(
            painted.first { $0.contains("BREACH") }?.hasPrefix("\u{1B}[31mBREACH\u{1B}[0m  \u{1B}[1mWY-1\u{1B}[0m  an ")
                == true
        )
        #expect(painted.count == lines.count)
    }

    @Test(
        "Meetings fit; where the row has no room for its link, the link has a line of its own",
        arguments: widths.dropFirst()
    )
    func meetings(width: Int) async throws {
        let store = try await MeetingGolden.store()
        let reading = try TrafficStore(path: store.path, access: .reading)
        defer { try? reading.close() }
        for flags in [[], ["--hidden"], ["--day", "sat", "--time", "2300"], ["--day", "sat", "--slots"]] {
            let options = try MeetingOptions.parse(flags + ["--tz", "America/New_York", "--at", "2026-09-14T12:00"])
            let board = try options.question(Filter(), now: Date()).answer(reading) { [] }
            let report = MeetingsReport(board: board, limit: 100, marked: [])
            let lines = report.lines(in: Self.layout(width))
            for line in lines { #expect(TerminalCells.width(line) <= width, "\(line)") }
            let whole = report.lines(in: .plain).joined(separator: "\n")
            for link in whole.matches(of: /\S+:\/\/\S+/) {
                #expect(Self.words(lines).contains(String(link.output)), "\(lines)")
            }
            #expect(whole.contains("unknown time_zone"))
        }
    }
}
