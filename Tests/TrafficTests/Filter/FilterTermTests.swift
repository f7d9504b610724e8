import Testing
import Traffic

@Suite("The terms of a query text", .timeLimit(.minutes(15)))
struct FilterTermTests {
    @Test(
        "Each has its place, its contrary and its meaning",
        arguments: [
            ("", []),
            ("  code:404  ", ["2..<10 code:404 ↔ -code:404"]),
            ("code:404 -host:a.test", ["0..<8 code:404 ↔ -code:404", "9..<21 -host:a.test ↔ host:a.test"]),
            (
                "a and \"b c\" and -(d or e)",
                ["0..<1 a ↔ -a", "6..<11 \"b c\" ↔ -\"b c\"", "16..<25 -(d or e) ↔ (d or e)"]
            ),
            ("code:404 or code:500 a", ["0..<22 code:404 or code:500 a ↔ -(code:404 or code:500 a)"]),
            ("\"🧭\" x", ["0..<4 \"🧭\" ↔ -\"🧭\"", "5..<6 x ↔ -x"]),
        ] as [(String, [String])]
    )
    func places(text: String, expected: [String]) throws {
        let terms = try FilterParser.terms(text, now: 0)
        #expect(terms.map { "\($0.range) \($0.text) ↔ \($0.negation)" } == expected)
        // Together they say what the text says, and each contrary is read as the contrary.
        var together = Filter()
        for term in terms {
            together.require(term.condition)
            #expect(try FilterParser.parse(term.negation, now: 0) == Filter(.negation(term.condition)))
        }
        #expect(together == (try FilterParser.parse(text, now: 0)))
    }

    @Test(
        "A choice of a facet's values tells them, wanted or not; others tell none",
        arguments: [
            ("code:404,5xx", "code false 404=404 500-599=-"),
            ("-host:a.test,*.b.test", "host true a.test=a.test *.b.test=-"),
            ("client:\"What's Open iOS\"", "client false \"what's open ios\"=what's open ios"),
            ("method:get", "method false get=GET"),
            ("path:/v2", "- false "), ("(code:404 or path:/v2)", "- false "),
        ]
    )
    func choices(text: String, expected: String) throws {
        let term = try #require(try FilterParser.terms(text, now: 0).first)
        let parts = term.parts.map { "\($0.text)=\($0.value ?? "-")" }.joined(separator: " ")
        #expect("\(term.facet?.name ?? "-") \(term.isNegated) \(parts)" == expected)
    }

    @Test("What cannot be read has the parser's own error")
    func refuses() {
        for text in ["code:4", "a (b", "x or", "code:"] {
            let error = #expect(throws: FilterError.self) { try FilterParser.terms(text, now: 0) }
            #expect(throws: error ?? FilterError("")) { try FilterParser.parse(text, now: 0) }
        }
    }
}
