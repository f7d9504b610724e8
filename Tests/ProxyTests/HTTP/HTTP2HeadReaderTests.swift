import NIOCore
import NIOHPACK
import Support
import Testing
import Traffic

@testable import Proxy

@Suite(.timeLimit(.minutes(15)))
struct HTTP2HeadReaderTests {
    private static let get: [(String, String)] = [
        (":method", "GET"), (":scheme", "https"), (":authority", "a.test"), (":path", "/x?y"),
    ]

    private func read(_ fields: [(String, String)], endsStream: Bool = true) throws -> RequestHead {
        try HTTP2HeadReader.request(HPACKHeaders(fields), endsStream: endsStream, limits: HeadLimits())
    }

    private func refusal(_ fields: [(String, String)], endsStream: Bool = true) -> MessageProblem? {
        do throws(MessageProblem) {
            _ = try HTTP2HeadReader.request(HPACKHeaders(fields), endsStream: endsStream, limits: HeadLimits())
            return nil
        } catch { return error }
    }

    @Test("A request reads as text with the authority as host, its fields as they came")
    func request() throws {
        let head = try read(Self.get + [("x-a", " b "), ("cookie", "a=1"), ("cookie", "b=2"), ("x-a", "c")])
        #expect(
            String(buffer: head.raw)
                == "GET /x?y HTTP/2\r\nhost: a.test\r\nx-a:  b \r\ncookie: a=1\r\ncookie: b=2\r\nx-a: c\r\n\r\n"
        )
        #expect(head.targetText == "/x?y" && head.fields.values("x-a") == ["b", "c"] && head.framing == .none)
        #expect(try read(Self.get + [("host", "A.test")]).fields.values("host") == ["a.test"])
        #expect(try read(Self.get, endsStream: false).framing == .chunked)
        #expect(try read(Self.get + [("content-length", "7")], endsStream: false).framing == .length(7))
    }

    @Test(
        "Many combining marks are refused where a field is known by its name or its value, and no time is lost over them"
    )
    func marks() throws {
        func time(_ count: Int) throws -> Double {
            let marks = String(repeating: "\u{301}", count: count) + String(repeating: "\u{316}", count: count)
            return ThreadTime.of {
                for fields in [
                    [(":method", "GET"), (":scheme", marks), (":path", "/")], [(":\(marks)", "")],
                    [(":method", marks), (":scheme", "https"), (":path", "/")],
                    [(":method", "CONNECT"), (":protocol", marks), (":scheme", "https"), (":path", "/")],
                    [(":method", "OPTIONS"), (":scheme", "https"), (":path", marks)],
                ] { #expect(refusal(fields) != nil) }
                #expect(throws: MessageProblem.self) {
                    try HTTP2HeadReader.response([marks: "200"], endsStream: true, to: "GET", limits: HeadLimits())
                }
            }
        }
        _ = try time(10)
        #expect(try time(8_000) < time(1_000) * 40 + 20_000_000)
    }

    @Test(
        "What could be read two ways is refused",
        arguments: [
            [(":method", "GET"), (":scheme", "https"), (":authority", "a.test")],
            [(":method", "GET"), (":authority", "a.test"), (":path", "/")],
            [(":scheme", "https"), (":authority", "a.test"), (":path", "/")],
            get + [(":path", "/y")], get + [("x", "y"), (":path", "/y")], get + [(":status", "200")],
            get + [(":other", "")],
            [(":method", "G T"), (":scheme", "https"), (":path", "/")],
            [(":method", "GET"), (":scheme", "ftp"), (":path", "/")],
            [(":method", "GET"), (":scheme", "https"), (":path", "")],
            [(":method", "GET"), (":scheme", "https"), (":path", "x")],
            [(":method", "GET"), (":scheme", "https"), (":path", "/a b")],
            [(":method", "GET"), (":scheme", "https"), (":path", "/ HTTP/1.1\r\nx: y")],
            [(":method", "GET"), (":scheme", "https"), (":authority", "a@b.test"), (":path", "/")],
            [(":method", "GET\r\nx: y"), (":scheme", "https"), (":path", "/")],
            get + [("host", "b.test")],
            [
                (":method", "GET"), (":scheme", "https"), (":authority", "k.test"), (":path", "/"),
                ("host", "\u{212A}.test"),
            ],
            get + [("X-A", "b")], get + [("", "b")], get + [("x a", "b")],
            get + [("x:", "b")],
            get + [("x", "a\r\nb: c")], get + [("x", "a\nb")], get + [("x", "a\0")], get + [("x", "a\u{7F}")],
            get + [("connection", "close")], get + [("keep-alive", "x")], get + [("proxy-connection", "x")],
            get + [("transfer-encoding", "chunked")], get + [("upgrade", "h2c")], get + [("te", "gzip")],
            get + [("te", "trailer\u{17F}")],
            get + [("content-length", "1")], get + [("content-length", "1, 1")], get + [("content-length", "-1")],
            get + [("content-length", "0"), ("content-length", "0")], get + [("transfer_encoding", "chunked")],
            [(":method", "CONNECT"), (":scheme", "https"), (":authority", "a.test"), (":path", "/")],
            [(":method", "GET"), (":protocol", "websocket"), (":scheme", "https"), (":path", "/")],
        ] as [[(String, String)]]
    )
    func refused(fields: [(String, String)]) {
        #expect(refusal(fields) != nil, "\(fields)")
    }

    @Test("White space round a value is recorded and not sent on; where it could mean something it is refused")
    func whiteSpace() throws {
        for (value, meant) in [(" a", "a"), ("a\t", "a"), ("\t a b \t", "a b"), (" ", ""), ("a b", "a b")] {
            let head = try read(Self.get + [("x", value)])
            #expect(String(buffer: head.raw).contains("\r\nx: \(value)\r\n") && head.fields.values("x") == [meant])
            let route = try RequestRoute(origin: head, scheme: .https, endpoint: Endpoint(host: "a.test", port: 443))
            let (fields, isChanged) = HTTP2Fields.request(head, route: route)
            #expect(fields == HPACKHeaders(Self.get + [("x", meant)]) && isChanged == (value != meant))
            let response = [(":status", "200"), ("x", value)]
            let answer = try HTTP2HeadReader.response(
                HPACKHeaders(response),
                endsStream: true,
                to: "GET",
                limits: HeadLimits()
            )
            #expect(HTTP2Fields.response(answer).fields == HPACKHeaders([(":status", "200"), ("x", meant)]))
            let trailers = try HTTP2HeadReader.trailers(HPACKHeaders([("x", value)]), limits: HeadLimits())
            #expect(HTTP2Fields.trailers(trailers) == HPACKHeaders([("x", meant)]))
        }
        let bare = Self.get.filter { $0.0 != ":authority" }
        for fields in [Self.get + [("te", "trailers ")], bare + [("host", " a.test")]] {
            #expect(refusal(fields) != nil, "\(fields)")
        }
        #expect(refusal(Self.get + [("content-length", "5 ")], endsStream: false) != nil)
    }

    @Test("More than the limit is 431 or 414")
    func tooMuch() {
        #expect(refusal(Self.get + (0..<1_000).map { ("x-\($0)", "") })?.code == 431)
        let path = "/" + String(repeating: "a", count: 70_000)
        #expect(refusal([(":method", "GET"), (":scheme", "https"), (":path", path)])?.code == 414)
    }

    @Test("A response reads as text; where there can be no content, what the fields say of it is left alone")
    func response() throws {
        func read(_ fields: [(String, String)], to method: String = "GET", endsStream: Bool = false) throws
            -> ResponseHead
        {
            try HTTP2HeadReader.response(HPACKHeaders(fields), endsStream: endsStream, to: method, limits: HeadLimits())
        }
        let head = try read([(":status", "200"), ("content-length", "3")])
        #expect(String(buffer: head.raw) == "HTTP/2 200\r\ncontent-length: 3\r\n\r\n" && head.framing == .length(3))
        #expect(try read([(":status", "200"), ("content-length", "3")], to: "HEAD", endsStream: true).framing == .none)
        #expect(try read([(":status", "304"), ("content-length", "3")], endsStream: true).framing == .none)
        #expect(try read([(":status", "103")]).isInterim)
        for fields in [
            [("x", "y")], [(":status", "20")], [(":status", "2000")], [(":status", "101")], [(":status", "099")],
            [(":status", "200"), (":status", "200")], [(":status", "200"), ("connection", "close")],
        ] { #expect(throws: MessageProblem.self) { try read(fields) } }
        #expect(throws: MessageProblem.self) {
            try read([(":status", "200"), ("content-length", "3")], endsStream: true)
        }
    }

    @Test("A request for HTTP/1.1 has one cookie, a framing and a Host")
    func translated() throws {
        let head = try read(Self.get + [("cookie", "a=1"), ("te", "trailers"), ("cookie", "b=2")], endsStream: false)
        let route = try RequestRoute(origin: head, scheme: .https, endpoint: Endpoint(host: "a.test", port: 443))
        #expect(
            String(buffer: HTTP1Translation.request(head, route: route))
                == "GET /x?y HTTP/1.1\r\nhost: a.test\r\ncookie: a=1; b=2\r\ntransfer-encoding: chunked\r\n\r\n"
        )
        let (fields, isChanged) = HTTP2Fields.request(head, route: route)
        #expect(!isChanged && fields == head.received)
    }

    @Test("Trailers of HTTP/1 that go on by HTTP/2 leave what concerns a connection behind")
    func trailersToHTTP2() {
        let text = ByteBuffer(
            string: "Sum: 1\r\nConnection: X-Hop\r\nX-Hop: 1\r\nKeep-Alive: 5\r\nUpgrade: h2c\r\nTE: b\r\n\r\n"
        )
        #expect(HTTP2Fields.trailers(text) == HPACKHeaders([("sum", "1")]))
    }

    @Test("Trailers hold no framing, and nothing of a connection")
    func trailers() throws {
        let text = try HTTP2HeadReader.trailers(HPACKHeaders([("grpc-status", "0")]), limits: HeadLimits())
        #expect(String(buffer: text) == "grpc-status: 0\r\n\r\n")
        for field in [(":path", "/"), ("content-length", "1"), ("host", "a"), ("connection", "close")] {
            #expect(throws: MessageProblem.self) {
                try HTTP2HeadReader.trailers(HPACKHeaders([field]), limits: HeadLimits())
            }
        }
    }
}
