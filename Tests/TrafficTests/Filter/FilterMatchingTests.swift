import Foundation
import NIOCore
import Support
import Testing
import Traffic

@Suite("What a query means on one exchange", .timeLimit(.minutes(15)))
struct FilterMatchingTests {
    /// What is not to be asked.
    private struct Unasked: Error {}

    /// An exchange in memory that counts what is asked of it.
    final class Subject: FilterSubject {
        var exchange: Exchange
        var bodies: [MessageSide: [UInt8]] = [:]
        var stream: [StreamMessage] = []
        private(set) var reads = 0
        /// The lens's word; `nil` where asking for it is a mistake.
        var isFailure: Bool? = false

        init(_ exchange: Exchange) { self.exchange = exchange }

        var summary: ExchangeSummary {
            var summary = exchange.summary
            summary.clientName = "What's Open iOS"
            summary.lens = "whatsopen"
            summary.process = "python3"
            return summary
        }

        func message(_ side: MessageSide) -> Message? { side == .request ? exchange.request : exchange.response }

        func body(_ side: MessageSide, offset: Int64, limitBytes: Int) -> [UInt8] {
            reads += 1
            return Array((bodies[side] ?? []).dropFirst(Int(offset)).prefix(min(limitBytes, 7)))
        }

        func failsInside() throws -> Bool {
            guard let isFailure else { throw Unasked() }
            return isFailure
        }

        func messages(after number: Int64) -> [StreamMessage] { Array(stream.filter { $0.number > number }.prefix(2)) }
    }

    private static func subject() -> Subject {
        let response = Data(
            #"{"Count": 12, "items": [{"id": 7, "name": "Jörg"}, {"id": "x"}], "ok": true, "none": null}"#.utf8
        )
        var exchange = Exchange(
            timeline: Timeline(started: 1_795_183_323_456_000),
            method: "POST",
            scheme: .https,
            host: "api.example.test",
            port: 8443,
            target: "/v2/Facilities/?type=a%20b&format=json",
            request: Message(
                head: ByteBuffer(string: "POST /v2/ HTTP/1.1\r\nHost: api.example.test\r\nX-Mode: Fast\r\n\r\n"),
                body: Body(length: 9, kept: 9, sha256: [])
            ),
            client: Peer(token: 1, address: "127.0.0.1:1", tls: nil),
            outcome: .completed
        )
        exchange.id = 7
        exchange.code = 503
        exchange.version = .http2
        exchange.mediaType = "application/json"
        exchange.timeline.duration = 1_500_000
        exchange.response = Message(
            head: ByteBuffer(
                string: "HTTP/1.1 503 Busy\r\nContent-Type: application/json\r\nServer: nginx/1.2\r\n\r\n"
            ),
            trailers: ByteBuffer(string: "X-Sum: 99\r\n"),
            body: Body(length: Int64(response.count), kept: Int64(response.count), sha256: [])
        )
        let subject = Subject(exchange)
        subject.bodies = [.request: Array("Strasse\u{DF}".utf8), .response: Array(response)]
        subject.stream = ["Hello", "wörld", "bye"].enumerated().map { place, text in
            var message = StreamMessage(
                side: .request,
                time: 1,
                kind: .event,
                wireBytes: 0,
                size: Int64(text.utf8.count),
                payload: ByteBuffer(string: text)
            )
            message.number = Int64(place + 1)
            return message
        }
        return subject
    }

    @Test("A success that its lens calls a failure failed inside; no lens is asked about any other exchange")
    func failedInside() throws {
        let subject = Self.subject()
        subject.exchange.code = 200
        func isSelected(_ text: String) throws -> Bool { try FilterParser.parse(text, now: 0).matches(subject) }
        for isFailure in [true, false] {
            subject.isFailure = isFailure
            #expect(try isSelected("is:failed-inside") == isFailure)
            #expect(try isSelected("-is:failed-inside") == !isFailure)
            #expect(try isSelected("is:truncated,failed-inside") == isFailure)
        }
        subject.isFailure = nil
        #expect(throws: Unasked.self) { try isSelected("is:failed-inside") }
        for (code, outcome) in [
            (404, .completed), (302, .completed), (200, .cancelled), (200, .failed), (200, .pending),
        ]
            as [(Int, Outcome)]
        {
            (subject.exchange.code, subject.exchange.outcome) = (code, outcome)
            #expect(try !isSelected("is:failed-inside"), "\(code) \(outcome)")
        }
    }

    @Test(
        "Each key looks where its name says",
        arguments: [
            ("code:5xx", true), ("code:/^5/", true), ("code:4xx", false), ("-code:4xx", true), ("method:post", true),
            ("type:json", true),
            ("type:image", false), ("type:application/*", true), ("host:example.test", true), ("host:/^API\\./", true),
            ("version:2", true),
            ("port:8443", true), ("port:>=9000", false), ("path:/v2/fac", true), ("path:format", false),
            ("path:*/facilities/", true),
            ("path:/v2", true), ("path:v2*", false), ("url:https://api.example.test:8443/", true),
            ("query:\"type=a b\"", true),
            ("query:type=a%20b", true), ("query:v2", false), ("header:x-mode", true), ("header:X-MODE=fast", true),
            ("header:x-mod", false),
            ("resheader:x-mode", false), ("reqheader:x-*", true), ("header:x-sum=99", true),
            ("header:server=/^nginx\\/1/", true),
            ("header:/^server:\\ NGINX/", true), ("body:jörg", true), ("body:JÖRG", true), ("reqbody:jörg", false),
            ("reqbody:strasseß", true),
            ("body:/\"count\":\\s\\d+/", true), ("body:*jörg*", true), ("body:jörg*", false),
            ("resbody:strasse", false),
            ("json:$.Count", true), ("json:$.Count=12", true), ("json:$.count", false), ("json:$.Count>11.5", true),
            ("json:$.Count<12", false),
            ("json:$.items[1].id=x", true), ("json:$.items[-1].id=X", true), ("json:$..id=7", true),
            ("json:$.items[*].name=j*", true),
            ("json:$.ok=true", true), ("json:$.none=null", true), ("json:$.items[*].name=/RG$/", true),
            ("json:$.missing", false),
            ("message:HELLO", true), ("message:wörld", true), ("message:nothing", false), ("size:>50", true),
            ("reqsize:9", true),
            ("time:>1s", true), ("time:<1s", false), ("client:open", true), ("client:\"what's open ios\"", true),
            ("client:\"What's Open\"", false),
            ("client:what*ios", true), ("client:what", true), ("client:*open", false), ("client:none", false),
            ("client:/s$/", true),
            ("lens:whatsopen", true), ("lens:WhatsOpen,json", true), ("lens:what*", true), ("lens:what", false),
            ("lens:none", false),
            ("process:curl", false), ("process:python", true), ("process:\"python\"", false),
            ("process:\"Python3\"", true), ("process:*3", true), ("-process:none", true), ("process:/^py/", true),
            ("is:replay", false), ("is:truncated", false),
            ("id:7", true), ("id:8..9", false), ("since:2026-11-20T14:00Z", true), ("before:2026-11-20T14:00Z", false),
            ("jörg", true),
            ("\"server: nginx\"", true), ("bye", true), ("https://api.example.test:8443/v2", true), ("nowhere", false),
            ("-nowhere", true),
            ("/j.rg/", true), ("(nowhere or jörg) code:503", true), ("nowhere or code:404", false),
            ("code:503 -(jörg bye)", false),
        ]
    )
    func keys(text: String, isSelected: Bool) throws {
        #expect(try FilterParser.parse(text, now: 0).matches(Self.subject()) == isSelected)
    }

    @Test("Bodies are read only when nothing else decides")
    func lazy() throws {
        for (text, reads) in [
            ("code:404 jörg", false), ("code:503 or jörg", false), ("path:/v2 -(method:get body:x)", false),
            ("body:x", true),
        ] {
            let subject = Self.subject()
            _ = try FilterParser.parse(text, now: 0).matches(subject)
            #expect((subject.reads > 0) == reads, "\(text)")
        }
    }

    @Test("Coded bodies are searched decoded, in their charset, and what is no text is not")
    func decoding() throws {
        let subject = Self.subject()
        func answer(_ type: String, _ body: [UInt8]) throws -> Bool {
            subject.exchange.response?.head = ByteBuffer(string: "HTTP/1.1 200 OK\r\nContent-Type: \(type)\r\n\r\n")
            subject.exchange.response?.body = Body(length: Int64(body.count), kept: Int64(body.count), sha256: [])
            subject.bodies[.response] = body
            return try FilterParser.parse("resbody:größe", now: 0).matches(subject)
        }
        #expect(try answer("text/plain; charset=iso-8859-1", Array("Gr".utf8) + [0xF6, 0xDF] + Array("e".utf8)))
        #expect(
            try answer(
                "text/plain; charset=utf-16le",
                Array("Größe".utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] })
            )
        )
        #expect(try answer("text/plain", Array("Größe".utf8)))
        #expect(try !answer("image/png", Array("Größe".utf8)))
    }

    @Test("Findings show where a text stands and what is round it, also across pieces of a body")
    func findings() throws {
        func lines(_ text: String) throws -> [String] {
            try FilterParser.parse(text, now: 0).findings(in: Self.subject()).map {
                "\($0.place.label): \($0.before)[\($0.match)]\($0.after)"
            }
        }
        let body = try lines("JÖRG")
        #expect(body.count == 1 && body[0].hasPrefix("response body: …") && body[0].contains("\"name\": \"[Jörg]"))
        #expect(try lines("reqheader:x-mode=fast") == ["request header: [X-Mode: Fast]"])
        #expect(try lines("-nowhere code:503 message:/w.rl/") == ["message 2: [wörl]d"])
        #expect(
            try lines("path:facil") == ["url: …ttps://api.example.test:8443/v2/[Facil]ities/?type=a%20b&format=json"]
        )
        #expect(try lines("code:503") == [])
    }

    @Test("No JSON traps the reader, and what is read before the damage counts")
    func damagedJSON() throws {
        let filters = try ["$..a", "$[*][0]", "$"].map { try FilterParser.parse("json:\($0)", now: 0) }
        let subject = Self.subject()
        var dice = SeededGenerator(seed: 5)
        let pieces = [
            "{", "}", "[", "]", "\"", "\\u", "D83D", "\\", ":", ",", "1e9", "-", "true", "nul", " ", "\n", "\"a\":",
        ]
        for _ in 0..<5_000 {
            let bytes = dice.bytes(of: pieces, atMost: 200)
            subject.bodies[.response] = bytes
            subject.exchange.response?.body = Body(length: Int64(bytes.count), kept: Int64(bytes.count), sha256: [])
            for filter in filters { _ = try filter.matches(subject) }
        }
        #expect(JSONReader.values(Array("{\"a\":1}\n{\"a\":2} {broken".utf8)).count == 2)
        #expect(JSONReader.values(Array(String(repeating: "[", count: 100_000).utf8)).isEmpty)
    }

    @Test(
        "A text goes on behind what is none, whatever its type says of charsets; what is no text ends soon",
        arguments: [
            ("text/plain; charset=utf-8", [0xFF], true), ("text/plain", [0xFF, 0xC3], true), ("", [0xFF], true),
            ("text/plain; charset=shift_jis", [0xFF], true), ("application/json", [0xE2, 0x82], true),
            ("multipart/form-data; boundary=x", [UInt8](repeating: 0xFF, count: 5_000), true),
            ("application/octet-stream", [UInt8](repeating: 0xFF, count: 300), true),
            ("application/octet-stream", [UInt8](repeating: 0xFF, count: 5_000), false),
            ("", [UInt8](repeating: 0xFF, count: 5_000), false),
        ] as [(String, [UInt8], Bool)]
    )
    func goesOn(type: String, noise: [UInt8], isFound: Bool) throws {
        let subject = Self.subject()
        let field = type.isEmpty ? "" : "Content-Type: \(type)\r\n"
        let body = Array("a fox ".utf8) + noise + Array(" and a heron".utf8)
        subject.exchange.response?.head = ByteBuffer(string: "HTTP/1.1 200 OK\r\n\(field)\r\n")
        subject.exchange.response?.body = Body(length: Int64(body.count), kept: Int64(body.count), sha256: [])
        subject.bodies[.response] = body
        #expect(try FilterParser.parse("resbody:fox", now: 0).matches(subject))
        #expect(try FilterParser.parse("resbody:heron", now: 0).matches(subject) == isFound)
        #expect(try FilterParser.parse("resbody:/her.n$/", now: 0).matches(subject) == isFound)
    }

    @Test("Text is found however it is written: with escapes in a body or a message, encoded in a query")
    func writtenOtherwise() throws {
        let subject = Self.subject()
        subject.exchange.target = "/find?city=Z%C3%BCrich+West"
        let body = Array(#"{"name":"J\u00f6rg"}"#.utf8)
        subject.exchange.response?.body = Body(length: Int64(body.count), kept: Int64(body.count), sha256: [])
        subject.bodies[.response] = body
        subject.stream[0].payload = ByteBuffer(string: #"{"to":"S\u00e3o"}"#)
        for text in [
            "zürich", "\"zürich west\"", "Z%C3%BCrich", "body:jörg", "jörg", "json:$.name=jörg", "message:são",
        ] {
            #expect(try FilterParser.parse(text, now: 0).matches(subject), "\(text)")
        }
        let findings = try FilterParser.parse("zürich", now: 0).findings(in: subject)
        #expect(findings.map(\.match) == ["Zürich"] && findings.first?.place.label == "url")
        #expect(try !FilterParser.parse("-zürich", now: 0).matches(subject))
    }
}
