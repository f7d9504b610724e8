import Testing

@testable import Traffic

@Suite("Percent-encoding is done and undone in one place", .timeLimit(.minutes(15)))
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
            ("", ""), ("%00", "\0"), ("%e4%bd", nil), ("é%41", "éA"), ("%C0%80", nil), ("%ED%A0%80", nil),
            ("%F0%9F%98", nil), ("😀%F0%9F%98%80", "😀😀"), ("%%41", nil), ("e\u{301}%0a", "e\u{301}\n"),
        ]
    )
    func whole(_ text: String, _ expected: String?) { #expect(PercentCoding.wholeText(text) == expected) }

    /// A set, the characters that it keeps beside letters and digits, and what becomes of `hard`.
    struct Row: CustomTestStringConvertible, Sendable {
        let set: PercentSet
        let kept: String
        let written: String

        var testDescription: String { "keeping \(kept)" }
    }

    /// A text with all that is special somewhere, an escape, controls, and characters of two and of four bytes.
    static let hard = "a b+c%41%&=#?/\"<>[]{}|\\^`~'\0\n\u{7F}é😀"

    @Test(
        "Each set of characters stays, and every other byte is an escape in upper case",
        arguments: [
            Row(
                set: .word,
                kept: "",
                written: "a%20b%2Bc%2541%25%26%3D%23%3F%2F%22%3C%3E"
                    + "%5B%5D%7B%7D%7C%5C%5E%60%7E%27%00%0A%7F%C3%A9%F0%9F%98%80"
            ),
            Row(
                set: .form,
                kept: " *-._",
                written: "a b%2Bc%2541%25%26%3D%23%3F%2F%22%3C%3E"
                    + "%5B%5D%7B%7D%7C%5C%5E%60%7E%27%00%0A%7F%C3%A9%F0%9F%98%80"
            ),
            Row(
                set: .segment,
                kept: "!$&'()*+,-.:;=@_~",
                written: "a%20b+c%2541%25&=%23%3F%2F%22%3C%3E%5B%5D%7B%7D%7C%5C%5E%60~'%00%0A%7F%C3%A9%F0%9F%98%80"
            ),
            Row(
                set: .queryPart,
                kept: "!$'()*,-./:;?@_~",
                written: "a%20b%2Bc%2541%25%26%3D%23?/%22%3C%3E%5B%5D%7B%7D%7C%5C%5E%60~'%00%0A%7F%C3%A9%F0%9F%98%80"
            ),
            Row(
                set: .queryItem,
                kept: "!$%'()*+,-./:;=?@[\\]^_`{|}~",
                written: "a%20b+c%41%%26=%23?/%22%3C%3E[]{}|\\^`~'%00%0A%7F%C3%A9%F0%9F%98%80"
            ),
            Row(
                set: .target,
                kept: "!$%&'()*+,-./:;=?@[]_~",
                written: "a%20b+c%41%&=%23?/%22%3C%3E[]%7B%7D%7C%5C%5E%60~'%00%0A%7F%C3%A9%F0%9F%98%80"
            ),
            Row(
                set: .url,
                kept: "!#$%&'()*+,-./:;=?@[]_~",
                written: "a%20b+c%41%&=#?/%22%3C%3E[]%7B%7D%7C%5C%5E%60~'%00%0A%7F%C3%A9%F0%9F%98%80"
            ),
        ]
    )
    func encodes(_ row: Row) {
        let others = (0...UInt8.max).filter { row.set.contains($0) }.map { Unicode.Scalar($0) }
            .filter { !("a"..."z" ~= $0 || "A"..."Z" ~= $0 || "0"..."9" ~= $0) }
        #expect(String(String.UnicodeScalarView(others)) == row.kept)
        #expect("azAZ09".utf8.allSatisfy(row.set.contains))
        #expect(PercentCoding.encoded(Self.hard.utf8, keeping: row.set) == row.written)
        #expect(PercentCoding.encoded([], keeping: row.set).isEmpty)
    }

    @Test("A form has a plus for a blank, and the set of none keeps no byte")
    func blanks() {
        let form = PercentCoding.form(Self.hard)
        #expect(form.hasPrefix("a+b%2Bc%2541%25%26") && form.hasSuffix("%60%7E%27%00%0A%7F%C3%A9%F0%9F%98%80"))
        #expect(PercentCoding.encoded([0, 0x41, 0x7A, 0xAB, 0xFF], keeping: .none) == "%00%41%7A%AB%FF")
    }
}
