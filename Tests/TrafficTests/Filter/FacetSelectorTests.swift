import Testing
import Traffic

@Suite("Reading a wanted value of a facet", .timeLimit(.minutes(15)))
struct FacetSelectorTests {
    @Test(
        "A code is a number, a class, a range, a bound or a state",
        arguments: [
            ("404", .exactly("404")), (" 404 ", .exactly("404")), ("5xx", .codes(500...599)),
            ("5XX", .codes(500...599)),
            ("1xx", .codes(100...199)), ("400-499", .codes(400...499)), ("404-404", .codes(404...404)),
            (">=400", .codes(400...999)),
            ("<=399", .codes(0...399)), (">400", .codes(401...999)), ("<400", .codes(0...399)),
            ("pending", .exactly("pending")),
            ("FAILED", .exactly("failed")), ("tunnelled", .exactly("tunnelled")), ("none", .exactly("none")),
            ("Cancelled", .exactly("cancelled")), ("no-answer", .exactly("failed")),
        ] as [(String, FacetSelector)]
    )
    func code(text: String, selector: FacetSelector) throws {
        #expect(try FacetSelector(text, in: .code) == selector)
    }

    @Test(
        "What is not a code is refused with a sentence that names it",
        arguments: [
            "", "  ", "40", "4040", "0xx", "4x", "xx4", "٤xx", "499-400", "400-", "-400", ">=", ">999", "<000", "ok",
            "4 4",
        ]
    )
    func badCode(text: String) {
        #expect { try FacetSelector(text, in: .code) } throws: { error in
            let sentence = "\(error)"
            return sentence.hasPrefix("code ") && !sentence.contains("\n")
        }
    }

    @Test(
        "In a comma list, what stands in quotes is one value and means itself",
        arguments: [
            ("curl,py", [.like(TextPattern(containing: "curl")), .like(TextPattern(containing: "py"))]),
            (#""cc, the compiler",a b"#, [.exactly("cc, the compiler"), .exactly("a b")]),
            (#""say \"hi, you\"""#, [.exactly(#"say "hi, you""#)]), (#""a\\""#, [.exactly(#"a\"#)]),
            (#""py""#, [.exactly("py")]), (#""a" b"#, [.exactly(#""a" b"#)]),
            (#"x",y"#, [.exactly(#"x""#), .like(TextPattern(containing: "y"))]),
            (#""a,b"#, [.exactly(#""a"#), .like(TextPattern(containing: "b"))]),
            ("a,", nil), (",", nil), (#""""#, nil), ("", nil),
        ] as [(String, [FacetSelector]?)]
    )
    func list(text: String, selectors: [FacetSelector]?) {
        #expect((try? FacetSelector.list(text, in: .process)) == selectors)
    }

    @Test(
        "Values of other facets are read ignoring case, and refused where no exchange can have them",
        arguments: [
            (.method, "get", .exactly("get")), (.method, "M-SEARCH", .exactly("m-search")), (.method, "G T", nil),
            (.method, "", nil),
            (.scheme, "HTTPS", .exactly("https")), (.scheme, "none", .exactly("none")), (.scheme, "ftp", nil),
            (.host, "Example.TEST", .host("example.test")), (.host, ".example.test", .host("example.test")),
            (.host, "*.example.test", .host("*.example.test")), (.host, "[2001:DB8::1]", .host("2001:db8::1")),
            (.host, "2001:db8::1", .host("2001:db8::1")), (.host, "none", .host("none")),
            (.host, "example.test:80", nil),
            (.host, "http://example.test/", nil), (.host, "a b", nil),
            (.version, "1.1", .exactly("http/1.1")), (.version, "http/2", .exactly("http/2")),
            (.version, "2", .exactly("http/2")),
            (.version, "ws", .exactly("websocket")), (.version, "none", .exactly("none")), (.version, "4", nil),
            (.outcome, "Failed", .exactly("failed")), (.outcome, "cancelled", .exactly("cancelled")),
            (.outcome, "done", nil),
            (.type, "Application/JSON", .exactly("application/json")),
            (.client, "Bruin", .like(TextPattern(containing: "Bruin"))), (.client, "none", .exactly("none")),
            (.client, "What's Open", .exactly("what's open")), (.client, "a(b", .exactly("a(b")), (.client, "", nil),
            (.process, "py", .like(TextPattern(containing: "py"))), (.process, "a b", .exactly("a b")),
            (.lens, "JSON", .exactly("json")), (.lens, "none", .exactly("none")),
            (.rule, "Train wifi", .exactly("train wifi")), (.rule, "none", .exactly("none")),
        ] as [(Facet, String, FacetSelector?)]
    )
    func otherFacets(facet: Facet, text: String, selector: FacetSelector?) {
        #expect((try? FacetSelector(text, in: facet)) == selector)
    }

    @Test(
        "A host means itself and what lies under it; a star stands for any characters",
        arguments: [
            ("example.test", "example.test", true), ("example.test", "api.example.test", true),
            ("example.test", "badexample.test", false), ("api.example.test", "example.test", false),
            ("*.example.test", "api.example.test", true), ("*.example.test", "example.test", false),
            ("*", "none", true),
            ("a*c*e", "abcde", true), ("a*c*e", "abcdf", false), ("192.0.2.*", "192.0.2.17", true), ("a**", "a", true),
        ]
    )
    func hosts(pattern: String, host: String, isMeant: Bool) {
        #expect(FacetSelector.host(pattern).matches(host) == isMeant)
    }

    @Test("The value a selector names is written as the facet writes it")
    func namedValue() throws {
        #expect(try FacetSelector("put", in: .method).namedValue(in: .method) == "PUT")
        #expect(try FacetSelector("none", in: .method).namedValue(in: .method) == "none")
        #expect(try FacetSelector("1.0", in: .version).namedValue(in: .version) == "HTTP/1.0")
        #expect(try FacetSelector("404", in: .code).namedValue(in: .code) == "404")
        #expect(try FacetSelector("5xx", in: .code).namedValue(in: .code) == nil)
        #expect(try FacetSelector("*.test", in: .host).namedValue(in: .host) == nil)
        #expect(try FacetSelector("Example.test", in: .host).namedValue(in: .host) == "example.test")
    }

    @Test("A failure without an answer has a word of its own, which a query takes; other values are their own words")
    func labels() throws {
        #expect(Facet.code.label("failed") == "no-answer" && Facet.outcome.label("failed") == "failed")
        for value in ["404", "pending", "cancelled", "none"] { #expect(Facet.code.label(value) == value) }
        #expect(try FacetSelector(Facet.code.label("failed"), in: .code).matches("failed"))
    }

    @Test("Codes sort as numbers and states after them; other values by name, whatever they count")
    func order() {
        func counts(_ values: [String]) -> [FacetCount] {
            values.enumerated().map { FacetCount(value: $0.element, count: $0.offset, selected: false) }
        }
        let codes = Facet.code.ordered(
            counts(["none", "tunnelled", "failed", "1000", "pending", "500", "99", "404", "cancelled"])
        )
        #expect(
            codes.map(\.value) == ["99", "404", "500", "1000", "pending", "failed", "cancelled", "tunnelled", "none"]
        )
        let methods = Facet.method.ordered([
            FacetCount(value: "PUT", count: 7, selected: false), FacetCount(value: "HEAD", count: 1, selected: false),
            FacetCount(value: "GET", count: 3, selected: false),
        ])
        #expect(methods.map(\.value) == ["GET", "HEAD", "PUT"])
    }
}
