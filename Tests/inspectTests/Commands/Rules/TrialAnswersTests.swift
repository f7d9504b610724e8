import Foundation
import Support
import Testing
import Traffic

@testable import ProgramTests
@testable import inspect

/// Rules for responses are tried on what files, directories and recordings answer with.
@Suite(.timeLimit(.minutes(15))) struct TrialAnswersTests {
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
        try FileManager.default.createDirectory(atPath: directory.file("www"), withIntermediateDirectories: true)
        try directory.write("<title>ours</title>", to: "www/a.html")
        try directory.write("{\"n\":1}", to: "a.json")
    }

    private func run(
        _ text: String,
        isArchive: Bool = false,
        showing id: ExchangeID? = nil
    ) async throws -> RuleTrialRun {
        let captured = try CapturedStore()
        let page = Array("<title>theirs</title>".utf8)
        try await captured.record(
            Sample(1, "GET", "/a.html", fields: "Content-Type: text/html\r\nX-A: 1\r\n", responseBody: page)
        )
        try await captured.record(Sample(2, "GET", "/b.html", code: 404))
        try await captured.record(Sample(3, "HEAD", "/a.html"))
        let (rules, problems) = try RuleFiles.read(text, path: directory.file("rules.yaml"))
        #expect(problems.map(\.description) == [])
        return try captured.reading { store in
            let answers = TrialAnswers(store, isArchive: isArchive)
            var run = RuleTrialRun(rules, rowLimit: 10, showing: id, answers: answers)
            try run.add(Filter(), in: store)
            return run
        }
    }

    @Test("A file and a file of a directory are read for the rules below, and a missing one sends the request on")
    func files() async throws {
        let run = try await run(
            """
            rules:
            - {name: dir, when: path:.html, respond: {dir: www, missing: upstream}}
            - {name: ours, when: resbody:ours, response: {fields: {set: {X-Ours: "1"}}}}
            - {name: theirs, when: resbody:theirs, response: {fields: {set: {X-Theirs: "1"}}}}
            - {name: gone, when: path:/b, request: {fields: {set: {X-On: "1"}}}}
            - {name: lost, when: "code:404", response: {fields: {set: {X-Lost: "1"}}}}
            """
        )
        // The second request finds no file; a HEAD has no body.
        #expect(run.figures.map(\.hits) == [2, 1, 0, 1, 1])
        #expect(run.rows.map { $0.uses.rules } == [["dir", "ours"], ["dir", "gone", "lost"], ["dir"]])
        #expect(run.rows[1].uses.first?.note == "skipped: there is no such file, and the request goes on")
        #expect(run.rows.map(\.mayDiffer) == [false, true, false] && run.rows.allSatisfy { $0.gap == nil })
        let file = try await self.run(
            """
            rules:
            - {name: file, respond: {file: a.json, status: 201}}
            - {name: json, when: "type:json code:201 json:$.n=1", response: {status: 202}}
            - {name: no file, when: path:/never, respond: {file: never.json}}
            """
        )
        #expect(file.figures.map(\.hits) == [3, 2, 0])
        let gone = try await self.run("rules: [{name: no file, respond: {file: never.json}}]")
        #expect(gone.figures.map(\.faults) == [3])
    }

    @Test("A recording is read for the rules below, with the status and the fields that the rule names")
    func recording() async throws {
        let text = """
            rules:
            - {name: again, when: path:/b, respond: {from: 1, status: 503, fields: {Content-Type: text/plain, X-B: "2"}}}
            - {name: see, when: "code:503 type:text/plain resbody:theirs", response: {fields: {set: {X-See: "1"}}}}
            """
        let run = try await run(text, showing: 2)
        #expect(run.figures.map(\.hits) == [1, 1])
        let lines = RulesTryReport(run: run).lines(in: .plain)
        #expect(
            lines.contains("+ HTTP/1.1 503 Service Unavailable") && lines.contains("+ <title>theirs</title>"),
            "\(lines)"
        )
        #expect(lines.contains("again (as 1, 503), see (X-See added)"))
        #expect(lines.filter { $0.contains("Content-Type:") } == ["  Content-Type: text/plain"], "\(lines)")
        let archive = try await self.run(text, isArchive: true, showing: 2)
        #expect(archive.figures.map(\.hits) == [1, 0] && archive.rows.map(\.mayDiffer) == [true])
        #expect(
            RulesTryReport(run: archive).lines(in: .plain).last
                == "Rules for the response were not tried: exchange 1 is one of the store, and not of this archive."
        )
        var json = JSONWriter()
        RulesTryReport(run: archive).write(to: &json)
        let row = try JSONReader.value(json.take())["exchanges"]?.elements?.first
        #expect(row?["untried"]?.string == "exchange 1 is one of the store, and not of this archive")
    }

    @Test("An answer that is no text is told of by its length")
    func binary() async throws {
        try Data([0xFF, 0x00, 0xFE]).write(to: URL(filePath: directory.file("a.bin")))
        let run = try await run("rules: [{name: file, respond: {file: a.bin}}]", showing: 1)
        #expect(RulesTryReport(run: run).lines(in: .plain).last == "+ 3 bytes that are no text")
    }
}
