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
        #expect(try written(Held(), "--json", isTerminal: false) == "{\"name\":\"held\"}\n")
        #expect(try written(Held(), "--json", isTerminal: true) == "{\n  \"name\": \"held\"\n}\n")
        #expect(try written(Streamed(), "--json", isTerminal: false) == "[1,2]\n")
        #expect(try written(Streamed(), "--json", isTerminal: true) == "[\n  1,\n  2\n]\n")
    }

    @Test("Lines are coloured on a terminal alone, and nowhere where NO_COLOR asks for none")
    func lines() throws {
        #expect(try written(Held(), isTerminal: false) == "held\n0\n")
        #expect(try written(Held(), isTerminal: true) == "\u{1B}[1mheld\u{1B}[0m\n0\n")
        #expect(try written(Held(), isTerminal: true, environment: ["NO_COLOR": "1"]) == "held\n0\n")
        #expect(try written(Streamed(), isTerminal: false) == "1\n2\n")
    }

    /// What a pipe gets of a report, which is written out by then.
    private func written(
        _ report: some StreamedReport,
        _ flags: String...,
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
