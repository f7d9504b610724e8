import NIOCore
import NIOHPACK
import Support
import Testing
import Traffic

@testable import Proxy

@Suite(.timeLimit(.minutes(15)))
struct HopByHopTests {
    private func request(_ text: String) throws -> RequestHead {
        try HTTP1HeadParser.request(ByteBuffer(string: text), limits: HeadLimits())
    }

    private func response(_ text: String) throws -> ResponseHead {
        try HTTP1HeadParser.response(ByteBuffer(string: text), to: "GET", limits: HeadLimits())
    }

    @Test("A request in which nothing has to change is the same bytes")
    func sameBytes() throws {
        let head = try request(
            "GET /a?? HTTP/1.1\r\nhost:  a \t\r\nX:  1\r\nx: \t2 \r\nTrailer: Sum\r\nProxying: x\r\n\r\n"
        )
        #expect(HopByHop.request(head, target: nil, host: nil) == head.raw)
    }

    @Test(
        "Fields of one connection stop, and every other byte passes",
        arguments: [
            ("Connection: keep-alive", ""), ("CONNECTION:close", ""), ("Proxy-Connection: keep-alive", ""),
            ("Connection: close\r\nClose: now", ""), ("Keep-Alive: timeout=5", ""),
            ("Proxy-Authorization: Basic eDp5", ""), ("Proxy-authenticate: Basic", ""),
            ("Proxy-Authentication-Info: x", ""), ("Upgrade: h2c", ""), ("TE: trailers", ""), ("Proxy-Features: x", ""),
            ("Proxy-Anything: x", ""),
            ("Connection: X-One, x-TWO\r\nX-One: 1\r\nx-two: 2\r\nX-Three: 3", "X-Three: 3\r\n"),
            ("X-One: 1\r\nConnection: x-one\r\nConnection: close , X-Four\r\nX-four: 4", ""),
            ("Connection: Content-Length, Host, Transfer-Encoding, Trailer\r\nTrailer: a", "Trailer: a\r\n"),
            ("Connection: X-To\u{212A}en\r\nX-Token: 1", "X-Token: 1\r\n"),
            ("Connection: ,,\t,", ""), ("Connections: x", "Connections: x\r\n"), ("ProxyX: a", "ProxyX: a\r\n"),
        ]
    )
    func drops(lines: String, kept: String) throws {
        let head = try request("POST / HTTP/1.1\r\nHost: a\r\n\(lines)\r\nContent-Length: 0\r\nX-Last:  z \r\n\r\n")
        let sent = HopByHop.request(head, target: nil, host: nil)
        #expect(String(buffer: sent) == "POST / HTTP/1.1\r\nHost: a\r\n\(kept)Content-Length: 0\r\nX-Last:  z \r\n\r\n")
    }

    @Test("Many combining marks take a time that grows with their number alone, and pass as they are")
    func marks() throws {
        func marks(_ count: Int) -> String {
            String(repeating: "\u{301}", count: count) + String(repeating: "\u{316}", count: count)
        }
        func time(_ count: Int) throws -> Double {
            let lines = ["Connection", "Proxy-Connection", "Upgrade", "TE", "Keep-Alive"].map {
                "\($0): \(marks(count))\r\n"
            }
            var limits = HeadLimits()
            limits.headBytes = 1 << 20
            let head = ByteBuffer(
                string: "GET / HTTP/1.1\r\nHost: a\r\n\(lines.joined())X-Last: \(marks(count))\r\n\r\n"
            )
            var sent = ByteBuffer()
            let time = try ThreadTime.of {
                let request = try HTTP1HeadParser.request(head, limits: limits)
                sent = HopByHop.request(request, target: nil, host: nil)
                _ = HopByHop.persists(request.fields, version: request.version)
            }
            #expect(sent == ByteBuffer(string: "GET / HTTP/1.1\r\nHost: a\r\nX-Last: \(marks(count))\r\n\r\n"))
            return time
        }
        _ = try time(10)
        #expect(try time(8_000) < time(1_000) * 40 + 20_000_000)
        // An encoder compares a value with those that it knows of the name.
        func encodingTime(_ count: Int) throws -> Double {
            let lines = ["x-a: 0", "x-a: 1", "accept-encoding: \(marks(count))", "x-a: \(marks(count))", "x-a: 2"]
            let fields = HTTP2Fields.trailers(ByteBuffer(string: lines.map { "\($0)\r\n" }.joined() + "\r\n"))
            #expect(fields.count == 5)
            var encoder = HPACKEncoder(allocator: ByteBufferAllocator())
            return try ThreadTime.of {
                try encoder.beginEncoding(allocator: ByteBufferAllocator())
                try encoder.append(headers: fields)
                _ = try encoder.endEncoding()
            }
        }
        _ = try encodingTime(10)
        #expect(try encodingTime(8_000) < encodingTime(1_000) * 40 + 20_000_000)
        let trailers = HTTP2Fields.trailers(ByteBuffer(string: "X-M: \(marks(100))\r\n\r\n"))
        #expect(trailers.first { $0.name == "x-m" }?.value.utf8.elementsEqual(marks(100).utf8) == true)
    }

    @Test("The target and the Host are put in place, and nothing round them changes")
    func replaces() throws {
        let head = try request("GET http://b/x HTTP/1.1\r\nA: 1\r\nhOsT:\ta\r\nB: 2\r\n\r\n")
        let target = ByteBuffer(string: "/x")
        #expect(
            String(buffer: HopByHop.request(head, target: target, host: nil))
                == "GET /x HTTP/1.1\r\nA: 1\r\nhOsT:\ta\r\nB: 2\r\n\r\n"
        )
        #expect(
            String(buffer: HopByHop.request(head, target: target, host: "b"))
                == "GET /x HTTP/1.1\r\nA: 1\r\nhOsT: b\r\nB: 2\r\n\r\n"
        )
        let bare = try request("GET http://b/x HTTP/1.0\r\nA: 1\r\n\r\n")
        #expect(
            String(buffer: HopByHop.request(bare, target: target, host: "b"))
                == "GET /x HTTP/1.0\r\nHost: b\r\nA: 1\r\n\r\n"
        )
    }

    @Test("A response keeps its bytes but for the fields of the upstream's connection")
    func responses() throws {
        let plain = try response(
            "HTTP/1.1 200 All Right\r\nset-cookie: a\r\nSet-Cookie: b\r\nContent-Length: 0\r\n\r\n"
        )
        #expect(HopByHop.response(plain, keepsFraming: true, closes: false) == plain.raw)
        let head = try response(
            "HTTP/1.1 200 OK\r\nConnection: close, X-Hop\r\nKeep-Alive: a\r\nX-Hop: 1\r\nProxy-Authenticate: Basic\r\nTE: x\r\nTransfer-Encoding: chunked\r\n\r\n"
        )
        #expect(
            String(buffer: HopByHop.response(head, keepsFraming: true, closes: false))
                == "HTTP/1.1 200 OK\r\nTE: x\r\nTransfer-Encoding: chunked\r\n\r\n"
        )
        #expect(
            String(buffer: HopByHop.response(head, keepsFraming: false, closes: true))
                == "HTTP/1.1 200 OK\r\nTE: x\r\nConnection: close\r\n\r\n"
        )
    }

    @Test("An interim response tells of no content")
    func interim() throws {
        let head = try response("HTTP/1.1 103 Early Hints\r\nContent-Length: 9\r\nLink: a\r\nKeep-Alive: b\r\n\r\n")
        #expect(
            String(buffer: HopByHop.response(head, keepsFraming: true, closes: false))
                == "HTTP/1.1 103 Early Hints\r\nLink: a\r\n\r\n"
        )
        #expect(String(buffer: HTTP2Fields.text(HTTP2Fields.response(head).fields)) == "HTTP/2 103\r\nlink: a\r\n\r\n")
    }

    @Test(
        "Trailer fields of one connection stop, also those that the head names, and every other byte passes",
        arguments: [
            ("", "A:  1 \r\nb: 2\r\n", "A:  1 \r\nb: 2\r\n"), ("Connection: B", "A: 1\r\nb: 2\r\n", "A: 1\r\n"),
            ("Connection: x, A", "A: 1\r\nb:\t2\r\n", "b:\t2\r\n"), ("Connection: A", "a: 1\r\nA: 2\r\n", nil),
            ("", "Connection: C\r\nA: 1\r\nC: 2\r\n", "A: 1\r\n"), ("", "Keep-Alive: 5\r\n", nil),
            ("", "Proxy-Authorization: Basic eDp5\r\nA: 1\r\nUpgrade: x\r\n", "A: 1\r\n"),
        ] as [(String, String, String?)]
    )
    func trailers(line: String, section: String, kept: String?) {
        let head = HeaderList(trailers: ByteBuffer(string: "\(line)\r\n"))
        let sent = HopByHop.trailers(ByteBuffer(string: "\(section)\r\n"), of: head, isRequest: true)
        #expect(sent.map { String(buffer: $0) } == kept.map { "\($0)\r\n" })
    }

    @Test(
        "A connection persists by its version and its Connection fields",
        arguments: [
            ("", HTTPVersion.http11, true), ("", .http10, false), ("Connection: keep-alive\r\n", .http10, true),
            ("Connection: Close\r\n", .http11, false), ("Connection: x, close\r\n", .http11, false),
            ("Connection: keep-alive\r\nConnection: close\r\n", .http11, false),
            ("Proxy-Connection: close\r\n", .http11, false),
            ("Connection: closed\r\n", .http11, true),
        ]
    )
    func persists(lines: String, version: HTTPVersion, expected: Bool) {
        #expect(HopByHop.persists(HeaderList(trailers: ByteBuffer(string: lines)), version: version) == expected)
    }
}
