import NIOCore
import Support
import Testing
import Traffic

/// What a client is told, and what is kept, of bytes that are no acceptable request.
@Suite(.timeLimit(.minutes(15)))
struct MalformedRequestTests {
    private static let heads: [(String, Int)] =
        (RequestCase.refused + RequestCase.ambiguous).map {
            (String(decoding: $0.bytes, as: UTF8.self), $0.expected.first?.contains("501") == true ? 501 : 400)
        }
        + [
            ("GET http://a.test/ HTTP/1.1\r\n\r\n", 400),
            ("GET http://a.test/ HTTP/1.1\r\nHost: a.test\r\nHost: a.test\r\n\r\n", 400),
            ("GET http://a.test/ HTTP/1.1\r\nHost: a/b\r\n\r\n", 400), ("GET a.test HTTP/1.1\r\nHost: a\r\n\r\n", 400),
            ("GET ftp://a.test/ HTTP/1.1\r\nHost: a.test\r\n\r\n", 501),
            ("GET http://u@a.test/ HTTP/1.1\r\nHost: a.test\r\n\r\n", 400),
            ("GET http://a.test/ HTTP/2.0\r\nHost: a.test\r\n\r\n", 505),
            ("CONNECT a.test:443 HTTP/1.1\r\nContent-Length: 1\r\n\r\nx", 400),
            ("GET http://a.test/\(String(repeating: "a", count: 70_000)) HTTP/1.1\r\nHost: a.test\r\n\r\n", 414),
            (
                "GET http://a.test/ HTTP/1.1\r\nHost: a.test\r\nX: \(String(repeating: "a", count: 270_000))\r\n\r\n",
                431
            ),
            ("GET http://a.test/ HTTP/1.1\r\nHost: a.test\r\n\(String(repeating: "X: y\r\n", count: 1_001))\r\n", 431),
        ]

    @Test("Each is answered with its code, closed, and recorded with the bytes that came")
    func refused() async throws {
        try await RunningProxy.run { proxy in
            for (number, (text, code)) in Self.heads.enumerated() {
                let client = try await proxy.connect()
                try await client.send(text)
                let response = try await client.response()
                let what = text.prefix(80).debugDescription
                #expect(response.code == code, "\(what)")
                #expect(
                    response.head.contains("\r\nConnection: close\r\n")
                        && response.head.contains("error=http_request_error"),
                    "\(what)"
                )
                #expect(try await client.readToEnd() == [] && client.soFar.error == nil, "\(what)")
                let record = try #require(try await proxy.sink.ended(number + 1).last)
                #expect(record.failure.hasPrefix("client request ") && record.exchange.code == nil, "\(what)")
                #expect(
                    Array(text.utf8).starts(with: record.exchange.request.head.readableBytesView)
                        && record.exchange.request.head.readableBytes > 3,
                    "\(what)"
                )
                #expect(record.exchange.ownResponse == ByteBuffer(string: response.head + response.text), "\(what)")
            }
        }
    }

    @Test(
        "A request whose body turns out to be malformed is refused after its head, and its upstream is not left waiting"
    )
    func badBody() async throws {
        let origin = try await LoopbackOrigin.start { _ in nil }
        try await RunningProxy.run { proxy in
            let client = try await proxy.connect()
            try await client.send(
                "POST http://127.0.0.1:\(origin.port)/ HTTP/1.1\r\nHost: 127.0.0.1:\(origin.port)\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n"
            )
            _ = try await origin.connections("the first chunk") {
                $0.first?.receivedText.hasSuffix("hello\r\n") == true
            }
            try await client.send("zz\r\n")
            #expect(try await client.response().code == 400)
            let record = try await proxy.record()
            #expect(record.failure == "client request bad-chunk" && record.requestBody == Array("hello".utf8))
            _ = try await origin.connections("the break") { $0.allSatisfy { $0.isClosed } }
            #expect(origin.connections.allSatisfy { !$0.receivedText.hasSuffix("0\r\n\r\n") })
        }
    }

    @Test("A head that does not end in time is answered with 408")
    func slowHead() async throws {
        let origin = try await LoopbackOrigin.fine()
        try await RunningProxy.run(clock: TestClock()) { proxy in
            let client = try await proxy.connect()
            let whole = "GET http://127.0.0.1:\(origin.port)/ HTTP/1.1\r\nHost: 127.0.0.1:\(origin.port)\r\n\r\n"
            // It comes behind a request, so that it has been read when that is answered.
            try await client.send(whole + "GET http://a.test/ HTTP/1.1\r\nHo")
            #expect(try await client.response().code == 200)
            try await proxy.expire(.seconds(15), client)
            #expect(try await client.response().code == 408)
            #expect(try await proxy.sink.ended(2).map(\.failure) == ["none", "client request timeout"])
        }
    }

    @Test("A head that comes in two pieces after a long silence has its own time")
    func pausedHead() async throws {
        let origin = try await LoopbackOrigin.fine()
        try await RunningProxy.run(clock: TestClock()) { proxy in
            let client = try await proxy.connect()
            let whole = "GET http://127.0.0.1:\(origin.port)/ HTTP/1.1\r\nHost: 127.0.0.1:\(origin.port)\r\n\r\n"
            try await client.send(whole)
            #expect(try await client.response().code == 200)
            for _ in 1...2 {
                try await proxy.pass(.seconds(60))
                try await client.send(String(whole.prefix(20)))
                try await proxy.pass(.seconds(14))
                try await client.send(String(whole.dropFirst(20)))
                #expect(try await client.response().code == 200)
            }
            #expect(try await proxy.sink.ended(3).allSatisfy { $0.failure == "none" })
        }
    }

    @Test("Nothing goes upstream of a request whose first chunk is seen to be malformed when its head is")
    func badFirstChunk() async throws {
        let origin = try await LoopbackOrigin.fine()
        try await RunningProxy.run { proxy in
            let client = try await proxy.connect()
            let line = "http://127.0.0.1:\(origin.port)/ HTTP/1.1\r\nHost: 127.0.0.1:\(origin.port)\r\n"
            // With a connection that is there, the head could go at once.
            try await client.send("GET \(line)\r\n")
            #expect(try await client.response().code == 200)
            try await client.send("POST \(line)Transfer-Encoding: chunked\r\n\r\nzz\r\n")
            #expect(try await client.response().code == 400)
            let record = try #require(try await proxy.sink.ended(2).last)
            #expect(record.failure == "client request bad-chunk")
            #expect(origin.connections.allSatisfy { !$0.receivedText.contains("POST") })
        }
    }

    @Test("A head that breaks off is answered with 400, and kept")
    func brokenHead() async throws {
        try await RunningProxy.run { proxy in
            let client = try await proxy.connect()
            try await client.send("GET http://a.test/ HT")
            try await client.halfClose()
            #expect(try await client.response().code == 400)
            let record = try await proxy.record()
            #expect(record.failure == "client request unfinished" && record.head == "GET http://a.test/ HT")
        }
    }

    @Test("Whoever asks the proxy's own port for a page is told what it is")
    func originForm() async throws {
        try await RunningProxy.run { proxy in
            let client = try await proxy.connect()
            try await client.send("GET /favicon.ico HTTP/1.1\r\nHost: 127.0.0.1:\(proxy.port)\r\n\r\n")
            let response = try await client.response()
            #expect(response.code == 508 && response.text.contains("proxy"))
            #expect(try await proxy.record().failure == "proxy request loop")
        }
    }
}
