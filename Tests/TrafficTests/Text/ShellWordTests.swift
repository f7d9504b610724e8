import Support
import Testing
import Traffic

@Suite(.timeLimit(.minutes(15)))
struct ShellWordTests {
    private static let pieces = [
        "'", "\"", "\\", "$HOME", "$(id)", "`id`", "\n", "\r", "\t", " ", "!", "!!", "-", "@", "*", "?", "~",
        "{a,b}", "&", ";", "|", ">", "<", "#", "%s", "\\x41", "\\n", "é", "干", "\u{202E}", "\u{1B}[31m",
        "\u{7F}", "a", "0", "=", "$'", "\u{301}",
    ]

    @Test("sh reads a thousand words for any shell back as the texts they were made of", arguments: 0..<10)
    func posix(seed: Int) async throws {
        var random = SeededGenerator(seed: UInt64(seed))
        let texts = (0..<100).map { _ in
            (0..<Int.random(in: 0..<20, using: &random)).compactMap { _ in Self.pieces.randomElement(using: &random) }
                .joined()
        }
        let words = texts.map { ShellWord(posix: $0).description }
        let result = try await CommandLineTool.run("sh", ["-c", "printf '%s\\0' " + words.joined(separator: " ")])
        #expect(result.status == 0, "\(result.errors)")
        #expect(
            result.outputBytes.split(separator: 0, omittingEmptySubsequences: false).dropLast().map(Array.init)
                == texts.map { Array($0.utf8) }
        )
        #expect(ShellWord(posix: "/plain/ca").description == "/plain/ca" && ShellWord(posix: "a\0b").description == "a")
    }

    @Test("A quotation mark ends a word whatever stands over it, so it is escaped")
    func accents() {
        for word in [ShellWord("a'\u{301};id"), ShellWord(posix: "a'\u{301};id")] {
            #expect(Array(word.description.utf8) == Array("'a'\\''\u{301};id'".utf8))
        }
    }

    @Test("bash reads a thousand words back as the bytes they were made of", arguments: 0..<10)
    func survives(seed: Int) async throws {
        var random = SeededGenerator(seed: UInt64(seed))
        let values = (0..<100).map { _ in random.bytes(of: Self.pieces, atMost: 40).filter { $0 != 0 } }
        let words = values.map { ShellWord(bytes: $0).description }
        let result = try await CommandLineTool.run("bash", ["-c", "printf '%s\\0' " + words.joined(separator: " ")])
        #expect(result.status == 0, "\(result.errors)")
        #expect(
            result.outputBytes.split(separator: 0, omittingEmptySubsequences: false).dropLast().map(Array.init)
                == values
        )
        // Nothing in a word moves a terminal's cursor or hides what follows.
        for word in words {
            #expect(word.unicodeScalars.allSatisfy { $0 == "\n" || $0.value >= 0x20 && $0.value != 0x7F })
        }
    }
}
