import Lenses
import Testing

@Suite("Bodies held to the schema of their media type", .timeLimit(.minutes(15)))
struct OpenAPIBodyTests {
    /// A document with one operation that answers with a body of a type and schema.
    private static func answering(_ type: String, _ schema: String, version: String = "3.1.0") throws -> OpenAPIDocument
    {
        try OpenAPICapture.document(
            #"{"openapi": "\#(version)", "paths": {"/x": {"get": {"responses": {"200": {"description": "", "content": {"#
                + #""\#(type)": {"schema": \#(schema)}}}}}}}}"#
        )
    }

    @Test(
        "What is several texts is not held to a schema as one, and that is said",
        arguments: [
            ("text/event-stream", #"{"type": "object"}"#, "data: {}\n\ndata: [DONE]\n\n"),
            ("text/event-stream", #"{"type": "string", "maxLength": 3}"#, "data: {}\n\n"),
            ("text/csv", #"{"type": "array", "items": {"type": "object"}}"#, "a,b\n1,2\n"),
            ("application/stream+json", #"{"type": "object"}"#, "{}\n{}\n"),
            ("application/x-ndjson", #"{"type": "object"}"#, "{}\n{}\n"),
            ("application/geo+json-seq", #"{"type": "object"}"#, "\u{1E}{}\n"),
            ("application/pdf", #"{"type": "object"}"#, "%PDF"),
        ]
    )
    func sequences(type: String, schema: String, body: String) throws {
        let capture = OpenAPICapture.make("GET", "https://a.test/x", answer: body, type: type)
        let result = try OpenAPICheck(Self.answering(type, schema)).check(capture)
        #expect(result.findings.isEmpty && result.unchecked.count == 1, "\(result)")
        #expect(result.unchecked.first?.contains(type) == true)
    }

    @Test(
        "A text is held to what a text may be",
        arguments: [
            (#"{"type": "string", "maxLength": 3}"#, "abc", []),
            (#"{"type": "string", "maxLength": 3}"#, "abcd", ["OA-schema"]),
            (#"{"type": "integer"}"#, "17", []), (#"{"type": "integer"}"#, "x", ["OA-schema"]),
            (#"{"type": ["string", "object"]}"#, "x", []), ("{}", "x", []),
        ] as [(String, String, [String])]
    )
    func texts(schema: String, body: String, findings: [String]) throws {
        let capture = OpenAPICapture.make("GET", "https://a.test/x", answer: body, type: "text/plain")
        let result = try OpenAPICheck(Self.answering("text/plain", schema)).check(capture)
        #expect(result.findings.map(\.rule) == findings && result.unchecked.isEmpty)
    }

    @Test(
        "Numbers are held to a schema with all of their digits",
        arguments: [
            (#"{"format": "int64"}"#, "9223372036854775807", true),
            (#"{"format": "int64"}"#, "9223372036854775808", false),
            (#"{"format": "int64"}"#, "-9223372036854775808", true),
            (#"{"format": "int64"}"#, "-9223372036854775809", false), (#"{"format": "int32"}"#, "2147483648", false),
            (#"{"type": "integer"}"#, "9007199254740993.5", false),
            (#"{"type": "integer"}"#, "90071992547409930e-1", true),
            (#"{"type": "string"}"#, "9007199254740993", false),
            (#"{"uniqueItems": true}"#, "[123456789012345788, 123456789012345789]", true),
            (#"{"uniqueItems": true}"#, "[123456789012345789, 1234567890123457890e-1]", false),
            (#"{"uniqueItems": true}"#, #"[{"a": 10000000000000000}, {"a": 1e16}]"#, false),
            (#"{"uniqueItems": true}"#, "[1, 1.0]", false), (#"{"uniqueItems": true}"#, #"[1, "1"]"#, true),
            (#"{"const": 9007199254740993}"#, "9007199254740992", false),
            (#"{"const": 9007199254740993}"#, "9007199254740993", true),
            (#"{"enum": [1e400]}"#, "10e399", true), (#"{"enum": [1e400]}"#, "1e401", false),
            (#"{"maximum": 9007199254740992}"#, "9007199254740993", false),
            (#"{"exclusiveMinimum": 9007199254740992}"#, "9007199254740993", true),
            (#"{"minimum": -0.1}"#, "-0.10000000000000001", false),
            (#"{"multipleOf": 3}"#, "9007199254740993", true), (#"{"multipleOf": 3}"#, "9007199254740994", false),
            (#"{"multipleOf": 0.01}"#, "90071992547409.93", true), (#"{"multipleOf": 1e300}"#, "3e300", true),
            (#"{"maxLength": 18446744073709551615}"#, #""abc""#, true),
        ]
    )
    func digits(schema: String, body: String, holds: Bool) throws {
        let capture = OpenAPICapture.make("GET", "https://a.test/x", answer: body)
        let result = try OpenAPICheck(Self.answering("application/json", schema)).check(capture)
        #expect(result.findings.map(\.rule) == (holds ? [] : ["OA-schema"]) && result.unchecked.isEmpty)
    }

    @Test(
        "What is JSON is told to the letter",
        arguments: [
            ("[01]", false), ("[.5]", false), ("[1.]", false), ("[+1]", false), ("[\"a\nb\"]", false),
            (#"["\q"]"#, false), (#"["\u+12f"]"#, false), ("{\"a\": 1,}", false), ("[1] 2", false), ("\u{1E}[]", false),
            ("", true), (" [1, -0.5e+3, {\"a\": {}, \"b\": []}, \"\\ud800\", true, null] ", true), ("\u{FEFF}[]", true),
        ]
    )
    func letter(body: String, isJSON: Bool) throws {
        let capture = OpenAPICapture.make("GET", "https://a.test/x", answer: body)
        let result = try OpenAPICheck(Self.answering("application/json", "{}")).check(capture)
        #expect(result.findings.filter { $0.rule == "OA-body" }.isEmpty == isJSON, "\(result)")
    }

    @Test("JSON that is deeper than is read is not checked, and that is no breach")
    func deep() throws {
        let body = String(repeating: "[", count: 500) + String(repeating: "]", count: 500)
        let result = try OpenAPICheck(Self.answering("application/json", #"{"type": "array"}"#))
            .check(OpenAPICapture.make("GET", "https://a.test/x", answer: body))
        #expect(result.findings.isEmpty && result.unchecked.count == 1)
    }

    @Test("Media types that differ in a parameter are told apart, and what fits none of them is not held to one")
    func parameters() throws {
        let document = try OpenAPICapture.document(
            #"{"openapi": "3.1.0", "paths": {"/x": {"get": {"responses": {"200": {"description": "", "content": {"#
                + #""application/json; version=1": {"schema": {"type": "string"}}, "#
                + #""application/json;version=2": {"schema": {"type": "integer"}}}}}}}}}"#
        )
        for (type, body, rules) in [
            ("application/json;version=1", "\"a\"", []), ("application/json; Version=2", "7", []),
            ("application/json;version=2;charset=utf-8", "\"a\"", ["OA-schema"]), ("application/json", "\"a\"", []),
            ("application/json;version=3", "7", []), ("text/plain", "7", ["OA-media-type"]),
        ] as [(String, String, [String])] {
            let capture = OpenAPICapture.make("GET", "https://a.test/x", answer: body, type: type)
            #expect(OpenAPICapture.findings(capture, document) == rules, "\(type)")
        }
    }

    @Test("A schema that is elsewhere is not checked, and the document is read all the same")
    func elsewhere() throws {
        let schema =
            ##"{"type": "object", "properties": {"a": {"$ref": "#named"}, "b": {"$ref": "other.yaml#/X"}, "c": {"type": "integer"}}}"##
        let document = try Self.answering("application/json", schema)
        #expect(document.unchecked.count == 2)
        let good = OpenAPICapture.make("GET", "https://a.test/x", answer: #"{"a": 1, "b": 2, "c": 3}"#)
        #expect(OpenAPICapture.findings(good, document) == [])
        let bad = OpenAPICapture.make("GET", "https://a.test/x", answer: #"{"a": 1, "b": 2, "c": "x"}"#)
        #expect(OpenAPICapture.findings(bad, document) == ["OA-schema /c"])
    }
}
