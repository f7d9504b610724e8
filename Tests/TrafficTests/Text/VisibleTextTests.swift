import Testing
import Traffic

@Suite(.timeLimit(.minutes(15))) struct VisibleTextTests {
    @Test(
        "Everything that drives a terminal is made visible, everything else stays",
        arguments: [
            ("plain", "plain"), ("Café 🫖 日本", "Café 🫖 日本"), ("a\nb\r\tc", #"a\nb\r\tc"#), ("\u{1B}[31m", #"\e[31m"#),
            ("\u{9B}31m", #"\u{9B}31m"#), ("\u{0}\u{7}\u{7F}", #"\u{0}\u{7}\u{7F}"#),
            ("\u{202E}\u{200B}\u{2028}", #"\u{202E}\u{200B}\u{2028}"#),
            ("\u{E0001}", #"\u{E0001}"#), ("\u{B}\u{C}\u{85}\u{2029}", #"\u{B}\u{C}\u{85}\u{2029}"#),
        ]
    )
    func escapes(_ text: String, _ expected: String) {
        #expect(VisibleText.line(text) == expected)
    }

    @Test("Text with lines keeps line feeds and tabs only")
    func keepsLines() {
        #expect(VisibleText.lines("a\n\tb\u{1B}\r") == "a\n\tb\\e\\r")
    }
}
