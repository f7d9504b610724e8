import Foundation
import Testing

@testable import inspect

/// What a terminal gets of what others wrote.
@Suite(.timeLimit(.minutes(15))) struct TerminalEscapeTests {
    @Test(
        "What does not show itself is written as JSON writes it; our own colours stay, no other sequence does",
        arguments: [
            ("plain\ttext\n", "plain\ttext\n"), ("café 🧭 日本\n", "café 🧭 日本\n"),
            ("\u{1B}[1;31mfailed\u{1B}[0m", "\u{1B}[1;31mfailed\u{1B}[0m"),
            ("\u{1B}[2Jgone", "\\u001b[2Jgone"),
            ("\u{1B}[8mhidden\u{1B}]0;title\u{07}", "\\u001b[8mhidden\\u001b]0;title\\u0007"),
            ("a\u{9B}2Jb\u{90}q\r", "a\\u009b2Jb\\u0090q\\u000d"),
            ("{\"a\": \"\u{202E}cba\u{2066}\"}", "{\"a\": \"\\u202ecba\\u2066\"}"),
            ("\u{E0041}\u{F0000}", "\\udb40\\udc41\\udb80\\udc00"),
        ]
    )
    func shows(_ text: String, _ expected: String) {
        #expect(String(decoding: TerminalEscape.visible(Array(text.utf8)), as: UTF8.self) == expected)
    }

    @Test("Bytes are cut between scalars", arguments: ["a", "é", "日", "🧭"])
    func cuts(_ last: String) {
        let whole = Array("x\(last)".utf8)
        for length in 1...whole.count {
            let expected = length == whole.count ? length : 1
            #expect(TerminalEscape.wholeCount(Array(whole.prefix(length))) == expected, "\(last) \(length)")
        }
        // What is no UTF-8 does not wait for ever.
        #expect(TerminalEscape.wholeCount([0x80, 0x80, 0x80, 0x80]) == 4)
    }

    @Test("What is said on standard error is made visible whoever reads it, since a pager behind a pipe shows it too")
    func remarks() {
        var ends: [Int32] = [0, 0]
        #expect(pipe(&ends) == 0)
        defer { for end in ends { close(end) } }
        Console.remark("inspect: \u{1B}[2J\u{202E}name\n  \u{9B}column", to: ends[1])
        var bytes = [UInt8](repeating: 0, count: 1_000)
        let count = read(ends[0], &bytes, bytes.count)
        let said = String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
        #expect(said == "inspect: \\u001b[2J\\u202ename\n  \\u009bcolumn\n")
    }

    @Test("A console lets nothing through to a terminal that it would obey, and everything to a file")
    func console() throws {
        let text = "{\"name\": \"\u{9B}2J\u{202E}\"}\n"
        func written(isTerminal: Bool) throws -> String {
            var ends: [Int32] = [0, 0]
            #expect(pipe(&ends) == 0)
            defer { for end in ends { close(end) } }
            let console = Console(descriptor: ends[1], environment: [:], isTerminal: isTerminal)
            try console.write(Array(text.utf8))
            try console.line(console.style.paint("red", .red))
            try console.flush()
            var bytes = [UInt8](repeating: 0, count: 1_000)
            let count = read(ends[0], &bytes, bytes.count)
            return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
        }
        #expect(try written(isTerminal: true) == "{\"name\": \"\\u009b2J\\u202e\"}\n\u{1B}[31mred\u{1B}[0m\n")
        #expect(try written(isTerminal: false) == text + "red\n")
    }
}
