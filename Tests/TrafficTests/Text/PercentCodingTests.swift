import Testing
import Traffic

@Suite("Percent-encoding is undone in one place", .timeLimit(.minutes(15)))
struct PercentCodingTests {
    @Test(
        "An escape is a byte, a plus is what its place says, and what is no escape stays",
        arguments: [
            ("", "", ""), ("a+b", "a b", "a+b"), ("%41%7a", "Az", "Az"), ("%e4%BD%a0", "你", "你"), ("%", "%", "%"),
            ("%4", "%4", "%4"), ("%4g%41", "%4gA", "%4gA"), ("%%41", "%A", "%A"), ("%2B+", "+ ", "++"),
            ("%FF", "\u{FFFD}", "\u{FFFD}"),
        ]
    )
    func decodes(_ text: String, _ inForm: String, _ inPath: String) {
        #expect(PercentCoding.text(text) == inForm)
        #expect(PercentCoding.text(text, plus: .plus) == inPath)
    }

    @Test(
        "A text of which a part cannot be decoded is none as a whole",
        arguments: [
            ("a+b", "a+b"), ("%41", "A"), ("100%", nil), ("%4", nil), ("%zz", nil), ("%FF", nil), ("%C3%A9%20", "é "),
        ]
    )
    func whole(_ text: String, _ expected: String?) { #expect(PercentCoding.wholeText(text) == expected) }
}
