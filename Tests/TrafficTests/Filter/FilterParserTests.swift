import Testing

@testable import Traffic

@Suite("The query text", .timeLimit(.minutes(15)))
struct FilterParserTests {
    /// 2026-11-20T14:00:00Z.
    static let now: Int64 = 1_795_183_200_000_000

    static func parse(_ text: String) throws -> Filter { try FilterParser.parse(text, now: now) }

    private static func text(_ text: String) -> FilterCondition { .test(.text(TextPattern(containing: text))) }

    @Test("Terms are joined by AND, values by OR, and groups and negations are what they look like")
    func structure() throws {
        var filter = Filter()
        for code in ["404", "5xx"] { filter.select(try FacetSelector(code, in: .code), in: .code) }
        filter.require(.negation(.test(.facet(.host, [.host("cdn.test")]))))
        filter.require(
            .anyOf([
                .test(.line(.path, [TextPattern(containing: "/v2")])),
                .allOf([Self.text("not found"), Self.text("x")]),
            ])
        )
        #expect(try Self.parse("code:404,5xx -host:cdn.test (path:/v2 or \"not found\" x)") == filter)
        #expect(try Self.parse("  CODE:404,5xx  AND -(host:cdn.test) (path:/v2 OR (\"not found\" x)) ") == filter)
        #expect(try Self.parse("").isEmpty)
        #expect(
            try Self.parse("a or b c") == Filter(.anyOf([Self.text("a"), .allOf([Self.text("b"), Self.text("c")])]))
        )
        #expect(try Self.parse("--a") == Filter(Self.text("a")))
        #expect(try Self.parse("orbit android") == Filter(.allOf([Self.text("orbit"), Self.text("android")])))
    }

    @Test("A facet's first term is its selection; a second one narrows it")
    func selections() throws {
        let filter = try Self.parse("code:5xx,404 code:500 method:get")
        #expect(filter.selections["code"] == [.codes(500...599), .exactly("404")])
        #expect(filter.conditions == [.test(.facet(.code, [.exactly("500")]))])
        #expect(filter.selections["method"] == [.exactly("get")])
        let window = try Self.parse("since:2h since:1h before:2026-11-20T14:00Z")
        #expect(window.since == Self.now - 3_600_000_000 && window.before == Self.now)
    }

    @Test(
        "Addresses and host:port are text, and so is what stands in quotes",
        arguments: [
            "https://api.example.test/a?b=c", "localhost:8080", "localhost:8080/path", "a:1?x", "host://x", "12:30",
            "a.b:c",
            "::1", "foo(bar)", "a,b", "x\"y", "/v2/", "/v2/facilities", "-5", "*", "é",
        ]
    )
    func isText(_ text: String) throws {
        let negated = text == "-5"
        let wanted = Self.text(negated ? "5" : text)
        #expect(try Self.parse(text) == Filter(negated ? .negation(wanted) : wanted))
        #expect(try Self.parse("\"\(text.replacing("\"", with: "\\\""))\"") == Filter(Self.text(text)))
    }

    @Test("Every key reads the values that its help shows")
    func keys() throws {
        for key in FilterKey.all {
            let filter = try Self.parse("\(key.name):\(key.example)")
            #expect(!filter.isEmpty, "\(key.name)")
        }
    }

    @Test(
        "Numbers, sizes, times, ranges, patterns and paths",
        arguments: [
            ("port:443,>=8000", .number(.port, [443...443, 8000...Int64.max])), ("id:10..20", .number(.id, [10...20])),
            ("size:>10k", .number(.size, [10_001...Int64.max])), ("reqsize:<1KiB", .number(.reqsize, [0...1023])),
            ("size:1k..2.5M", .number(.size, [1000...2_500_000])), ("size:0", .number(.size, [0...0])),
            ("time:>500ms", .number(.time, [500_001...Int64.max])),
            ("time:1s..2min", .number(.time, [1_000_000...120_000_000])),
            ("path:/v2/*", .line(.path, [TextPattern(glob: "/v2/*")].compactMap { $0 })),
            ("url:/v2/", .line(.url, [TextPattern(containing: "/v2/")])),
            ("path:\"a*b\"", .line(.path, [TextPattern(containing: "a*b")])),
            (
                "path:/a,/b.c/",
                .line(.path, [TextPattern(containing: "/a"), try? TextPattern(regex: "b.c")].compactMap { $0 })
            ),
            ("is:replay,truncated", .trait([.replay, .truncated])), ("is:modified", .trait([.modified])),
            ("is:Failed-Inside", .trait([.failedInside])),
            (
                "body:/a\\d+\\,x{1,2}/,\"q, r\"",
                .body(
                    nil,
                    [try? TextPattern(regex: "a\\d+\\,x{1,2}"), TextPattern(containing: "q, r")].compactMap { $0 }
                )
            ),
            (
                "reqheader:Server=\"a b\",x-*",
                .header(
                    .request,
                    [
                        HeaderPattern(
                            name: .named(TextPattern(containing: "server")),
                            value: TextPattern(containing: "a b")
                        ),
                        TextPattern(glob: "x-*").map { HeaderPattern(name: .named($0), value: nil) },
                    ].compactMap { $0 }
                )
            ),
            (
                "json:$.a['b,c'][-1]..d=\"x y\"",
                .json([
                    JSONPattern(
                        path: JSONPath(steps: [.name("a"), .name("b,c"), .index(-1), .below("d")]),
                        condition: .equals("x y")
                    )
                ])
            ),
            (
                "json:$.n>=1.5",
                .json([JSONPattern(path: JSONPath(steps: [.name("n")]), condition: .compared(.atLeast, 1.5))])
            ),
        ] as [(String, FilterTest)]
    )
    func values(text: String, test: FilterTest) throws {
        #expect(try Self.parse(text) == Filter(.test(test)))
    }

    @Test(
        "An error says the column and what was expected",
        arguments: [
            ("code:banana", 6, "404"), ("method:get colour:red", 12, "quotes"), ("cod:404", 1, "did you mean code:"),
            ("status:404", 1, "did you mean code:"), ("hots:a", 1, "did you mean host:"), ("-cod:404", 2, "code:"),
            ("code:404,", 10, "after the comma"), ("code:", 6, "for example code:404"), ("code: 404", 6, "code:404"),
            ("a \"b", 3, "never closed"), ("(a", 1, "never closed"), ("a)", 2, "there is no ("),
            ("()", 2, "expected a term"),
            ("a or", 5, "expected a term"), ("or a", 1, "expected a term"), ("a or or b", 6, "expected a term"),
            ("port:http", 6, "443"), ("size:10q", 6, "10k"), ("size:>", 6, "10k"), ("time:500", 6, "its unit"),
            ("time:2s..1s", 6, "begins above its end"), ("size:<0", 6, "nothing can be"),
            ("size:99999999999999999999", 6, "too great"),
            ("since:yesterday", 7, "2026-11-20"), ("since:10m,20m", 11, "one time"),
            ("before:2026-02-30", 8, "2026-11-20"),
            ("code:499-400", 6, "range"), ("host:a/b", 6, "without scheme"), ("host:/(/", 6, "never closed"),
            ("body:/a**/", 6, "follows another"), ("path:/(?=x)/", 6, "looking ahead"), ("body:/\\1/", 6, "references"),
            ("/[z-a]/", 4, "begins above"), ("is:replayed", 4, "did you mean replay"),
            ("type:jsn", 6, "did you mean json"),
            ("json:a.b", 6, "$.user.name"), ("json:$.a=", 6, "missing after ="), ("json:$.a>x", 6, "a number"),
            ("header:a=", 8, "missing after ="), ("header:\"a b\"", 8, "field's name"), ("scheme:ftp", 8, "https"),
            ("version:4", 9, "1.1"), ("code:\"404\"x", 11, "a blank, a comma"), ("\"\"", 1, "no text"),
            ("a - b", 3, nil),
        ] as [(String, Int, String?)]
    )
    func errors(text: String, column: Int, fragment: String?) throws {
        guard let fragment else {
            #expect(try Self.parse(text) == Filter(.allOf([Self.text("a"), Self.text("-"), Self.text("b")])))
            return
        }
        let error = #expect(throws: FilterError.self) { try Self.parse(text) }
        #expect(error?.column == column, "\(error?.description ?? "")")
        #expect(error?.description.contains(fragment) == true, "\(error?.description ?? "")")
        #expect(error?.description.hasPrefix("column \(column): ") == true)
        #expect(error?.pointer.last == String(repeating: " ", count: column - 1) + "^")
        #expect(error?.pointer.first == text)
    }

    @Test(
        "What other tools write is never text without quotes: the error shows the form that is read here",
        arguments: [
            ("NOT code:200", 1, "-code:404"), ("a not b", 3, "-code:404"), ("not(a)", 1, "-code:404"),
            ("a and NOT b", 7, "-code:404"), ("-not a", 2, "-code:404"), ("!code:200", 1, "-code:404"),
            ("a !b", 3, "-code:404"), ("(!(a))", 2, "-code:404"), ("!\"a\"", 1, "-code:404"), ("a !", 3, "-code:404"),
            ("code:200 && a", 10, "leave && out or write and"), ("a & b", 3, "leave & out or write and"),
            ("&& a", 1, "leave && out"), ("a&&b", 2, "leave && out"), ("path:/a&&method:GET", 8, "leave && out"),
            ("header:a=b&&c", 11, "leave && out"), ("\"a\"&&\"b\"", 4, "leave && out"), ("code:200||a", 9, "or: code"),
            ("a || b", 3, "written with or: code:404 or code:5xx"), ("a | b", 3, "or: code"), ("a||b", 2, "or: code"),
            ("code!=200", 1, "written -code:200"), ("(a code!=200)", 4, "written -code:200 "),
            ("CODE=200", 1, "written code:200"), ("host==a.test", 1, "written host:a.test"),
            ("status!=404", 1, "written -code:404"), ("code=", 1, "written code:404"),
            ("path=\"a b\"", 1, "written path:/v2/facilities"), ("code>=400", 1, "written code:>=400"),
            ("size>10k", 1, "written size:>10k"), ("time<", 1, "written time:>500ms"),
            ("path=/a?b=1&c=2", 1, "written path:/a?b=1&c=2"),
            ("a|b", 2, "or: code"), ("a |b", 3, "or: code"), ("a| b", 2, "or: code"), ("|a", 1, "or: code"),
            ("path:/a|/b", 8, "or: code"), ("method:GET|POST", 11, "or: code"), ("header:a|b", 9, "or: code"),
            ("json:$.a=x|y", 11, "or: code"), ("-tag:a|b", 7, "or: code"), ("a& b", 2, "leave & out"),
            ("a &b", 3, "leave & out"), ("method:GET&host:a", 11, "leave & out"), ("tag:R&D", 6, "leave & out"),
            ("method:!GET", 8, "written -method:GET "), ("path:/a -host:!b.test", 15, "written -host:b.test "),
            ("code:!=200", 6, "written -code:200 "), ("body:!", 6, "written -body:\"not found\" "),
            ("code = 200", 1, "written code:200 "), ("a code != 200", 3, "written -code:200 "),
            ("status != 404", 1, "written -code:404 "), ("size > 10k b", 1, "written size:>10k "),
            ("time >=2s", 1, "written time:>=2s "), ("(code == 404)", 2, "written code:404 "),
            // What is shown can be read.
            ("code=abc", 1, "written code:404"), ("size!=5&6", 1, "written -size:>10k"),
        ] as [(String, Int, String)]
    )
    func foreignForms(text: String, column: Int, form: String) throws {
        let error = #expect(throws: FilterError.self) { try Self.parse(text) }
        #expect(error?.column == column, "\(error?.description ?? "")")
        #expect(error?.description.contains(form) == true, "\(error?.description ?? "")")
        #expect(error?.description.hasSuffix("(to search for the text, put it in quotes)") == true)
        #expect(try Self.parse("\"\(text.replacing("\"", with: "\\\""))\"") == Filter(Self.text(text)))
    }

    @Test(
        "A sign within a word, a word with not in it, and what is no key before a sign are text",
        arguments: [
            "wow!", "a!b", "R&D", "notes", "nothing", "open=1", "x!=y", "a>b", "body>div", "<code>", "=5",
            "id=4&page=2", "code=abc&state=x",
        ]
    )
    func ownSigns(text: String) throws {
        #expect(try Self.parse(text) == Filter(Self.text(text)))
    }

    @Test("A value with the sign of another tool is written in quotes, and read again")
    func signsInValues() throws {
        for test in [
            FilterTest.line(.path, [TextPattern(containing: "a&&b")]), .facet(.method, [.exactly("a||b")]),
            .line(.path, [TextPattern(containing: "a|b"), TextPattern(containing: "!a")]),
            .facet(.method, [.exactly("a|b"), .exactly("!a"), .exactly("a&b")]), .facet(.tag, [.exactly("r&d")]),
            .header(nil, [HeaderPattern(name: .named(TextPattern(containing: "a|b")), value: nil)]),
            .json([JSONPattern(path: JSONPath(steps: [.name("a||b")]), condition: .equals("&&"))]),
        ] {
            let filter = Filter(.test(test))
            #expect(try Self.parse(filter.text) == filter, "\(filter.text)")
        }
    }

    @Test("Depth and length are bounded")
    func bounds() {
        for text in [
            String(repeating: "(", count: 9_000), String(repeating: "-", count: 9_000) + "a",
            String(repeating: "a ", count: 9_000),
        ] {
            #expect(throws: FilterError.self) { try Self.parse(text) }
        }
        #expect(throws: Never.self) { try Self.parse(String(repeating: "a ", count: 4_999)) }
    }
}
