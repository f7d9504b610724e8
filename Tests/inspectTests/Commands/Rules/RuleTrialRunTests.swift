import Foundation
import NIOCore
import Support
import Testing
import Traffic

@testable import ProgramTests
@testable import inspect

/// Rules are tried on a store as they would have applied live.
@Suite(.timeLimit(.minutes(15))) struct RuleTrialRunTests {
    private static func store() async throws -> CapturedStore {
        let store = try CapturedStore()
        for token in 1...4 { try await store.record(Sample(CaptureToken(token), "GET", "/a")) }
        try await store.record(Sample(5, "POST", "/b", requestBody: Array("one two".utf8)))
        try await store.record(Sample(6, "GET", "/c", code: 500, fields: "X-Debug: 1\r\n"))
        return store
    }

    private static func run(
        _ text: String,
        _ filter: Filter = Filter(),
        rowLimit: Int = 10,
        showing id: ExchangeID? = nil
    ) async throws -> RuleTrialRun {
        let captured = try await store()
        let (rules, problems) = try RuleFiles.read(text, path: "rules.yaml")
        #expect(problems.map(\.description) == [])
        var run = RuleTrialRun(rules, rowLimit: rowLimit, showing: id)
        try captured.reading { try run.add(filter, in: $0) }
        return run
    }

    private static let text = """
        rules:
        - {name: first two, when: "path:/a", respond: {status: 503, text: "later", times: 2}}
        - {name: mark, when: "path:/a", request: {fields: {set: {X-Case: Other}}}}
        - {name: body, when: "body:two", request: {fields: {remove: [X-Case]}}}
        - {name: quiet, response: {fields: {remove: [X-Debug]}}}
        - {name: nobody, off: true, block: reset}
        """

    @Test("Each rule is counted as it would have been live: sequences end, and a rule behind an answer is shadowed")
    func counts() async throws {
        let run = try await Self.run(Self.text)
        let figures = run.figures
        #expect(run.count == 6 && run.touchedCount == 6)
        #expect(figures.map(\.hits) == [2, 2, 1, 6, 0])
        #expect(figures[1].shadowed == 2)
        #expect(run.rows.map(\.summary.id) == [1, 2, 3, 4, 5, 6])
        #expect(run.rows.map(\.mayDiffer) == [false, false, true, true, true, false])
        #expect(RulesTryReport.sentence(run.rows[4].uses).hasPrefix("body (X-Case removed)"))
    }

    @Test("Rows are held up to a limit, and the others are counted")
    func limit() async throws {
        let run = try await Self.run(Self.text, rowLimit: 2)
        #expect(run.rows.map(\.summary.id) == [1, 2] && run.touchedCount == 6)
        #expect(RulesTryReport(run: run).lines(in: .plain).last == "and 4 more")
    }

    @Test("An exchange is shown with its lines before and after, and with the answer of a rule")
    func shown() async throws {
        let edited = RulesTryReport(run: try await Self.run(Self.text, showing: 5)).lines(in: .plain)
        #expect(edited.contains("- X-Case: Kept") && edited.contains("  POST /b HTTP/1.1"))
        #expect(edited.contains("The answer may differ from the recorded one."))
        let answered = RulesTryReport(run: try await Self.run(Self.text, showing: 1)).lines(in: .plain)
        #expect(answered.contains("- HTTP/1.1 200 Whatever") && answered.contains("+ HTTP/1.1 503 Service Unavailable"))
        #expect(answered.contains("+ later") && !answered.contains("- X-Case: Kept"))
        let text = "rules: [{name: other, when: \"path:/c\", block: reset}]"
        let untouched = RulesTryReport(run: try await Self.run(text, showing: 2)).lines(in: .plain)
        #expect(untouched.last == "no rule touches exchange 2")
    }

    @Test(
        "What a body or a rule has of a terminal's control sequences is escaped where bodies are shown before and after"
    )
    func controls() async throws {
        let store = try CapturedStore()
        let body = Array("<p title=\"\u{1B}[31m5\">\u{9B}2J</p>".utf8)
        try await store.record(Sample(1, "GET", "/a", fields: "Content-Type: text/html\r\n", responseBody: body))
        let text = "rules: [{name: a, response: {body: {replace: {find: '5', with: \"zz\\e[1m\"}}}}]"
        var run = RuleTrialRun(try RuleFiles.rules(of: text, named: "yaml"), rowLimit: 1, showing: 1)
        try store.reading { try run.add(Filter(), in: $0) }
        let lines = RulesTryReport(run: run).lines(in: .plain)
        #expect(lines.contains { $0.contains("\\e[31mzz\\e[1m") }, "\(lines)")
        #expect(!lines.joined().unicodeScalars.contains { $0.value < 0x20 || (0x7F..<0xA0).contains($0.value) })
    }

    @Test("JSON has each rule's counts, and each exchange with what would have been done")
    func json() async throws {
        let run = try await Self.run(Self.text, rowLimit: 3, showing: 6)
        var json = JSONWriter()
        RulesTryReport(run: run).write(to: &json)
        let value = try JSONReader.value(json.take())
        #expect(value["looked"]?.integer == 6 && value["touched"]?.integer == 6)
        let rules = value["rules"]?.elements ?? []
        #expect(rules.compactMap { $0["hits"]?.integer } == [2, 2, 1, 6, 0])
        #expect(rules.last?["on"]?.boolean == false && rules[1]["shadowed"]?.integer == 2)
        let rows = value["exchanges"]?.elements ?? []
        #expect(rows.count == 3 && rows[0]["exchange"]?["id"]?.integer == 1 && rows[0]["mayDiffer"]?.boolean == false)
        #expect(rows[0]["uses"]?.elements?.compactMap { $0["rule"]?.string } == ["mark", "first two", "quiet"])
        let lines = value["shown"]?["response"]?.elements?.compactMap(\.string) ?? []
        #expect(lines.contains("- X-Debug: 1"))
    }

    @Test("Lines of a head are told apart: kept, removed, new")
    func heads() {
        let before = ByteBuffer(string: "GET / HTTP/1.1\r\nA: 1\r\nB: 2\r\nC: 3\r\n\r\n")
        let after = ByteBuffer(string: "GET / HTTP/1.1\r\nA: 1\r\nB: x\r\nC: 3\r\nD: \u{1B}\r\n\r\n")
        #expect(
            HeadDifference.lines(before, after) == [
                "  GET / HTTP/1.1", "  A: 1", "- B: 2", "+ B: x", "  C: 3", "+ D: \\e",
            ]
        )
        #expect(HeadDifference.lines(before, before) == [])
        #expect(HeadDifference.lines(nil, ByteBuffer(string: "HTTP/1.1 200 OK\r\n\r\n")) == ["+ HTTP/1.1 200 OK"])
    }
}
