import NIOCore
import Testing

@testable import Traffic

/// Edits of bodies as the dry run makes them, by the code that makes them live.
@Suite("How rules change a body", .timeLimit(.minutes(15)))
struct BodyEditTests {
    /// A response, or its request, as rules leave it.
    private struct Outcome {
        var body: [UInt8]?
        var head: String?
        var lines: [String]
        var touch: RuleTrial.Touch?

        var text: String? { body.map { String(decoding: $0, as: UTF8.self) } }
    }

    private static func run(
        _ rules: [Rule],
        _ body: [UInt8],
        fields: [String] = [],
        method: String = "GET",
        code: Int = 200,
        side: MessageSide = .response,
        bodyLimitBytes: Int = RuleGap.limitBytes
    ) throws -> Outcome {
        var exchange = RuledExchange(
            method,
            "api.shop.test",
            "/v2/users?q=1",
            fields: side == .request ? fields + ["Content-Length: \(body.count)"] : [],
            code: code,
            responseFields: side == .response ? fields + ["Content-Length: \(body.count)"] : []
        )
        exchange.bodies[side] = body
        let measure = Body(length: Int64(body.count), kept: Int64(body.count), sha256: [])
        if side == .request { exchange.exchange.request.body = measure }
        if side == .response { exchange.exchange.response?.body = measure }
        let touch = try RuleTrial(RuleList(rules, now: 0), bodyLimitBytes: bodyLimitBytes).touch(exchange)
        let edited = side == .request ? touch?.request : touch?.response
        return Outcome(
            body: touch?.bodies[side]?.after,
            head: edited.map { String(buffer: $0.head) },
            lines: (touch?.uses ?? []).map { "\($0.rule) [\($0.what)]" + ($0.note.map { " \($0)" } ?? "") },
            touch: touch
        )
    }

    private static func edited(_ edit: String, _ body: String, _ type: String = "text/plain") throws -> Outcome {
        try run(try RuleTree.body(edit), Array(body.utf8), fields: ["Content-Type: \(type)"])
    }

    @Test("An item of a form that stands many times is set once, and the others go")
    func repeatedItems() throws {
        let form = String(repeating: "a=1&", count: 40_000) + String(repeating: "b&", count: 40_000) + "c"
        let outcome = try Self.edited(
            #"{"form": {"set": {"a": "2"}}}"#,
            form,
            "application/x-www-form-urlencoded"
        )
        #expect(outcome.text == "a=2&" + String(repeating: "b&", count: 40_000) + "c")
    }

    @Test("A replacement that repeats what was found without end is given up")
    func growth() throws {
        let with = String(repeating: "${1}", count: 10_000)
        let body = String(repeating: "a", count: 100_000)
        let outcome = try Self.edited("{\"replace\": {\"regex\": \"(a{1,200})\", \"with\": \"\(with)\"}}", body)
        #expect(outcome.text == nil && outcome.lines.first?.contains("the body would grow by over 8 MiB") == true)
    }

    private static let document =
        #"{"total": 3 ,"items":[{"id":72057594038268329,"role":"admin","w":0.0},{"role":"admin","id":2,"w":1e400}], "ssn":"1"}"#

    @Test("Members of JSON are set and removed, and every other byte stays, in a body coded as gzip")
    func guests() throws {
        let rules = try RuleTree.rules(
            #"""
            [{"name": "guests", "when": "path:/v2/users type:json",
              "response": {"body": {"json": {"set": {"$.items[*].role": "guest"}, "remove": ["$.ssn"]}}}}]
            """#
        )
        let coded = try Coded.zlib("gzip", Array(Self.document.utf8))
        let outcome = try Self.run(
            rules,
            coded,
            fields: ["Content-Type: application/json", "Content-Encoding: gzip", "ETag: \"1\""]
        )
        let body = try #require(outcome.body)
        let wanted = Self.document.replacing("admin", with: "guest").replacing(#", "ssn":"1""#, with: "")
        #expect(
            ContentCoding.decode(body, names: ["gzip"], limitBytes: 1 << 20)
                == DecodedBody(bytes: Array(wanted.utf8), problem: nil)
        )
        #expect(outcome.lines == ["guests [$.items[*].role ×2, $.ssn removed] ETag kept"])
        #expect(outcome.head?.contains("Content-Length: \(body.count)\r\n") == true)
        #expect(outcome.head?.contains("Content-Encoding: gzip\r\n") == true)
        let places = outcome.touch?.bodies[.response]?.differences.map(\.location)
        #expect(
            places == [
                "response json $.items[0].role (id 72057594038268329)", "response json $.items[1].role (id 2)",
                "response json $.ssn",
            ]
        )
    }

    @Test("Texts and matches of a regular expression are replaced, and fields of the same rule")
    func page() throws {
        let rules = try RuleTree.rules(
            #"""
            [{"name": "page", "when": "type:html", "response": {
              "fields": {"remove": ["Content-Security-Policy"]},
              "body": {"replace": [{"find": "<title>", "with": "<title>TEST "}, {"regex": "/v(\\d+)\\.js", "with": "/v${1}.dev.js"}]}}}]
            """#
        )
        let outcome = try Self.run(
            rules,
            Array("<html><title>Shop</title><script src=/v12.js></script></html>".utf8),
            fields: ["Content-Type: text/html", "Content-Security-Policy: none"]
        )
        #expect(outcome.text == "<html><title>TEST Shop</title><script src=/v12.dev.js></script></html>")
        #expect(outcome.lines == [#"page [Content-Security-Policy removed, <title>, /v(\d+)\.js]"#])
        #expect(outcome.head?.contains("Content-Length: 70\r\n") == true)
        #expect(outcome.head?.contains("Security") == false)
    }

    @Test(
        "Each edit of a text does what it says",
        arguments: [
            (#"{"text": "new"}"#, "old", "new"), (#"{"file": "a.txt"}"#, "old", "from a file"),
            (#"{"prepend": "a", "append": "z"}"#, "m", "amz"), (#"{"prepend": "a"}"#, "\u{FEFF}m", "\u{FEFF}am"),
            (#"{"replace": {"find": "a", "with": "bb"}}"#, "abca", "bbbcbb"),
            (#"{"replace": {"find": "a", "with": "bb", "first": true}}"#, "abca", "bbbca"),
            (#"{"replace": {"regex": "a.c", "with": "-", "first": true}}"#, "abc axc", "- axc"),
            (#"{"replace": {"regex": "(?i)ABC", "with": "-"}}"#, "abc", "-"),
            (
                #"{"replace": {"regex": "(\\w+)@(\\w+)", "with": "${2} at ${1}$${1}"}}"#, "<ann@shop>",
                "<shop at ann${1}>"
            ),
            (#"{"replace": [{"find": "a", "with": "b"}, {"find": "b", "with": "c"}]}"#, "ab", "cc"),
            (#"{"replace": {"find": "x", "with": "${query.q} ${path.2}"}}"#, "x", "1 users"),
            (#"{"text": "a", "append": "b"}"#, "old", "ab"), (#"{"text": ""}"#, "old", ""),
            (#"{"replace": {"regex": ".*", "with": "x"}}"#, "whole", "x"),
        ]
    )
    func texts(edit: String, before: String, after: String) throws {
        #expect(try Self.edited(edit, before).text == after)
    }

    @Test("What finds nothing leaves the message as it came, and the record says so")
    func nothing() throws {
        for edit in [
            #"{"replace": {"regex": "nowhere", "with": ""}}"#, #"{"json": {"remove": ["$.none"]}}"#,
            #"{"text": "{}"}"#,
        ] {
            let outcome = try Self.edited(edit, "{}", "application/json")
            #expect(outcome.body == nil && outcome.head == nil && outcome.lines == ["edit []"])
        }
    }

    @Test("Values are escaped in JSON, and so are characters that a charset lacks")
    func escaped() throws {
        let rules = try RuleTree.rules(
            #"[{"name": "edit", "response": {"body": {"replace": {"find": "X", "with": "${query.q}"}}}}]"#
        )
        var exchange = RuledExchange(
            "GET",
            "a.test",
            "/?q=%22%0A",
            code: 200,
            responseFields: ["Content-Type: application/json"],
            responseBody: #"{"a":"X"}"#
        )
        func after() throws -> String? {
            try RuleTrial(RuleList(rules, now: 0)).touch(exchange)?.bodies[.response].map {
                String(decoding: $0.after, as: UTF8.self)
            }
        }
        #expect(try after() == #"{"a":"\"\n"}"#)
        exchange.exchange.response?.head = ByteBuffer(
            string: "HTTP/1.1 200 Fine\r\nContent-Type: text/plain\r\nContent-Length: 9\r\n\r\n"
        )
        #expect(try after() == "{\"a\":\"\"\n\"}")
        let set = try Self.edited(#"{"json": {"set": {"$.a": "é😀"}}}"#, "{\"a\":1}", "application/json; charset=latin1")
        #expect(set.text == #"{"a":"\u00e9\ud83d\ude00"}"#)
    }

    @Test(
        "A message that has no body to edit keeps it, and the record says why",
        arguments: [
            ("GET", 204, "Content-Type: text/plain", "an answer with status 204 has no body"),
            ("GET", 304, "ETag: x", "an answer with status 304 has no body"),
            ("GET", 206, "Content-Range: bytes 0-1/9", "an answer with status 206 is a part of a body"),
            ("HEAD", 200, "Content-Type: text/plain", "the answer to HEAD has no body"),
            ("GET", 101, "Upgrade: websocket", "the messages of a WebSocket are no body"),
            ("GET", 200, "Content-Encoding: dcb", "the content coding 'dcb' is unknown"),
            ("GET", 200, "Content-Encoding: gzip, gzip, gzip, gzip, gzip", "the body has 5 content codings"),
        ]
    )
    func skipped(method: String, code: Int, field: String, why: String) throws {
        let rules = try RuleTree.body(#"{"append": "x"}"#)
        let outcome = try Self.run(rules, Array("ab".utf8), fields: [field], method: method, code: code)
        #expect(outcome.lines == ["edit [] skipped: \(why)"])
        #expect(outcome.body == nil && outcome.head == nil)
        #expect(outcome.touch?.uses.isModified == false)
    }

    @Test(
        "An edit that cannot be made leaves the body as it came, and the record says why",
        arguments: [
            (#"{"json": {"set": {"$.a": 1}}}"#, "<html>", "text/html", "the body is no JSON at its byte 0 (<html>)"),
            (#"{"json": {"set": {"$.a": 1}}}"#, "{\"a\":", "text/json", "the body ends before its JSON is whole"),
            (#"{"form": {"set": {"a": "1"}}}"#, "a=2", "text/plain", "the body is no form"),
            (#"{"append": "é→"}"#, "a", "text/plain; charset=latin1", "'é→' cannot be written in windows-1252"),
            (
                #"{"append": "é"}"#, "a", "text/plain; charset=x-own",
                "the charset of the body is unknown, so that 'é' cannot be written in it"
            ),
            (#"{"replace": {"regex": "a", "with": "b"}}"#, "a", "image/png", "the body is no text that can be read"),
            (
                #"{"json": {"patch": [{"op": "test", "path": "/a", "value": 2}]}}"#, "{\"a\":1}", "text/json",
                "the test of /a fails"
            ),
        ]
    )
    func failing(edit: String, body: String, type: String, why: String) throws {
        let outcome = try Self.edited(edit, body, type)
        #expect(outcome.lines == ["edit [] skipped: \(why)"])
        #expect(outcome.body == nil)
    }

    @Test("A rule that fails on a body leaves that of the others edited, in the order of the list")
    func several() throws {
        let rules = try RuleTree.rules(
            #"""
            [{"name": "one", "response": {"body": {"replace": {"regex": "a", "with": "b"}}}},
             {"name": "two", "response": {"fields": {"set": {"X-A": "1"}}, "body": {"json": {"remove": ["$.a"]}}}},
             {"name": "three", "response": {"body": {"replace": {"find": "b", "with": "c"}}}}]
            """#
        )
        let outcome = try Self.run(rules, Array("no json, a b".utf8), fields: ["Content-Type: text/plain"])
        #expect(outcome.text == "no json, c c")
        #expect(
            outcome.lines == [
                "one [a]", "two [X-A added] body skipped: the body is no JSON at its byte 0 (no json, b b)",
                "three [b ×2]",
            ]
        )
    }

    @Test("A body over the limit passes as it came, whether it is long on the wire or when it is decoded")
    func long() throws {
        let rules = try RuleTree.body(#"{"replace": {"regex": "x", "with": "y"}}"#)
        let plain = try Self.run(
            rules,
            [UInt8](repeating: 0x78, count: 8 << 20 | 1),
            fields: ["Content-Type: text/plain"]
        )
        let coded = try Self.run(
            rules,
            try Coded.gzipZeros(megabytes: 9),
            fields: ["Content-Type: text/plain", "Content-Encoding: gzip"]
        )
        for outcome in [plain, coded] {
            #expect(outcome.body == nil && outcome.lines == ["edit [] skipped: body over 8 MiB"])
        }
    }

    @Test("A name of many combining characters makes no long record, in a form and in a query")
    func longNames() throws {
        let name = "a" + String(repeating: "%CC%81", count: 140_000)
        let outcome = try Self.edited(
            #"{"form": {"remove": ["a*"]}}"#,
            "x=1&\(name)=1",
            "application/x-www-form-urlencoded"
        )
        #expect(outcome.text == "x=1" && outcome.lines.allSatisfy { $0.utf8.count < 2_000 })
        let change = EditChange("query a\(String(repeating: "\u{301}", count: 140_000))", from: "1", to: nil)
        #expect([change].text.utf8.count < 2_000 && [change].text.hasSuffix(" removed"))
    }

    @Test("A dry run keeps as much of a body for rules as the proxy does")
    func shorter() throws {
        for action in [
            #""when": "body:xx", "response": {"fields": {"set": {"X-A": "1"}}}"#,
            #""response": {"body": {"replace": {"regex": "x", "with": "y"}}}"#,
        ] {
            let outcome = try Self.run(
                try RuleTree.rules("[{\"name\": \"edit\", \(action)}]"),
                [UInt8](repeating: 0x78, count: 1 << 20 | 1),
                fields: ["Content-Type: text/plain"],
                bodyLimitBytes: 1 << 20
            )
            #expect(outcome.head == nil && outcome.lines == ["edit [] skipped: body over 1 MiB"])
        }
    }

    @Test("Items of a form are removed, set and added, and the others keep their bytes")
    func form() throws {
        let rules = try RuleTree.rules(
            #"[{"name": "form", "request": {"body": {"form": {"set": {"a b": "1&2", "new": "é"}, "add": {"x": "3"}, "remove": ["utm_*"]}}}}]"#
        )
        let outcome = try Self.run(
            rules,
            Array("q=%20z&utm_a=1&a+b=0&x=1&a%20b=9&%ff=+".utf8),
            fields: ["Content-Type: application/x-www-form-urlencoded"],
            method: "POST",
            side: .request
        )
        #expect(outcome.text == "q=%20z&a+b=1%262&x=1&%ff=+&new=%C3%A9&x=3")
        #expect(outcome.lines == ["form [form utm_a removed, form a b, form new added, form x added]"])
        #expect(outcome.touch?.mayDiffer == true)
    }

    @Test("A request without a body keeps none")
    func bodiless() throws {
        let rules = try RuleTree.rules(#"[{"name": "edit", "request": {"body": {"append": "x"}}}]"#)
        let touch = try RuleTrial(RuleList(rules, now: 0)).touch(RuledExchange())
        #expect(touch?.uses.first?.note == "skipped: the request has no body")
        #expect(touch?.request == nil && touch?.mayDiffer == false)
    }

    @Test("The answer of a rule is edited by the rules for responses")
    func answer() throws {
        let rules = try RuleTree.rules(
            #"""
            [{"name": "stub", "respond": {"text": "one two"}},
             {"name": "edit", "response": {"body": {"replace": {"find": "two", "with": "three"}}}}]
            """#
        )
        let touch = try RuleTrial(RuleList(rules, now: 0)).touch(RuledExchange())
        #expect(touch?.bodies[.response].map { String(decoding: $0.after, as: UTF8.self) } == "one three")
    }
}
