import Testing
import Traffic

@testable import Lenses

@Suite(.timeLimit(.minutes(15)))
struct JSONLensTests {
    @Test(
        "The shape of a JSON text is said in words",
        arguments: [
            (#"{"id":1,"name":"x","tags":[],"owner":null}"#, "object with 4 members: id, name, tags, owner"),
            ("{}", "empty object"), ("[]", "empty list"), ("[1,2]", "list of 2 numbers"), (#"["a"]"#, "list of 1 text"),
            (
                #"[{"id":1,"name":"a"},{"id":2,"name":"b","note":"c"}]"#,
                "list of 2 objects, each with id, name; some with note"
            ),
            ("[1,2,\"a\"]", "list of 3: 2 numbers, 1 text"), ("null", "null"), ("true", "true"), ("1.5", "1.5"),
            ("7", "7"), ("\"hi\"", "hi"),
            (
                #"{"a":1,"b":1,"c":1,"d":1,"e":1,"f":1,"g":1,"h":1,"i":1,"j":1}"#,
                "object with 10 members: a, b, c, d, e, f, g, h and 2 more"
            ),
        ]
    )
    func shapes(json: String, words: String) throws {
        #expect(JSONShape.words(try JSONReader.value(Array(json.utf8))) == words)
    }

    @Test(
        "A success that tells of a failure is one",
        arguments: [
            (#"{"error":"no such thing"}"#, "it has an error: no such thing"),
            (#"{"error":{"code":7,"message":"bad"}}"#, "it has an error: 7 bad"),
            (#"{"error":null}"#, nil), (#"{"error":false}"#, nil), (#"{"error":""}"#, nil), (#"{"error":{}}"#, nil),
            (#"{"errors":[]}"#, nil), (#"{"errors":{}}"#, nil), (#"{"errors":0}"#, nil),
            (#"{"errors":{"message":"a","code":7}}"#, "it has errors: 7 a"),
            (#"{"errors":{"name":["is needed"]}}"#, "it has errors: object with 1 member: name"),
            (#"{"errors":[{"message":"a"},{"message":"b"}]}"#, "it has errors: a and 1 more"),
            (#"{"success":false,"message":"denied"}"#, "success is false: denied"), (#"{"success":true}"#, nil),
            (#"{"ok":false}"#, "ok is false"),
            (#"{"status":"error","reason":"why"}"#, "status is \"error\": why"), (#"{"status":"open"}"#, nil),
            (#"{"status":"fail","data":{"name":"is needed"}}"#, "status is \"fail\""),
            (#"{"status":"failed"}"#, nil), (#"{"id":1,"status":"failed","started":"x"}"#, nil),
            (#"{"id":1,"status":"error","message":"out of paper"}"#, nil),
            ("[]", nil), ("7", nil),
        ] as [(String, String?)]
    )
    func failures(json: String, words: String?) throws {
        let view = JSONLens().view(LensSample.capture("/x", json: json))
        #expect(view.failure == words.map { "The answer says 200, but \($0)." })
        let refused = LensSample.capture("GET", "/x", code: 404, response: Array(json.utf8))
        #expect(JSONLens().view(refused).failure == nil)
    }

    @Test("A problem of RFC 9457 is shown as one")
    func problem() {
        let json =
            #"{"type":"https://example.com/out","title":"Out of credit","status":403,"detail":"30 needed","balance":20}"#
        let fields = "Content-Type: application/problem+json\r\n"
        let view = JSONLens().view(
            LensSample.capture("GET", "/x", code: 403, fields: fields, response: Array(json.utf8))
        )
        #expect(view.response == "403, problem: Out of credit: 30 needed" && view.failure == nil)
        #expect(view.sections.map(\.title) == ["Problem", "More about it"])
        let hidden = JSONLens().view(
            LensSample.capture("GET", "/x", code: 200, fields: fields, response: Array(json.utf8))
        )
        #expect(hidden.failure != nil)
    }

    @Test("Request and response are said by their shapes, what is no JSON too")
    func view() {
        let view = JSONLens().view(
            LensSample.capture(
                "POST",
                "/x?a=1",
                request: Array(#"{"q":1}"#.utf8),
                response: Array("{\"a\":1}\n{\"a\":2}".utf8)
            )
        )
        #expect(
            view.request == "POST /x, object with 1 member: q"
                && view.sections.map(\.title) == ["Parameters", "Request"]
        )
        #expect(view.response == "200, 2 JSON texts after one another, the first: object with 1 member: a")
        // Of more bytes than there may be values only the beginning is read, and said to be one.
        let lines = Array("[1]\n[2]\n[3]".utf8)
        #expect(JSONLens.several(lines, limit: 11) == "3 JSON texts after one another, the first: list of 1 number")
        #expect(
            JSONLens.several(lines, limit: 8) == "more than 2 JSON texts after one another, the first: list of 1 number"
        )
        let broken = JSONLens().view(LensSample.capture("/x", json: #"{"a":"#))
        #expect(broken.response == "200, a body that ends before it is whole")
        #expect(JSONLens().view(LensSample.capture("GET", "/x", code: nil)).response == nil)
    }

    @Test(
        "A number keeps its digits in the tree and in words",
        arguments: [
            "12345678901234567890", "-9007199254740993", "0.1234567890123456789", "1e400", "-1.5e-400", "7", "1.5",
            "1.10", "1.0", "1e2", "-0", "100000000000000000000",
        ]
    )
    func digits(number: String) throws {
        let view = JSONLens().view(LensSample.capture("/x", json: "{\"n\": \(number), \"s\": \"\(number)\"}"))
        guard case .tree(let nodes)? = view.sections.first?.content else {
            Issue.record("no tree")
            return
        }
        #expect(nodes.map { $0.detail?.text } == [number, number])
        #expect(JSONLens().view(LensSample.capture("/x", json: number)).response == "200, \(number)")
        let list = JSONLens().view(LensSample.capture("/x", json: "[\(number), 1]"))
        #expect(list.response == "200, list of 2 numbers")
    }

    @Test("A deep and wide text gives a tree of bounded size")
    func bounded() throws {
        let wide = "[" + (0..<5000).map { "{\"a\":\($0)}" }.joined(separator: ",") + "]"
        #expect(JSONShape.nodes(try JSONReader.value(Array(wide.utf8))).count == 41)
        let deep = String(repeating: "[", count: 150) + String(repeating: "]", count: 150)
        var depth = 0
        var nodes = JSONShape.nodes(try JSONReader.value(Array(deep.utf8)))
        while let first = nodes.first { (depth, nodes) = (depth + 1, first.children) }
        #expect(depth == 6)
    }

    @Test("Objects of which each has names of its own are gone through once")
    func ownNames() throws {
        let factor = try WorkGrowth.factor(of: 25) { count in
            (JSONValue.array((0..<200).map { at in .object((0..<count).map { ("n\(at)-\($0)", .null) }) }), count)
        } work: { (material: (value: JSONValue, count: Int)) in
            let words = JSONShape.words(material.value)
            #expect(words.hasPrefix("list of 200 objects; some with n0-0, n0-1,"))
            #expect(words.hasSuffix("and \(200 * material.count - 8) more"))
        }
        #expect(factor < WorkGrowth.limit, "\(factor)")
    }
}
