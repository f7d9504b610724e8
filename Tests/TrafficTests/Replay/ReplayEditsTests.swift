import Foundation
import NIOCore
import Testing
import Traffic

@Suite("A recorded request is edited line by line, and nothing else of it changes", .timeLimit(.minutes(15)))
struct ReplayEditsTests {
    private static let head =
        "POST /a?query&type=-1&q=+(),x HTTP/1.1\r\nhOST: api.example.test\r\nX-Dup: 1\r\nx-dup:  2\r\nContent-Length: 2\r\n\r\n"

    private func original(_ head: String = ReplayEditsTests.head, body: String = "hi", scheme: Scheme = .https)
        -> Exchange
    {
        let target = head.split(separator: " ")[1]
        var exchange = SampleExchange(
            head: head.replacingOccurrences(of: "\r\n", with: "\n"),
            target: String(target),
            scheme: scheme
        ).exchange
        exchange.request.head = ByteBuffer(string: head)
        exchange.request.body = Body(length: Int64(body.utf8.count), kept: Int64(body.utf8.count), sha256: [])
        return exchange
    }

    private func edited(_ exchange: Exchange, body: String = "hi", _ change: (inout ReplayEdits) -> Void) throws
        -> ReplayRequest
    {
        var edits = ReplayEdits()
        change(&edits)
        return try ReplayRequest(original: exchange, body: Array(body.utf8), edits: edits)
    }

    private func text(_ request: ReplayRequest) -> String { String(buffer: request.original.request.head) }

    @Test("Without edits it is the recorded one, byte for byte")
    func untouched() throws {
        var exchange = original()
        exchange.request.sentHead = ByteBuffer(string: "POST /sent HTTP/1.1\r\nHost: api.example.test\r\n\r\n")
        let request = try edited(exchange) { _ in }
        #expect(request.original.request == exchange.request && request.body == Array("hi".utf8))
    }

    @Test("A request that a rule changed is the client's again, without what the client told its proxy")
    func ruled() throws {
        let head =
            "POST http://api.example.test/a?x=1 HTTP/1.1\r\nhOST: api.example.test\r\nProxy-Authorization: Basic eA==\r\nConnection: close, X-Hop\r\nX-Hop: 1\r\nContent-Length: 2\r\n\r\n"
        var exchange = original(head)
        exchange.request.sentHead = ByteBuffer(
            string:
                "PUT /b HTTP/1.1\r\nHost: staging.test\r\nAuthorization: Bearer of-the-rule\r\nContent-Length: 9\r\n\r\n"
        )
        exchange.upstream = exchange.client
        #expect(try edited(exchange) { _ in }.original.request.sentHead == exchange.request.sentHead)
        exchange.rules = [RuleUse(rule: "a", phase: .requestHead, action: "delay", what: "1 s")]
        #expect(try edited(exchange) { _ in }.original.request.sentHead == exchange.request.sentHead)
        for action in ["send", "request"] {
            exchange.rules = [RuleUse(rule: "a", phase: .requestHead, action: action, what: "host")]
            let request = try edited(exchange) { $0.query = ["y=2"] }
            #expect(
                text(request)
                    == "POST /a?x=1&y=2 HTTP/1.1\r\nhOST: api.example.test\r\nContent-Length: 2\r\n\r\n"
            )
            let same = try edited(exchange) { _ in }
            #expect(text(same) == text(request).replacing("&y=2", with: "") && same.original.request.sentHead == nil)
        }
    }

    @Test("Behind a reverse listener the Host of a ruled request is the upstream's, as it would be without the rule")
    func reversed() throws {
        var exchange = original("GET /sec HTTP/1.1\r\nhOST: 127.0.0.1:23930\r\nX-A: 1\r\n\r\n")
        exchange.warnings = ["\(Exchange.replacedHost)was replaced by the reverse upstream's, api.example.test."]
        exchange.rules = [RuleUse(rule: "a", phase: .requestHead, action: "request", what: "X-Key added")]
        exchange.request.sentHead = ByteBuffer(string: "GET /sec HTTP/1.1\r\nHost: x\r\nX-Key: 1\r\n\r\n")
        let host = Endpoint(host: exchange.host, port: exchange.port).authority(of: .https)
        #expect(text(try edited(exchange) { _ in }) == "GET /sec HTTP/1.1\r\nhOST: \(host)\r\nX-A: 1\r\n\r\n")
    }

    @Test("Another place changes the Host that named the old one, and the target by its path alone")
    func to() throws {
        let request = try edited(original()) { $0.to = "http://127.0.0.1:8081/v2/" }
        #expect(
            text(request)
                == "POST /v2/a?query&type=-1&q=+(),x HTTP/1.1\r\nhOST: 127.0.0.1:8081\r\nX-Dup: 1\r\nx-dup:  2\r\nContent-Length: 2\r\n\r\n"
        )
        #expect(
            request.original.scheme == .http && request.original.host == "127.0.0.1" && request.original.port == 8081
        )
        let named = original(Self.head.replacingOccurrences(of: "hOST: api.example.test", with: "Host: front.test"))
        #expect(try text(edited(named) { $0.to = "https://b.test" }).contains("\r\nHost: front.test\r\n"))
        #expect(try text(edited(original()) { $0.to = "https://b.test" }).contains("\r\nhOST: b.test\r\n"))
        #expect(try text(edited(original()) { $0.to = "https://[::1]:444" }).contains("\r\nhOST: [::1]:444\r\n"))
    }

    @Test("A target in absolute-form, as a client sends it to a proxy, goes out in origin-form")
    func absolute() throws {
        let head = "GET http://api.example.test/x?y HTTP/1.1\r\nHost: api.example.test\r\n\r\n"
        let request = try edited(original(head, body: "", scheme: .http), body: "") { _ in }
        #expect(text(request) == "GET /x?y HTTP/1.1\r\nHost: api.example.test\r\n\r\n")
    }

    @Test(
        "Query items take the place of those of their names",
        arguments: [
            (["type=3"], "/a?query&type=3&q=+(),x"), (["open_now"], "/a?query&type=-1&q=+(),x&open_now"),
            (["query=a b&c"], "/a?query=a%20b%26c&type=-1&q=+(),x"), (["q=Café"], "/a?query&type=-1&q=Caf%C3%A9"),
        ]
    )
    func query(items: [String], expected: String) throws {
        #expect(try text(edited(original()) { $0.query = items }).hasPrefix("POST \(expected) HTTP/1.1\r\n"))
    }

    @Test("Fields are set in the place of theirs, added at the end, and left out")
    func fields() throws {
        let request = try edited(original()) {
            $0.headers = [.init(name: "X-DUP", value: "3"), .init(name: "New", value: "n")]
            $0.removeHeaders = ["HOST"]
            $0.method = "PUT"
        }
        #expect(
            text(request) == "PUT /a?query&type=-1&q=+(),x HTTP/1.1\r\nX-DUP: 3\r\nContent-Length: 2\r\nNew: n\r\n\r\n"
        )
    }

    @Test("A new body has its length said, in chunks where the head says so")
    func bodies() throws {
        let request = try edited(original()) { $0.body = Array("longer".utf8) }
        #expect(text(request).contains("Content-Length: 6\r\n") && request.body == Array("longer".utf8))
        #expect(request.notes.count == 1)
        let chunked = original("POST /a HTTP/1.1\r\nHost: a.test\r\nTransfer-Encoding: chunked\r\n\r\n")
        let sent = try edited(chunked) { $0.body = Array("longer".utf8) }
        #expect(!text(sent).contains("Content-Length") && sent.original.request.body.length == 6)
        let coded = original("POST /a HTTP/1.1\r\nHost: a\r\nContent-Encoding: gzip\r\nContent-Length: 2\r\n\r\n")
        #expect(try !text(edited(coded) { $0.body = [1] }).contains("gzip"))
        let get = original("GET /a HTTP/1.1\r\nHost: a\r\n\r\n", body: "")
        #expect(try text(edited(get, body: "") { $0.body = [1] }).hasSuffix("Content-Length: 1\r\n\r\n"))
    }

    @Test("What would not be read as it is meant is refused, and says why")
    func refusals() throws {
        let cases: [((inout ReplayEdits) -> Void, String)] = [
            ({ $0.headers = [.init(name: "X", value: "a\r\nEvil: 1")] }, "line end"),
            ({ $0.headers = [.init(name: "X Y", value: "a")] }, "no name"),
            ({ $0.headers = [.init(name: "content-length", value: "9")] }, "the body has 2 bytes"),
            ({ $0.headers = [.init(name: "Transfer-Encoding", value: "gzip")] }, "chunked"),
            ({ $0.method = "GE T" }, "no method"), ({ $0.to = "ftp://x" }, "no base URL"),
            ({ $0.to = "http://u:p@x" }, "no user"), ({ $0.to = "x.test" }, "no base URL"),
            ({ $0.head = Array("GET /a b HTTP/1.1\n\n".utf8) }, "request line"),
            ({ $0.removeHeaders = [""] }, "no name"),
        ]
        for (change, words) in cases {
            let error = #expect(throws: ReplayError.self) { try edited(original(), change) }
            #expect(error?.description.contains(words) == true, "\(error?.description ?? "nothing")")
        }
    }

    @Test("A whole head as a person edited it, with bare line feeds, goes out with the lengths mended")
    func heads() throws {
        let request = try edited(original()) {
            $0.head = Array("PUT /b HTTP/1.1\nHost: api.example.test\nContent-Length: 2\n\n".utf8)
            $0.body = Array("three".utf8)
        }
        #expect(text(request) == "PUT /b HTTP/1.1\r\nHost: api.example.test\r\nContent-Length: 5\r\n\r\n")
        #expect(request.original.method == "PUT" && request.original.target == "/b")
    }

    private static let secret =
        "GET /a?api_key=1&x=2 HTTP/1.1\r\nHost: api.example.test\r\nAuthorization: Basic eA==\r\nCookie: a=1\r\nX-Api-Key: k\r\nReferer: https://x.test/?token=abcdef\r\nX-Apple-CloudKit-Request-KeyID: 7\r\nAccept: */*\r\n\r\n"

    @Test("Credentials of the capture stay with their own scheme, host and port; what an edit brings is sent")
    func credentials() throws {
        let exchange = original(Self.secret, body: "")
        let request = try edited(exchange, body: "") {
            $0.to = "https://b.test"
            $0.headers = [.init(name: "X-Api-Key", value: "mine")]
        }
        #expect(text(request) == "GET /a?x=2 HTTP/1.1\r\nHost: b.test\r\nX-Api-Key: mine\r\nAccept: */*\r\n\r\n")
        #expect(
            request.heldBack == [
                "field Authorization", "field Cookie", "field Referer", "field X-Apple-CloudKit-Request-KeyID",
                "query item api_key",
            ]
        )
        for to in ["http://api.example.test", "https://api.example.test:444"] {
            #expect(try edited(exchange, body: "") { $0.to = to }.heldBack.count == 6, "\(to)")
        }
        let own = try edited(exchange, body: "") { $0.to = "https://API.example.test:443" }
        #expect(own.heldBack.isEmpty && text(own).contains("Cookie: a=1") && text(own).contains("api_key=1"))
        let sent = try edited(exchange, body: "") {
            $0.to = "https://b.test"
            $0.sendCredentials = true
        }
        #expect(sent.heldBack.isEmpty && text(sent).contains("Authorization: Basic eA=="))
    }

    @Test("A credential of a query is held back, whatever signs stand on the marks before it", arguments: ["?", "="])
    func combined(mark: String) throws {
        let query = "?b=1&api_key=1".replacing(mark, with: "\(mark)\u{301}", maxReplacements: 1)
        let exchange = original("GET /a\(query) HTTP/1.1\r\nHost: api.example.test\r\n\r\n", body: "")
        let request = try edited(exchange, body: "") { $0.to = "https://b.test" }
        #expect(request.heldBack.count == 1 && !text(request).contains("api_key=1\r"), "\(text(request))")
    }

    @Test("An item whose value begins with a combining mark takes the place of that of its name")
    func marked() throws {
        let exchange = original("GET /a?api_key=recorded HTTP/1.1\r\nHost: api.example.test\r\n\r\n", body: "")
        let request = try edited(exchange, body: "") {
            $0.to = "https://b.test"
            $0.query = ["api_key=\u{301}x"]
        }
        #expect(
            !text(request).contains("recorded") && text(request).contains("GET /a?api_key=%CC%81x "),
            "\(text(request))"
        )
    }

    @Test("A credential that stands in the line after its name is held back with it")
    func folded() throws {
        let head = "GET /a HTTP/1.1\r\nHost: api.example.test\r\nAuthorization: Basic\r\n\teA==\r\nAccept: */*\r\n\r\n"
        let exchange = original(head, body: "")
        let request = try edited(exchange, body: "") { $0.to = "https://b.test" }
        #expect(text(request) == "GET /a HTTP/1.1\r\nHost: b.test\r\nAccept: */*\r\n\r\n")
        #expect(text(try edited(exchange, body: "") { $0.method = "GET" }) == head)
    }

    @Test(
        "A recorded credential is held back however the line is written again, and whatever part of a name says it",
        arguments: [
            "Authorization:Basic eA==", "authorization:   Basic eA==  ", "Cookie:a=1", "x-api-key:k",
            "Referer:https://x.test/?token=abcdef",
        ]
    )
    func rejoined(line: String) throws {
        let request = try edited(original(Self.secret, body: ""), body: "") {
            $0.to = "https://b.test"
            $0.head = Array("GET /a?%61pi_key=1&x=2 HTTP/1.1\nHost: b.test\n\(line)\nAccept: */*\n\n".utf8)
        }
        #expect(text(request) == "GET /a?x=2 HTTP/1.1\r\nHost: b.test\r\nAccept: */*\r\n\r\n")
        #expect(request.heldBack.count == 2, "\(request.heldBack)")
    }

    @Test("A Host or a target that names another place is another origin, though the connection goes to the same")
    func renamed() throws {
        let exchange = original(Self.secret, body: "")
        let changes: [(inout ReplayEdits) -> Void] = [
            { $0.headers = [.init(name: "Host", value: "b.test")] },
            { $0.headers = [.init(name: "HOST", value: "api.example.test:444")] },
            { $0.head = Array(Self.secret.replacing("Host: api", with: "Host: app").utf8) },
            { $0.head = Array(Self.secret.replacing("GET /a", with: "GET https://b.test/a").utf8) },
            { $0.head = Array(Self.secret.replacing("Host: api", with: "Host: b.test\r\nHost: api").utf8) },
        ]
        for change in changes {
            let request = try edited(exchange, body: "", change)
            #expect(
                request.heldBack.contains("field Authorization") && !text(request).contains("eA=="),
                "\(text(request))"
            )
        }
        let same: [(inout ReplayEdits) -> Void] = [
            { $0.headers = [.init(name: "Host", value: "API.example.test:443")] }, { $0.removeHeaders = ["host"] },
            { $0.head = Array(Self.secret.replacing("GET /a", with: "GET https://api.example.test/a").utf8) },
        ]
        for change in same {
            let request = try edited(exchange, body: "", change)
            #expect(request.heldBack.isEmpty && text(request).contains("eA=="), "\(request.heldBack)")
        }
    }

    @Test("A path with a credential is not sent elsewhere, unless that is said or it is another path")
    func credentialsInPaths() throws {
        for path in [
            "/in;jsessionid=0123456789abcdef/x", "/s/eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abc",
            "/x%3Ftoken%3Dabcdef1234",
        ] {
            let exchange = original("GET \(path)?a=1 HTTP/1.1\r\nHost: api.example.test\r\n\r\n", body: "")
            let error = #expect(throws: ReplayError.self, "\(path)") {
                try edited(exchange, body: "") { $0.to = "https://b.test/base" }
            }
            #expect(error?.description.contains("of its path") == true && error?.description.contains("abc") == false)
            #expect(error?.wayOut == .path)
            #expect(throws: Never.self) { try edited(exchange, body: "") { $0.method = "PUT" } }
            #expect(throws: Never.self) {
                try edited(exchange, body: "") {
                    $0.to = "https://b.test"
                    $0.head = Array("GET /other HTTP/1.1\nHost: b.test\n\n".utf8)
                }
            }
        }
    }

    @Test("A body that cannot be searched goes elsewhere with a word about it")
    func unsearched() throws {
        let head =
            "POST /in HTTP/1.1\r\nHost: api.example.test\r\nContent-Type: application/zip\r\nContent-Length: 4\r\n\r\n"
        let body = "PK\u{3}\u{4}"
        let request = try edited(original(head, body: body), body: body) { $0.to = "https://b.test" }
        #expect(request.notes.contains { $0.contains("could not be searched") }, "\(request.notes)")
        #expect(try edited(original(head, body: body), body: body) { $0.method = "PUT" }.notes.isEmpty)
    }

    @Test(
        "A body with a credential is not sent elsewhere, unless that is said or it is another body",
        arguments: [
            ("/in", "application/json", #"{"password":"hunter2"}"#),
            ("/in", "text/csv", "name,password\nann,hunter2\n"),
            ("/in/users.csv?a=1", "text/plain", "name,password\nann,hunter2\n"),
        ]
    )
    func credentialsInBodies(target: String, type: String, body: String) throws {
        let head =
            "POST \(target) HTTP/1.1\r\nHost: api.example.test\r\nContent-Type: \(type)\r\nContent-Length: \(body.utf8.count)\r\n\r\n"
        let exchange = original(head, body: body)
        let error = #expect(throws: ReplayError.self) { try edited(exchange, body: body) { $0.to = "https://b.test" } }
        #expect(error?.description.contains("password") == true && error?.description.contains("hunter2") == false)
        #expect(error?.wayOut == .body)
        #expect(throws: Never.self) { try edited(exchange, body: body) { $0.method = "PUT" } }
        #expect(throws: Never.self) {
            try edited(exchange, body: body) {
                $0.to = "https://b.test"
                $0.sendCredentials = true
            }
        }
    }

    @Test("A body that begins like UTF-16 is searched as the bytes that it is too")
    func credentialsInGuesses() throws {
        let body: [UInt8] = [0xFE, 0xFF] + Array(#"{"a":"b","password":"hunter2"}"#.utf8)
        let head = "POST /in HTTP/1.1\r\nHost: api.example.test\r\nContent-Length: \(body.count)\r\n\r\n"
        var exchange = original(head, body: "")
        exchange.request.body = Body(length: Int64(body.count), kept: Int64(body.count), sha256: [])
        var edits = ReplayEdits()
        edits.to = "https://b.test"
        let error = #expect(throws: ReplayError.self) {
            try ReplayRequest(original: exchange, body: body, edits: edits)
        }
        #expect(error?.description.contains("credential of its body") == true)
    }

    @Test("Edits go through JSON and come back; a name that is none is refused")
    func codable() throws {
        var edits = ReplayEdits()
        edits.to = "http://a.test"
        edits.headers = [.init(name: "A", value: "1")]
        edits.body = [0, 255]
        edits.head = Array("GET / HTTP/1.1\n\n".utf8)
        edits.query = ["x"]
        edits.sendCredentials = true
        let coded = try JSONEncoder().encode(edits)
        #expect(try JSONDecoder().decode(ReplayEdits.self, from: coded) == edits)
        #expect(try JSONDecoder().decode(ReplayEdits.self, from: Data("{}".utf8)).isEmpty)
        let text = try JSONDecoder().decode(ReplayEdits.self, from: Data(#"{"body":"hé"}"#.utf8))
        #expect(text.body == Array("hé".utf8))
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode(ReplayEdits.self, from: Data(#"{"headres":[]}"#.utf8))
        }
    }
}
