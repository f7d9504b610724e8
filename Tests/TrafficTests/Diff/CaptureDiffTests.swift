import NIOCore
import Testing
import Traffic

@Suite("Two exchanges are compared by lines, heads and bodies", .timeLimit(.minutes(15)))
struct CaptureDiffTests {
    /// What differs between two, as `change location left → right`.
    private func differences(
        _ left: SampleExchange,
        _ right: SampleExchange,
        ignoring declared: [String] = [],
        usesStandard: Bool = true,
        scope: DiffScope = .pair
    ) throws -> [String] {
        try found(left, right, ignoring: declared, usesStandard: usesStandard, scope: scope).differences.map {
            let values = [$0.left, $0.right].compactMap { $0 }.joined(separator: " → ")
            return "\($0.change.rawValue) \($0.location) \(values)"
        }
    }

    private func found(
        _ left: SampleExchange,
        _ right: SampleExchange,
        ignoring declared: [String] = [],
        usesStandard: Bool = true,
        scope: DiffScope = .pair
    ) throws -> CaptureDifference {
        func source(_ sample: SampleExchange) -> ArchiveSource {
            { _, side, offset, limit in
                let body = side == .request ? sample.requestBody : sample.responseBody
                return Array(body.dropFirst(Int(offset)).prefix(limit))
            }
        }
        let noise = try DiffNoise(declared: declared, usesStandard: usesStandard)
        // The samples' digests are all the same.
        var (left, right) = (left, right)
        left.exchange.response?.body.sha256 = Array(left.responseBody.suffix(32))
        right.exchange.response?.body.sha256 = Array(right.responseBody.suffix(32))
        return try CaptureDiff(noise: noise, scope: scope)
            .compare(left.exchange, source(left), right.exchange, source(right))
    }

    private func answered(_ fields: String, _ body: String = "") -> SampleExchange {
        SampleExchange(response: "HTTP/1.1 200 OK\n\(fields)\n", responseBody: Array(body.utf8))
    }

    private func asked(_ target: String) -> SampleExchange {
        SampleExchange(head: "GET \(target) HTTP/1.1\nHost: api.example.test\n\n", target: target)
    }

    @Test(
        "An answer that names its own origin is the same at another place, and only there",
        arguments: [
            ("Content-Type: text/plain\nLocation: ORIGIN/b\n", "see ORIGIN/b, and ORIGIN", true),
            ("Content-Type: application/json\n", #"{"next":"ORIGIN/?page=2","all":["ORIGIN"]}"#, true),
            ("Content-Type: application/json\n", #"{"next":"http:\/\/HOST\/?page=2"}"#, true),
            ("Content-Type: text/plain\n", "ORIGIN.example", false), ("Content-Type: text/plain\n", "ORIGIN:1", false),
            ("Content-Type: text/plain\nX-Host: HOST\n", "", false),
        ]
    )
    func ownOrigin(fields: String, body: String, isSame: Bool) throws {
        func sample(_ host: String) -> SampleExchange {
            func named(_ text: String) -> String {
                text.replacing("ORIGIN", with: "http://\(host)").replacing("HOST", with: host)
            }
            return SampleExchange(
                head: "GET /a HTTP/1.1\nHost: \(host)\n\n",
                scheme: .http,
                response: "HTTP/1.1 200 OK\n\(named(fields))\n",
                responseBody: Array(named(body).utf8)
            )
        }
        let (left, right) = (sample("a.test"), sample("127.0.0.1:8081"))
        #expect(try found(left, right, scope: .replay).isEqual == isSame)
        if isSame { #expect(try found(left, right, scope: .replay).ignored["own origin"] ?? 0 > 0) }
        #expect(try !found(left, right, usesStandard: false, scope: .replay).isEqual)
        #expect(try !found(left, right, scope: .pair).isEqual)
    }

    @Test("The very same is equal, whatever its bytes are")
    func equal() throws {
        let binary = SampleExchange(responseBody: (0...255).map { UInt8($0) })
        #expect(try differences(binary, binary) == [])
    }

    @Test(
        "Queries are compared by their items; an order alone is said to be one",
        arguments: [
            (
                "/a?limit=30&offset=60", "/a?offset=60&limit=30",
                ["reordered request line order of the query ?limit=30&offset=60 → ?offset=60&limit=30"]
            ),
            ("/a?x=1", "/a?x=2&y", ["changed request query x 1 → 2", "added request query y "]),
            ("/a?", "/a", ["changed request line spelling of the query ?"]),
            ("/a?q=%20", "/a?q=+", ["changed request line spelling of the query ?q=%20 → ?q=+"]),
            ("/a?x=1&x=2", "/a?x=2&x=1", ["changed request query x 1, 2 → 2, 1"]),
            ("/a?x=1", "/b?x=1", ["changed request line path /a → /b"]),
            // What looks the same is not.
            ("/a?x=\u{E9}", "/a?x=e\u{301}", ["changed request query x \u{E9} → e\u{301}"]),
            ("/a?\u{E9}=1", "/a?e\u{301}=1", ["added request query e\u{301} 1", "removed request query \u{E9} 1"]),
            ("/\u{E9}", "/e\u{301}", ["changed request line path /\u{E9} → /e\u{301}"]),
        ]
    )
    func queries(left: String, right: String, expected: [String]) throws {
        #expect(try differences(asked(left), asked(right)) == expected)
    }

    @Test("A query item that is noise is passed over, and counted")
    func queryNoise() throws {
        let found = try found(asked("/a?ts=1&x=1"), asked("/a?x=1&ts=2"), ignoring: ["query:ts"])
        #expect(found.isEqual && found.ignored == ["query:ts": 1])
    }

    @Test(
        "Fields are compared by name and values; only the order of one field's lines means something",
        arguments: [
            ("A: 1\nB: 2\n", "b: 2\na: 1\n", []),
            (
                "Set-Cookie: a=1\nSet-Cookie: b=2\n", "Set-Cookie: b=2\nSet-Cookie: a=1\n",
                ["reordered response field Set-Cookie a=1 | b=2 → b=2 | a=1"]
            ),
            ("X: 1\n", "X: 1\nX: 2\n", ["changed response field X 1 → 1 | 2"]),
            ("X: 1\n", "", ["removed response field X 1"]), ("", "X: 1\n", ["added response field X 1"]),
            ("Date: today\nServer-Timing: a\n", "Date: tomorrow\n", []),
            ("X: \u{E9}\n", "X: e\u{301}\n", ["changed response field X \u{E9} → e\u{301}"]),
        ]
    )
    func fields(left: String, right: String, expected: [String]) throws {
        #expect(try differences(answered(left), answered(right)) == expected)
    }

    @Test("What everyone knows for noise can be asked for, and any field can be noise")
    func fieldNoise() throws {
        let (one, other) = (
            answered("Date: 1\nContent-Length: 0\nX: 1\n"), answered("Date: 2\nContent-Length: 1\nX: 2\n")
        )
        #expect(try differences(one, other, ignoring: ["header:x"]) == [])
        #expect(try differences(one, other, ignoring: ["header:X"], usesStandard: false).count == 2)
    }

    @Test("Bodies are compared as what they are")
    func bodies() throws {
        let json = "Content-Type: application/json\n"
        #expect(
            try differences(answered(json, #"{"a":1}"#), answered(json, #"{"a": 2}"#)) == [
                "changed response json $.a 1 → 2"
            ]
        )
        #expect(try differences(answered(json, #"{"a":1}"#), answered(json, #"{ "a" : 1 }"#)) == [])
        let text = "Content-Type: text/plain\n"
        #expect(
            try differences(answered(text, "a\nb\nc\n"), answered(text, "a\nc\nd\n")) == [
                "removed response text line 2 b", "added response text line 3 d",
            ]
        )
        #expect(try differences(answered(text, "a\n"), answered(text, "a\r\n")) == ["changed response body line ends "])
        // What looks the same is not.
        #expect(
            try differences(answered(text, "\u{E9}\n"), answered(text, "e\u{301}\n")) == [
                "changed response text line 1 \u{E9} → e\u{301}"
            ]
        )
        #expect(
            try differences(answered(json, "{\"\u{E9}\":1}"), answered(json, "{\"e\u{301}\":1}")).map {
                $0.prefix { $0 != " " }
            } == ["removed", "added"]
        )
        let binary = "Content-Type: image/png\n"
        #expect(
            try differences(answered(binary, "abc"), answered(binary, "abcd")) == [
                "changed response body as a whole 3 bytes of image/png → 4 bytes of image/png"
            ]
        )
        #expect(
            try differences(answered(json, "{}"), answered(text, "no")) == [
                "changed response field Content-Type application/json → text/plain",
                "changed response body as a whole 2 bytes of application/json → 2 bytes of text/plain",
            ]
        )
        func form(_ body: String) -> SampleExchange {
            let head = "POST /a HTTP/1.1\nContent-Type: application/x-www-form-urlencoded\n\n"
            return SampleExchange(head: head, requestBody: Array(body.utf8))
        }
        // A # is a character in a form.
        #expect(
            try differences(form("color=#fff&size=3"), form("color=#000000&size=3")) == [
                "changed request form color #fff → #000000"
            ]
        )
        #expect(
            try differences(form("a=\u{E9}"), form("a=e\u{301}")) == ["changed request form a \u{E9} → e\u{301}"]
        )
    }

    @Test("Bytes of a JSON body that are no text are told apart, and a text that ends in none is not whole")
    func noText() throws {
        func answered(_ body: [UInt8], _ charset: String = "") -> SampleExchange {
            let head = "HTTP/1.1 200 OK\nContent-Type: application/json\(charset)\n\n"
            return SampleExchange(response: head, responseBody: body)
        }
        #expect(
            try differences(answered([0x22, 0xFF, 0x22]), answered([0x22, 0xFE, 0x22])) == [
                #"changed response json $ "\xff" → "\xfe""#
            ]
        )
        #expect(try differences(answered([0x22, 0xFF, 0x22]), answered([0x22, 0xFF, 0x22, 0x20])) == [])
        let text = Array(#"{"a":1}"#.utf8)
        #expect(
            try differences(answered(text + [0x81], "; charset=shift_jis"), answered(text, "; charset=shift_jis")) == [
                "changed response body as a whole 8 bytes of application/json → 7 bytes of application/json"
            ]
        )
    }

    @Test(
        "Where one failed and the other did not, the rest of two sets' answers is passed over, and of a pair's is not"
    )
    func status() throws {
        let good = answered("X: 1\n", "fine")
        let bad = SampleExchange(response: "HTTP/1.1 500 Oops\n\n", responseBody: Array("broken".utf8), code: 500)
        #expect(try differences(good, bad, scope: .replay) == ["changed response status 200 → 500"])
        #expect(try differences(good, bad).count == 3)
        #expect(try found(good, bad, scope: .sets).count == 1)
    }

    @Test("Noise is learnt from two answers, but no status and no element of a list")
    func learning() throws {
        let json = "Content-Type: application/json\n"
        let one = answered(json + "X-Id: 1\n", #"{"at":1,"rows":[{"t":1},{"t":1}],"tags":["a"]}"#)
        let other = answered(json + "X-Id: 2\n", #"{"at":2,"rows":[{"t":1},{"t":2}],"tags":["a","b"]}"#)
        var noise = try DiffNoise()
        noise.learn(from: try found(one, other, scope: .replay))
        #expect(noise.added(to: .standard) == ["header:x-id", "json:$.at", "json:$.rows[*].t"])
        let bad = SampleExchange(response: "HTTP/1.1 500 Oops\n\n", code: 500)
        noise = .standard
        noise.learn(from: try found(one, bad, scope: .pair))
        #expect(noise == .standard)
    }

    @Test(
        "What cannot be ignored is answered with what was expected",
        arguments: ["date", "header:", "json:modified", "json:$", "cookie:a", ""]
    )
    func mistakes(_ text: String) {
        #expect(throws: DiffNoiseError.self) { try DiffNoise(declared: [text]) }
    }

    @Test("A comma divides declarations, and belongs to one where none follows")
    func lists() throws {
        let noise = try DiffNoise(declared: ["header:Date,json:$['a,b'],query:ts"], usesStandard: false)
        let none = try DiffNoise(usesStandard: false)
        #expect(Set(noise.added(to: none)) == ["header:date", "json:$['a,b']", "query:ts"])
    }
}
