import Testing

@testable import Traffic

@Suite("A selector's text", .timeLimit(.minutes(15)))
struct SelectorTextTests {
    @Test(
        "Numbers and ranges alone are ids, and anything else is a query",
        arguments: [
            ("7", .numbers([7...7])), ("7 9", .numbers([7...7, 9...9])), ("9,7 7", .numbers([9...9, 7...7, 7...7])),
            ("10..20", .numbers([10...20])), (" 3 \t 10..10 ", .numbers([3...3, 10...10])),
            ("7x", .query("7x")), ("\"12\"", .query("\"12\"")), ("id:7", .query("id:7")),
            ("7 host:a.test", .query("7 host:a.test")), ("127.0.0.1", .query("127.0.0.1")), ("-7", .query("-7")),
            ("@saved", .query("@saved")), ("..", .query("..")), ("1...5", .query("1...5")), ("７", .query("７")),
            ("1..2..3", .query("1..2..3")), ("", .query("")), (",", .query(",")),
        ] as [(String, SelectorText)]
    )
    func reads(_ text: String, _ expected: SelectorText) throws {
        #expect(try SelectorText(text) == expected)
        guard case .numbers = expected else {
            #expect(!SelectorText.isNumbers(text))
            return
        }
        #expect(SelectorText.isNumbers(text))
    }

    @Test(
        "A number or a range that no exchange can have is refused with what to write",
        arguments: [
            ("20..10", "write 10..20"), ("0", "1 or more, not 0"), ("0..5", "1 or more, not 0"),
            ("10..", "such as 10..20"), ("..20", "such as 10..20"), ("7 20..10", "write 10..20"),
            ("9223372036854775808", "in quotation marks it is text"),
        ]
    )
    func refuses(_ text: String, _ remedy: String) {
        #expect { try SelectorText(text) } throws: { error in
            guard let error = error as? FilterError else { return false }
            return error.description.contains(remedy) && error.column == nil
        }
        #expect(SelectorText.isNumbers(text))
    }

    @Test("Its query text and its filter select the same", arguments: ["7", "7 10..20", "code:404 \"12\"", ""])
    func means(_ text: String) throws {
        let selector = try SelectorText(text)
        let filter = try selector.filter(now: 0) { $0 }
        #expect(try filter == FilterParser.parse(selector.queryText, now: 0))
        #expect(filter.isEmpty == selector.isEmpty)
    }

    @Test(
        "A number beside other words is told, unless it is quoted or behind a key",
        arguments: [
            ("100 or 200", "100"), ("12 15 -is:favourite", "12"), ("12 15-18", "12"),
            ("host:a.test (x or 10..20)", "10..20"),
            ("host:a.test -7", "7"), ("\"a \\\" b\" 7", "7"), ("a 1,2", "1,2"),
            ("(12)or(15)", "12"), ("\"a\"12", "12"), ("host:a.test 5\" 12", "12"), ("@mine 12", "12"),
            ("7 9", nil), ("", nil), ("\"12\" or \"13\"", nil), ("\"7 a\" b", nil), ("id:12,15 code:404", nil),
            ("path:/(12|13)/ x", nil), ("7x or 15-18", nil), ("note:\"a \\\" 7 \" b", nil),
        ] as [(String, String?)]
    )
    func strays(_ text: String, _ expected: String?) throws {
        #expect(try SelectorText(text).strayNumber == expected)
    }

    @Test("One exchange, and two, are told from a range and from a query")
    func counts() throws {
        #expect(try SelectorText("7").single == 7)
        for text in ["7 8", "7..8", "7x"] { #expect(try SelectorText(text).single == nil) }
        let pair = try #require(try SelectorText("40 12").pair)
        #expect(pair.0 == 40 && pair.1 == 12)
        for text in ["7", "7..8 9", "1 2 3", "a b"] { #expect(try SelectorText(text).pair == nil) }
    }
}
