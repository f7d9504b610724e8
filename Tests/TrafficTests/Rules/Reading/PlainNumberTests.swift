import Testing

@testable import Traffic

@Suite("Numbers of YAML in JSON", .timeLimit(.minutes(15)))
struct PlainNumberTests {
    @Test(
        "A number is written as JSON writes it, and keeps its digits where it can",
        arguments: [
            ("0", "0"), ("-0", "-0"), ("17", "17"), ("72057594038268329", "72057594038268329"), ("1.50", "1.50"),
            ("1e5", "1e5"), ("-1.0E+5", "-1.0E+5"), (".5", "0.5"), ("-.5", "-0.5"), ("+5", "5"), ("+.5e-3", "0.5e-3"),
            ("5.", "5.0"), ("5.e3", "5.0e3"), ("0x10", "16"), ("0xfF", "255"), ("0o17", "15"),
        ]
    )
    func numbers(text: String, json: String) { #expect(PlainNumber(text) == .json(json)) }

    @Test(
        "A text is no number",
        arguments: [
            "", "-", "+", ".", "..", "-.", "1e", "1e+", "1.2.3", "1 ", " 1", "0x", "0xG", "0x+1", "-0x10", "0o8",
            "1_000",
            "--1", "e5", ".e5", "1,5", "12:30", "\u{661}", "inf", ".infinity",
        ]
    )
    func texts(text: String) { #expect(PlainNumber(text) == nil) }

    @Test(
        "What JSON has no number for, and what may be meant as a text, is told with what to write",
        arguments: [
            ("01234", "'01234' may be a number or a text; write 1234, or put it into quotes"),
            ("-007.5", "'-007.5' may be a number or a text; write -7.5, or put it into quotes"),
            ("00", "'00' may be a number or a text; write 0, or put it into quotes"),
            (".inf", "JSON has no number '.inf'; put it into quotes for a text"),
            ("-.Inf", "JSON has no number '-.Inf'; put it into quotes for a text"),
            (".NaN", "JSON has no number '.NaN'; put it into quotes for a text"),
            ("0x10000000000000000", "'0x10000000000000000' is too large; write it with decimal digits"),
        ]
    )
    func refused(text: String, sentence: String) { #expect(PlainNumber(text) == .refused(sentence)) }
}
