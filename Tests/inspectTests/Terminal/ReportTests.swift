import ArgumentParser
import Foundation
import Testing
import Traffic

@testable import inspect

/// How a console writes reports.
@Suite(.timeLimit(.minutes(15))) struct ReportTests {
    /// A report of one name.
    private struct Held: Report {
        func write(to json: inout JSONWriter) { json.object { $0.string("name", "held") } }
        func lines(in layout: Layout) -> [String] { [layout.style.paint("held", .bold), "\(layout.width ?? 0)"] }
    }

    /// A report of numbers that hands on each.
    private struct Streamed: StreamedReport {
        func write(to json: inout JSONWriter, handOn: (inout JSONWriter) throws -> Void) throws {
            try json.array { json in
                for number in 1...2 {
                    json.integer(nil, number)
                    try handOn(&json)
                    #expect(json.bytes.isEmpty)
                }
            }
        }

        func print(to console: Console) throws { for number in 1...2 { try console.line("\(number)") } }
    }

    @Test("JSON is one line in a pipe and has indents on a terminal, whether the report is held or streamed")
    func json() throws {
        #expect(try written(Held(), ["--json"], isTerminal: false) == "{\"name\":\"held\"}\n")
        #expect(try written(Held(), ["--json"], isTerminal: true) == "{\n  \"name\": \"held\"\n}\n")
        #expect(try written(Streamed(), ["--json"], isTerminal: false) == "[1,2]\n")
        #expect(try written(Streamed(), ["--json"], isTerminal: true) == "[\n  1,\n  2\n]\n")
    }

    @Test("Lines are coloured on a terminal alone, where nothing asks for more or less")
    func lines() throws {
        #expect(try written(Held(), isTerminal: false) == "held\n0\n")
        #expect(try written(Held(), isTerminal: true) == "\u{1B}[1mheld\u{1B}[0m\n0\n")
        #expect(try written(Held(), isTerminal: true, environment: ["TERM": "dumb"]) == "held\n0\n")
        #expect(try written(Streamed(), isTerminal: false) == "1\n2\n")
    }

    @Test(
        "--color is stronger than FORCE_COLOR, which is stronger than NO_COLOR, and an empty variable says nothing",
        arguments: [
            (["NO_COLOR": "1"], nil, true, false), (["NO_COLOR": ""], nil, true, true),
            (["FORCE_COLOR": "1"], nil, false, true), (["FORCE_COLOR": "0"], nil, false, true),
            (["FORCE_COLOR": ""], nil, false, false), (["FORCE_COLOR": "1", "TERM": "dumb"], nil, true, true),
            (["FORCE_COLOR": "1", "NO_COLOR": "1"], nil, false, true), ([:], "auto", true, true),
            ([:], "auto", false, false), (["NO_COLOR": "1"], "auto", true, false), ([:], "always", false, true),
            (["NO_COLOR": "1", "TERM": "dumb"], "always", true, true), ([:], "never", true, false),
            (["FORCE_COLOR": "1"], "never", true, false),
        ] as [([String: String], String?, Bool, Bool)]
    )
    func colours(_ variables: [String: String], _ choice: String?, _ isTerminal: Bool, _ isColoured: Bool) throws {
        let flags = choice.map { ["--color", $0] } ?? []
        let text = try written(Held(), flags, isTerminal: isTerminal, environment: variables)
        #expect(text == (isColoured ? "\u{1B}[1mheld\u{1B}[0m" : "held") + "\n0\n")
        #expect(
            try written(Held(), flags + ["--json"], isTerminal: false, environment: variables).contains("\u{1B}")
                == false
        )
    }

    @Test("Every command that paints what it prints takes --color")
    func commands() throws {
        let pages = CommandManual.all(of: try CommandInformation(of: Inspect.self))
        let painting = pages.filter { page in page.command.arguments.contains { $0.longNames.contains("json") } }
        let others = ["tail", "man", "demo"].map { ["inspect", $0] }
        #expect(painting.count > 20)
        for page in painting + pages.filter({ others.contains($0.path) }) {
            let option = page.command.arguments.first { $0.longNames.contains("color") }
            #expect(option?.values == ["auto", "always", "never"], "\(page.name)")
        }
    }

    /// What a pipe gets of a report, which is written out by then.
    private func written(
        _ report: some StreamedReport,
        _ flags: [String] = [],
        isTerminal: Bool,
        environment: [String: String] = [:]
    ) throws -> String {
        var ends: [Int32] = [0, 0]
        #expect(pipe(&ends) == 0)
        defer { for end in ends { close(end) } }
        let console = Console(descriptor: ends[1], environment: environment, isTerminal: isTerminal)
        try console.write(report, OutputOptions.parse(flags))
        var bytes = [UInt8](repeating: 0, count: 1_000)
        let count = read(ends[0], &bytes, bytes.count)
        return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
    }
}
