import Testing

@testable import FacilityAPI

@Suite(.timeLimit(.minutes(15))) struct AnswerTests {
    @Test(
        "What HTML gives a meaning is replaced wherever it stands, and nothing else is",
        arguments: [
            ("a & b < c > d", "a &amp; b &lt; c &gt; d"), ("\"a\" 'b'", "&quot;a&quot; &#39;b&#39;"),
            ("&amp;&lt", "&amp;amp;&amp;lt"), ("", ""),
            // With an accent behind it each of them is another Character, and the same to a browser.
            ("\"\u{301} '\u{301}", "&quot;\u{301} &#39;\u{301}"),
            ("&\u{301}<\u{308}>\u{20DD}", "&amp;\u{301}&lt;\u{308}&gt;\u{20DD}"),
            ("<\u{FE0F}\u{200D}", "&lt;\u{FE0F}\u{200D}"),
            // A carriage return and a line feed are one Character, and a flag is two scalars.
            ("\r\n<\r\n", "\r\n&lt;\r\n"), ("\u{1F1E8}\u{1F1E6}&", "\u{1F1E8}\u{1F1E6}&amp;"),
            ("caf\u{E9} cafe\u{301}", "caf\u{E9} cafe\u{301}"),
            ("\0\u{1}\t\u{B}\u{1B}\u{7F}\u{85}\u{2028}", "\0\u{1}\t\u{B}\u{1B}\u{7F}\u{85}\u{2028}"),
        ]
    )
    func escaped(text: String, expected: String) {
        // As bytes: Strings whose accents are written in other ways are equal.
        #expect(Array(text.htmlEscaped.utf8) == Array(expected.utf8))
    }
}
