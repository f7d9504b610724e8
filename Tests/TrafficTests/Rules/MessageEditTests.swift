import Foundation
import NIOCore
import Testing

@testable import Traffic

@Suite("How rules change a head", .timeLimit(.minutes(15)))
struct MessageEditTests {
    private static let head =
        "GET /a?x=1&utm_a=2&q=%20z HTTP/1.1\r\nhOst:  a.test\r\nX-One: 1\r\nAccept: */*\r\nx-one:2 \r\nX-Trace-A: t\r\nContent-Length: 0\r\n\r\n"

    private static func edited(
        _ head: String = head,
        of target: String = "/a?x=1%2F%25",
        _ change: (inout MessageEdit) throws -> Void
    ) throws -> (head: String, changes: String) {
        var edit = MessageEdit()
        try change(&edit)
        var scope = try TemplateScope(
            RuledExchange("GET", "a.test", target),
            now: 0,
            needsBody: false,
            generator: RuleDice(seed: 1)
        )
        var lines = HeadLines(head: ByteBuffer(string: head))
        let changes = try edit.apply(to: &lines, &scope)
        return (String(buffer: lines.joined), changes.text)
    }

    private static func field(_ name: String, _ value: String) throws -> FieldEdit.Field {
        FieldEdit.Field(name: name, value: try Template(value))
    }

    @Test("Lines that no edit touches keep their bytes, their order and their case")
    func untouched() throws {
        #expect(try Self.edited { _ in }.head == Self.head)
        let (head, changes) = try Self.edited { $0.fields.set = [try Self.field("ACCEPT", "text/html")] }
        #expect(head == Self.head.replacing("Accept: */*", with: "Accept: text/html"))
        #expect(changes == "ACCEPT")
    }

    @Test("A field that is set takes the place of the first of its name, and the others go")
    func set() throws {
        let (head, changes) = try Self.edited { $0.fields.set = [try Self.field("x-ONE", "3")] }
        #expect(head == Self.head.replacing("X-One: 1", with: "X-One: 3").replacing("x-one:2 \r\n", with: ""))
        #expect(changes == "x-ONE")
    }

    @Test("Several values that are set under one name stand together in the place of the first, and nothing else moves")
    func setSeveral() throws {
        let (head, changes) = try Self.edited { edit in
            edit.fields.set = [
                try Self.field("X-One", "3"), try Self.field("Accept", "a"), try Self.field("x-one", "4"),
                try Self.field("X-New", "5"), try Self.field("x-new", "6"),
            ]
        }
        let fields = [
            "hOst:  a.test", "X-One: 3", "X-One: 4", "Accept: a", "X-Trace-A: t", "Content-Length: 0", "X-New: 5",
            "X-New: 6",
        ]
        #expect(Array(head.components(separatedBy: "\r\n").dropFirst()) == fields + ["", ""])
        #expect(changes == "X-One, Accept, X-New added")
    }

    @Test("Fewer values, or more, take the place of the first, and a line that says it already keeps its bytes")
    func setOther() throws {
        let fewer = try Self.edited { $0.fields.set = [try Self.field("X-One", "1")] }
        #expect(fewer.head == Self.head.replacing("x-one:2 \r\n", with: "") && fewer.changes == "X-One")
        let more = try Self.edited { edit in
            edit.fields.set = try ["1", "2", "3"].map { try Self.field("X-One", $0) }
        }
        #expect(
            more.head
                == Self.head.replacing("x-one:2 \r\n", with: "")
                .replacing("X-One: 1\r\n", with: "X-One: 1\r\nx-one:2 \r\nX-One: 3\r\n")
        )
        #expect(more.changes == "X-One")
    }

    @Test("The request that opens a WebSocket over HTTP/2 keeps its method")
    func connect() throws {
        #expect(throws: RuleFault("a CONNECT request keeps its method: it opens a WebSocket")) {
            try Self.edited("CONNECT /chat HTTP/2\r\nHost: a.test\r\n\r\n") { $0.method = "POST" }
        }
    }

    @Test("An item is removed, whatever signs stand on the marks before it", arguments: ["?", "&", "="])
    func combined(mark: String) throws {
        let target = "/a?b=1&token=x".replacing(mark, with: "\(mark)\u{301}", maxReplacements: 1)
        let item = mark == "&" ? "\u{301}token" : "token"
        let (head, changes) = try Self.edited("GET \(target) HTTP/1.1\r\nHost: a.test\r\n\r\n") { edit in
            edit.query.remove = [NameGlob("*token", ignoresCase: false)]
        }
        #expect(!head.contains("=x") && changes == "query \(item) removed", "\(head)")
    }

    @Test("A target that came with its authority keeps its path, whatever signs stand on the slash before it")
    func combinedPath() throws {
        let head = "GET http://a.test/\u{301}a/b#\u{301}c HTTP/1.1\r\nHost: a.test\r\n\r\n"
        let edited = try Self.edited(head) { edit in
            edit.query.add = [QueryEdit.Item(name: "x", value: try Template("1"))]
        }
        #expect(edited.head.hasPrefix("GET /\u{301}a/b?x=1 HTTP/1.1\r\n"), "\(edited.head)")
    }

    @Test("A field that says it already is no change")
    func same() throws {
        let (head, changes) = try Self.edited { $0.fields.set = [try Self.field("accept", "*/*")] }
        #expect(head == Self.head && changes.isEmpty)
        let several = try Self.edited { edit in
            edit.fields.set = [try Self.field("x-one", "1"), try Self.field("X-One", "2")]
        }
        #expect(several.head == Self.head && several.changes.isEmpty)
    }

    @Test("Patterns take fields away, but none that says where the request goes or ends")
    func remove() throws {
        let (head, changes) = try Self.edited { $0.fields.remove = [NameGlob("*", ignoresCase: true)] }
        #expect(head == "GET /a?x=1&utm_a=2&q=%20z HTTP/1.1\r\nhOst:  a.test\r\nContent-Length: 0\r\n\r\n")
        #expect(changes == "X-One removed, Accept removed, x-one removed, X-Trace-A removed")
        let traces = try Self.edited { $0.fields.remove = [NameGlob("x-trace-*", ignoresCase: true)] }
        #expect(traces.head == Self.head.replacing("X-Trace-A: t\r\n", with: ""))
    }

    @Test("A field is added at the end, and a text in one is replaced")
    func add() throws {
        let (head, changes) = try Self.edited { edit in
            edit.fields.add = [try Self.field("X-One", "${method} ${path}")]
            edit.fields.replace = [
                FieldEdit.Replacement(
                    name: NameGlob("x-trace-*", ignoresCase: true),
                    text: TextReplacement(pattern: .text("t"), with: try Template("u"))
                )
            ]
        }
        #expect(
            head == Self.head.replacing("X-Trace-A: t", with: "X-Trace-A: u").dropLast() + "X-One: GET /a\r\n\r\n"
        )
        #expect(changes == "X-Trace-A, X-One added")
    }

    @Test("What a regular expression matches in a field is replaced, with its groups")
    func regex() throws {
        let (head, changes) = try Self.edited { edit in
            edit.fields.replace = [
                FieldEdit.Replacement(
                    name: NameGlob("Accept", ignoresCase: true),
                    text: TextReplacement(
                        pattern: .regex(try ReplacedPattern("(.)/(.)")),
                        with: try Template("${2}${path}${1}", groups: 2)
                    )
                )
            ]
        }
        #expect(head == Self.head.replacing("Accept: */*", with: "Accept: */a*") && changes == "Accept")
    }

    @Test(
        "A head says the length of an edited body in the place of the first field that said it",
        arguments: [
            (
                "HTTP/1.1 200 OK\r\nA: 1\r\nContent-Length: 9\r\nB: 2\r\n", "A: 1\r\nContent-Length: 5\r\nB: 2\r\n",
                "A: 1\r\nTransfer-Encoding: chunked\r\nB: 2\r\n"
            ),
            (
                "HTTP/1.1 200 OK\r\ntransfer-encoding:  chunked\r\nB: 2\r\n", "Content-Length: 5\r\nB: 2\r\n",
                "transfer-encoding:  chunked\r\nB: 2\r\n"
            ),
            (
                "HTTP/1.1 200 OK\r\ncontent-length:5\r\ncontent-length: 5\r\n", "content-length:5\r\n",
                "Transfer-Encoding: chunked\r\n"
            ),
            ("HTTP/1.0 200 OK\r\nContent-Length: 9\r\nB: 2\r\n", "Content-Length: 5\r\nB: 2\r\n", "B: 2\r\n"),
            ("HTTP/2 200\r\ncontent-length: 9\r\n", "Content-Length: 5\r\n", ""),
            (
                "POST / HTTP/1.1\r\nHost: a\r\n", "Host: a\r\nContent-Length: 5\r\n",
                "Host: a\r\nTransfer-Encoding: chunked\r\n"
            ),
        ]
    )
    func framing(head: String, exact: String, open: String) {
        let message = EditedMessage(head: ByteBuffer(string: head + "\r\n"))
        let start = head.prefix { $0 != "\r\n" } + "\r\n"
        #expect(String(buffer: message.head(withLength: 5)) == start + exact + "\r\n")
        #expect(String(buffer: message.headChunked()) == start + open + "\r\n")
    }

    @Test("Items of a query that no edit touches keep their bytes")
    func query() throws {
        let (head, changes) = try Self.edited { edit in
            edit.query.remove = [NameGlob("utm_*", ignoresCase: false)]
            edit.query.set = [
                QueryEdit.Item(name: "beta", value: try Template("1 +&%é")),
                QueryEdit.Item(name: "x", value: try Template("2")),
            ]
        }
        #expect(head.hasPrefix("GET /a?x=2&q=%20z&beta=1%20%2B%26%25%C3%A9 HTTP/1.1\r\nhOst:"))
        #expect(changes == "query utm_a removed, query beta added, query x")
        let none = try Self.edited { $0.query.remove = [NameGlob("*", ignoresCase: false)] }
        #expect(none.head.hasPrefix("GET /a HTTP/1.1\r\n"))
    }

    @Test("Method, path and target are changed in the first line, which comes in origin-form")
    func line() throws {
        let (head, changes) = try Self.edited("GET http://a.test/a?x=1 HTTP/1.1\r\nHost: a.test\r\n\r\n") { edit in
            edit.method = "POST"
            edit.path = try Template("/v2${path}/${query.x}")
        }
        #expect(head == "POST /v2/a/1%2F%25?x=1 HTTP/1.1\r\nHost: a.test\r\n\r\n")
        #expect(changes == "method, path")
    }

    @Test("A value in the query of a target ends neither its item nor its name, and keeps its plus signs")
    func targetQuery() throws {
        let (head, _) = try Self.edited(of: "/a?x=1%26b%3D2%2B%23") { edit in
            edit.target = try Template("/o/${query.x}?q=${query.x}&p=${path}")
        }
        #expect(head.hasPrefix("GET /o/1&b=2+%23?q=1%26b%3D2%2B%23&p=/a HTTP/1.1\r\n"), "\(head)")
    }

    @Test("No value becomes a segment that leads elsewhere", arguments: ["..", ".", "a/../b"])
    func dots(value: String) throws {
        let target = "/s/../t?x=\(value)"
        let head = "GET \(target) HTTP/1.1\r\nHost: a.test\r\n\r\n"
        let isWhole = value.contains("/")
        for template in ["/out/${query.x}/x", "/out/${query.x}"] where !isWhole {
            #expect(throws: RuleFault.self) { try Self.edited(head, of: target) { $0.path = try Template(template) } }
            #expect(throws: RuleFault.self) { try Self.edited(head, of: target) { $0.target = try Template(template) } }
        }
        let kept = try Self.edited(head, of: target) {
            $0.target = try Template("/a/../b${path}/x${query.x}?${query.x}")
        }
        #expect(kept.head.hasPrefix("GET /a/../b/s/../t/x"), "\(kept.head)")
    }

    @Test("A status comes with its registered words, and HTTP/2 has none")
    func status() throws {
        let response = "HTTP/1.1 200 Fine\r\nA: b\r\n\r\n"
        #expect(
            try Self.edited(response) { $0.status = 503 }.head == "HTTP/1.1 503 Service Unavailable\r\nA: b\r\n\r\n"
        )
        #expect(try Self.edited(response) { $0.status = 200 }.head == response)
        #expect(try Self.edited("HTTP/2 200\r\na: b\r\n\r\n") { $0.status = 503 }.head == "HTTP/2 503\r\na: b\r\n\r\n")
    }

    @Test("What would be no head any more is refused")
    func refusals() throws {
        #expect(throws: RuleFault.self) { try Self.edited("HEAD / HTTP/1.1\r\n\r\n") { $0.method = "GET" } }
        #expect(throws: RuleFault.self) { try Self.edited("HTTP/1.1 304 -\r\n\r\n") { $0.status = 200 } }
        #expect(throws: RuleFault.self) { try Self.edited("rubbish\r\n\r\n") { $0.method = "GET" } }
        #expect(throws: RuleFault.self) {
            try Self.edited { $0.fields.set = [FieldEdit.Field(name: "A", value: Template(plain: "a\nb"))] }
        }
    }

    @Test("Trailers are edited where there are some, and come into being where there are none")
    func trailers() throws {
        var edit = FieldEdit()
        edit.set = [try Self.field("grpc-status", "14")]
        var scope = try TemplateScope(RuledExchange(), now: 0, needsBody: false, generator: RuleDice(seed: 1))
        var lines = HeadLines(trailers: ByteBuffer(string: "grpc-message: a\r\ngrpc-status: 0\r\n"))
        _ = try edit.apply(to: &lines, &scope)
        #expect(String(buffer: lines.joined) == "grpc-message: a\r\ngrpc-status: 14\r\n")
        var none = HeadLines(trailers: nil)
        _ = try edit.apply(to: &none, &scope)
        #expect(String(buffer: none.joined) == "grpc-status: 14\r\n")
    }

    @Test("The words for no value are no text; in quotes they are")
    func nothing() throws {
        func problems(_ value: String) throws -> [String] {
            var reader = RuleReader(path: "rules.yaml", directory: "/rules") { _, _ throws(RuleFault) in
                throw RuleFault("there is no such file")
            }
            let rules =
                "[{\"name\": \"a\", \"response\": {\"fields\": {\"set\": {\"X-N\": \(value)}}, \"body\": {\"text\": \(value)}}}]"
            _ = reader.list(RuleTree(json: try JSONReader.value(Array(rules.utf8))))
            return reader.problems.map(\.sentence)
        }
        let sentence = "'null' is no text; put the word into quotes, or write '' for an empty text"
        #expect(try problems("null").filter { $0 == sentence }.count == 2)
        #expect(try problems("\"null\"").isEmpty && problems("\"\"").isEmpty)
    }
}
