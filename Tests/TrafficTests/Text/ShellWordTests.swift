import Support
import Testing
import Traffic

@Suite(.timeLimit(.minutes(15)))
struct ShellWordTests {
    @Test("bash reads a thousand words back as the bytes they were made of", arguments: 0..<10)
    func survives(seed: Int) async throws {
        var random = SeededGenerator(seed: UInt64(seed))
        let pieces = [
            "'", "\"", "\\", "$HOME", "$(id)", "`id`", "\n", "\r", "\t", " ", "!", "!!", "-", "@", "*", "?", "~",
            "{a,b}", "&",
            ";", "|", ">", "<", "#", "%s", "\\x41", "\\n", "é", "干", "\u{202E}", "\u{1B}[31m", "\u{7F}", "a", "0", "=",
            "$'",
        ]
        let values = (0..<100).map { _ in random.bytes(of: pieces, atMost: 40).filter { $0 != 0 } }
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
