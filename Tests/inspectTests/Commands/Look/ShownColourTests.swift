import Store
import Testing
import Traffic

@testable import ProgramTests
@testable import inspect

/// What `inspect show` paints.
@Suite(.timeLimit(.minutes(15))) struct ShownColourTests {
    private static let body = #"{"a": [1.50, true, null, "x: {\"y\": 1}"], "b\u0022:": {}, "c": "d"}"#

    /// The lines of an exchange with a JSON body.
    private static func lines(isColoured: Bool) async throws -> [String] {
        let store = try CapturedStore()
        let fields = "Content-Type: application/json\r\nX-oDD:\u{1B}[2J\r\n"
        try await store.record(Sample(1, "POST", "/a", code: 404, fields: fields, responseBody: Array(body.utf8)))
        let reading = try TrafficStore(path: store.path, access: .reading)
        defer { try? reading.close() }
        let record = try ExchangeReader(reading).record(1)
        let layout = Layout(style: Style(isColoured: isColoured), width: 80)
        return try ExchangeReport(record: record, store: reading, decodedLimitBytes: 1 << 20).lines(in: layout)
    }

    @Test("Start lines are bold, names of fields and members cyan, texts green, other values yellow")
    func paints() async throws {
        let lines = try await Self.lines(isColoured: true)
        let end = "\u{1B}[0m"
        let (bold, cyan, green, yellow) = ("\u{1B}[1m", "\u{1B}[36m", "\u{1B}[32m", "\u{1B}[33m")
        for line in [
            "\(bold)POST /a HTTP/1.1\(end)", "\(cyan)Host\(end): api.example.test",
            "\(bold)HTTP/1.1 404 Whatever\(end)",
            "\(cyan)Content-Type\(end): application/json", "\(cyan)X-oDD\(end):\\e[2J", "  \(cyan)\"a\"\(end): [",
            "    \(yellow)1.50\(end),", "    \(yellow)true\(end),", "    \(yellow)null\(end),",
            "    \(green)\"x: {\\\"y\\\": 1}\"\(end)", "  \(cyan)\"b\\u0022:\"\(end): {},",
            "  \(cyan)\"c\"\(end): \(green)\"d\"\(end)",
        ] {
            #expect(lines.contains(line), "\(line) in \(lines)")
        }
    }

    @Test("The colours are all that differs, and a terminal obeys every one of them")
    func differs() async throws {
        let (painted, plain) = (try await Self.lines(isColoured: true), try await Self.lines(isColoured: false))
        let bare = painted.map { line in Style.sequences.reduce(line) { $0.replacing($1, with: "") } }
        #expect(bare == plain && !plain.contains { $0.contains("\u{1B}") })
        let text = painted.joined(separator: "\n")
        #expect(String(decoding: TerminalEscape.visible(Array(text.utf8)), as: UTF8.self) == text)
    }
}
