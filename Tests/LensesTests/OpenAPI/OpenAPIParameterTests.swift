import Lenses
import Testing

@Suite("Parameters in the styles of OpenAPI", .timeLimit(.minutes(15)))
struct OpenAPIParameterTests {
    private static let color =
        #"{"type": "object", "required": ["R"], "properties": {"R": {"type": "integer"}, "G": {"type": "integer"}}, "additionalProperties": false}"#

    /// What a request with one parameter breaks.
    private static func result(_ parameter: String, path: String = "/x", _ target: String, fields: String = "") throws
        -> OpenAPICheck.Result
    {
        let document = try OpenAPICapture.document(
            #"{"openapi": "3.0.3", "paths": {"\#(path)": {"get": {"parameters": [\#(parameter)], "#
                + #""responses": {"200": {"description": ""}}}}}}"#
        )
        return OpenAPICheck(document).check(OpenAPICapture.make("GET", "https://a.test\(target)", fields: fields))
    }

    private static func parameter(
        _ schema: String,
        in location: String = "query",
        style: String? = nil,
        explode: Bool? = nil,
        more: String = ""
    ) -> String {
        #"{"name": "p", "in": "\#(location)", "schema": \#(schema)"# + (style.map { #", "style": "\#($0)""# } ?? "")
            + (explode.map { #", "explode": \#($0)"# } ?? "") + more + "}"
    }

    @Test(
        "An object is read in every form that it may have in a query",
        arguments: [
            ("deepObject", true, "p[R]=100&p[G]=200", true), ("deepObject", true, "p%5BR%5D=x", false),
            ("deepObject", true, "p[G]=200", false), ("deepObject", true, "p[R]=1&p[B]=2", false),
            ("form", true, "R=100&G=200", true), ("form", true, "R=x", false), ("form", true, "G=1", false),
            ("form", false, "p=R,100,G,200", true), ("form", false, "p=R,x", false),
            ("form", false, "p=R,100,B,3", false),
        ]
    )
    func objects(style: String, explode: Bool, query: String, holds: Bool) throws {
        let parameter = Self.parameter(Self.color, style: style, explode: explode)
        let result = try Self.result(parameter, "/x?\(query)")
        #expect(result.findings.map(\.rule) == (holds ? [] : ["OA-parameter"]) && result.unchecked.isEmpty)
    }

    @Test(
        "An object that is needed and not there is told",
        arguments: [("deepObject", true), ("form", true), ("form", false)]
    )
    func missing(style: String, explode: Bool) throws {
        let needed = Self.parameter(Self.color, style: style, explode: explode, more: #", "required": true"#)
        #expect(try Self.result(needed, "/x").findings.map(\.rule) == ["OA-parameter"])
        let free = Self.parameter(Self.color, style: style, explode: explode)
        #expect(try Self.result(free, "/x").findings.isEmpty)
    }

    @Test(
        "Lists and objects are read in a path in each of its styles",
        arguments: [
            ("simple", false, "3,4,5", "R,100,G,200"), ("simple", true, "3,4,5", "R=100,G=200"),
            ("label", false, ".3,4,5", ".R,100,G,200"), ("label", false, ".3.4.5", ".R.100.G.200"),
            ("label", true, ".3.4.5", ".R=100.G=200"), ("matrix", false, ";p=3,4,5", ";p=R,100,G,200"),
            ("matrix", true, ";p=3;p=4;p=5", ";R=100;G=200"),
        ]
    )
    func paths(style: String, explode: Bool, list: String, object: String) throws {
        let integers = #"{"type": "array", "items": {"type": "integer"}, "minItems": 3}"#
        for (schema, text) in [(integers, list), (Self.color, object)] {
            let parameter = Self.parameter(schema, in: "path", style: style, explode: explode)
            let good = try Self.result(parameter, path: "/x/{p}", "/x/\(text)")
            #expect(good.findings.isEmpty && good.unchecked.isEmpty, "\(text)")
            let bad = try Self.result(
                parameter,
                path: "/x/{p}",
                "/x/\(text.replacing("3", with: "y").replacing("100", with: "y"))"
            )
            #expect(bad.findings.map(\.rule) == ["OA-parameter"], "\(text)")
        }
    }

    @Test(
        "A single value is read in a path without what its style puts before it",
        arguments: [
            ("simple", "7", true), ("label", ".7", true), ("matrix", ";p=7", true), ("label", ".x", false),
            ("matrix", ";p=x", false),
        ]
    )
    func scalars(style: String, text: String, holds: Bool) throws {
        let parameter = Self.parameter(#"{"type": "integer"}"#, in: "path", style: style)
        let result = try Self.result(parameter, path: "/x/{p}", "/x/\(text)")
        #expect(result.findings.map(\.rule) == (holds ? [] : ["OA-parameter"]))
    }

    @Test("A header's list and object are read, also where the list comes in several fields")
    func headers() throws {
        let integers = Self.parameter(#"{"type": "array", "items": {"type": "integer"}, "minItems": 3}"#, in: "header")
        #expect(try Self.result(integers, "/x", fields: "p: 3, 4,5\r\n").findings.isEmpty)
        #expect(try Self.result(integers, "/x", fields: "p: 3, 4\r\np: 5\r\n").findings.isEmpty)
        #expect(try Self.result(integers, "/x", fields: "p: 3, x, 5\r\n").findings.map(\.rule) == ["OA-parameter"])
        let object = Self.parameter(Self.color, in: "header")
        #expect(try Self.result(object, "/x", fields: "p: R,100,G,200\r\n").findings.isEmpty)
        #expect(try Self.result(object, "/x", fields: "p: R,x\r\n").findings.map(\.rule) == ["OA-parameter"])
    }

    @Test(
        "The elements of a list are told apart before escapes are undone",
        arguments: [
            ("form", "p=a%2Cb,c", true), ("form", "p=a,b,c", false), ("spaceDelimited", "p=a%20b", true),
            ("spaceDelimited", "p=a+b", true), ("spaceDelimited", "p=a%20b%20c", false),
            ("pipeDelimited", "p=a|b", true), ("pipeDelimited", "p=a%7Cb", true), ("pipeDelimited", "p=a|b|c", false),
        ]
    )
    func separators(style: String, query: String, isPair: Bool) throws {
        let pair = #"{"type": "array", "items": {"type": "string"}, "minItems": 2, "maxItems": 2}"#
        let result = try Self.result(Self.parameter(pair, style: style, explode: false), "/x?\(query)")
        #expect(result.findings.map(\.rule) == (isPair ? [] : ["OA-parameter"]))
    }

    @Test("An empty value is a list of nothing as well, and is let pass where the document allows it")
    func empty() throws {
        let integers = #"{"type": "array", "items": {"type": "integer"}}"#
        #expect(try Self.result(Self.parameter(integers, explode: false), "/x?p=").findings.isEmpty)
        let some = #"{"type": "array", "items": {"type": "integer"}, "minItems": 1}"#
        #expect(try Self.result(Self.parameter(some, explode: false), "/x?p=").findings.map(\.rule) == ["OA-parameter"])
        let number = #"{"type": "integer"}"#
        #expect(try Self.result(Self.parameter(number), "/x?p=").findings.map(\.rule) == ["OA-parameter"])
        let allowed = Self.parameter(number, more: #", "allowEmptyValue": true"#)
        #expect(try Self.result(allowed, "/x?p=").findings.isEmpty)
        #expect(try Self.result(allowed, "/x?p").findings.isEmpty)
    }

    @Test("A style that gives objects no form leaves them unchecked")
    func formless() throws {
        let cookie = try Self.result(Self.parameter(Self.color, in: "cookie"), "/x", fields: "Cookie: p=x\r\n")
        #expect(cookie.findings.isEmpty && cookie.unchecked.count == 1)
        let nested = try Self.result(Self.parameter(Self.color, style: "deepObject"), "/x?p[R][S]=1")
        #expect(nested.findings.isEmpty && nested.unchecked.count == 1)
    }

    @Test(
        "A form's fields are read as its encoding says",
        arguments: [
            ("ids=1,2,3", []), ("ids=1,x", ["OA-schema /ids/1"]), ("tags=a%20b&ids=1", []),
            ("place=%7B%22n%22%3A1%7D", []), ("place=%7B%22n%22%3A%22x%22%7D", ["OA-schema /place/n"]),
            ("other=%7B%22n%22%3A%22x%22%7D", ["OA-schema /other/n"]),
        ] as [(String, [String])]
    )
    func encodings(form: String, findings: [String]) throws {
        let place = #"{"type": "object", "properties": {"n": {"type": "integer"}}}"#
        let document = try OpenAPICapture.document(
            #"{"openapi": "3.0.3", "paths": {"/x": {"post": {"requestBody": {"content": {"application/x-www-form-urlencoded": {"schema": {"#
                + #""type": "object", "properties": {"ids": {"type": "array", "items": {"type": "integer"}}, "#
                + #""tags": {"type": "array", "minItems": 2}, "place": \#(place), "other": \#(place)}}, "#
                + #""encoding": {"ids": {"style": "form", "explode": false}, "tags": {"style": "spaceDelimited"}, "#
                + #""place": {"contentType": "application/json"}}}}}, "responses": {"200": {"description": ""}}}}}}"#
        )
        let capture = OpenAPICapture.make(
            "POST",
            "https://a.test/x",
            sent: form,
            sentType: "application/x-www-form-urlencoded"
        )
        #expect(OpenAPICapture.findings(capture, document) == findings)
    }
}
