import NIOCore
import Support
import Testing
import Traffic

@Suite(.timeLimit(.minutes(15)))
struct PlainExchangeTests {
    private static let ok = Array("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok".utf8)

    private func origin(_ response: String) async throws -> LoopbackOrigin {
        try await LoopbackOrigin.start(script: RawRequest.answering { _ in Array(response.utf8) })
    }

    @Test("A GET arrives with every byte but the target's authority, and the response comes back byte for byte")
    func get() async throws {
        let response =
            "HTTP/1.1 200 All  Right\r\nset-cookie: a=1\r\nX-Odd:   v \t\r\nSet-Cookie: b\r\nContent-Type: Text/Plain; x\r\ncontent-length: 2\r\n\r\nok"
        let origin = try await origin(response)
        try await RunningProxy.run { proxy in
            let client = try await proxy.connect()
            let fields = "hOST:  127.0.0.1:\(origin.port)\t\r\nX-B: 1\r\nx-b:2\r\nAccept: */*\r\n\r\n"
            try await client.send("GET http://127.0.0.1:\(origin.port)/v2/?query&type=-1?+(), HTTP/1.1\r\n" + fields)
            #expect(String(decoding: try await client.read(count: response.utf8.count), as: UTF8.self) == response)
            let received = "GET /v2/?query&type=-1?+(), HTTP/1.1\r\n" + fields
            let arrived = try await origin.connections("the request") {
                $0.first?.received.count == received.utf8.count
            }
            #expect(arrived.first?.receivedText == received)
            let record = try await proxy.record()
            #expect(record.head == "GET http://127.0.0.1:\(origin.port)/v2/?query&type=-1?+(), HTTP/1.1\r\n" + fields)
            #expect(record.sentHead == received)
            #expect(record.responseHead == String(response.dropLast(2)) && record.responseBody == Array("ok".utf8))
            let exchange = record.exchange
            #expect(
                exchange.outcome == .completed && exchange.code == 200 && exchange.method == "GET"
                    && exchange.scheme == .http
            )
            #expect(
                exchange.host == "127.0.0.1" && exchange.port == origin.port
                    && exchange.target == "/v2/?query&type=-1?+(),"
            )
            #expect(
                exchange.mediaType == "text/plain" && exchange.version == .http11 && exchange.upstreamVersion == .http11
            )
            #expect(
                exchange.upstream?.address == "127.0.0.1:\(origin.port)"
                    && exchange.client.address == "127.0.0.1:\(client.localPort)"
            )
            #expect(exchange.timeline.duration != nil && exchange.timeline.connect != nil && exchange.warnings == [])
        }
    }

    @Test("Connections are kept on both sides and the upstream's is used again")
    func keepAlive() async throws {
        let origin = try await LoopbackOrigin.start(script: RawRequest.answering { _ in Self.ok })
        try await RunningProxy.run { proxy in
            let client = try await proxy.connect()
            for number in 1...5 {
                try await client.send(
                    "GET http://127.0.0.1:\(origin.port)/\(number) HTTP/1.1\r\nHost: 127.0.0.1:\(origin.port)\r\n\r\n"
                )
                #expect(try await client.response().text == "ok")
            }
            #expect(origin.connections.count == 1)
            let targets = try await proxy.sink.ended(5).map(\.exchange.target)
            #expect(targets == ["/1", "/2", "/3", "/4", "/5"])
        }
    }

    @Test("A hundred requests sent at once are answered in their order")
    func pipelining() async throws {
        let origin = try await LoopbackOrigin.start(
            script: RawRequest.answering { request in
                let text = "\(request.target):\(String(decoding: request.body, as: UTF8.self))"
                return Array("HTTP/1.1 200 OK\r\nContent-Length: \(text.utf8.count)\r\n\r\n\(text)".utf8)
            }
        )
        try await RunningProxy.run { proxy in
            let client = try await proxy.connect()
            let requests = (1...100).map { number in
                "POST http://127.0.0.1:\(origin.port)/\(number) HTTP/1.1\r\nHost: 127.0.0.1:\(origin.port)\r\nContent-Length: 3\r\n\r\nabc"
            }
            try await client.send(requests.joined())
            for number in 1...100 { #expect(try await client.response().text == "/\(number):abc") }
            #expect(try await proxy.sink.ended(100).count == 100)
        }
    }

    @Test("A client that has sent its request and its FIN still gets the whole response")
    func halfClose() async throws {
        let size = 3_000_000
        let origin = try await LoopbackOrigin.start(
            script: { unanswered in
                RawRequest(first: unanswered).map {
                    .init(
                        consuming: $0.bytes.count,
                        .pause(.milliseconds(50)),
                        .send(Array("HTTP/1.1 200 OK\r\nContent-Length: \(size)\r\n\r\n".utf8)),
                        .stream([UInt8](repeating: 120, count: 50_000), times: size / 50_000)
                    )
                }
            }
        )
        try await RunningProxy.run { proxy in
            let client = try await proxy.connect()
            try await client.send(
                "GET http://127.0.0.1:\(origin.port)/ HTTP/1.1\r\nHost: 127.0.0.1:\(origin.port)\r\n\r\n"
            )
            try await client.halfClose()
            #expect(try await client.response().body.count == size)
            #expect(try await client.readToEnd() == [] && client.soFar.error == nil)
            #expect(try await proxy.record().exchange.outcome == .completed)
        }
    }

    @Test(
        "A response at whose end the connection closes reaches a slow reader whole",
        arguments: [
            "GET /x HTTP/1.0\r\n\r\n", "GET /x HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n",
            "GET /x HTTP/1.1\r\nHost: a\r\n\r\n",
        ]
    )
    func closes(request: String) async throws {
        let size = 4_000_000
        let isDelimited = !request.contains("close") && request.contains("1.1")
        let head = isDelimited ? "HTTP/1.1 200 OK\r\n\r\n" : "HTTP/1.1 200 OK\r\nContent-Length: \(size)\r\n\r\n"
        let origin = try await LoopbackOrigin.start(
            script: { unanswered in
                RawRequest(first: unanswered).map {
                    .init(
                        consuming: $0.bytes.count,
                        .send(Array(head.utf8)),
                        .stream([UInt8](repeating: 120, count: 50_000), times: size / 50_000),
                        .close
                    )
                }
            }
        )
        try await RunningProxy.run { proxy in
            let client = try await proxy.connect()
            try await client.setReading(false)
            try await client.send(request.replacing("/x", with: "http://127.0.0.1:\(origin.port)/"))
            _ = try await origin.connections("its first bytes gone") { ($0.first?.sentBytes ?? 0) > 100_000 }
            try await client.setReading(true)
            let response = try await client.response()
            #expect(response.body.count == size)
            #expect(response.head.contains("\r\nConnection: close\r\n"))
            #expect(try await client.readToEnd() == [] && client.soFar.error == nil)
            #expect(try await proxy.record().exchange.response?.body.length == Int64(size))
        }
    }

    @Test("Fields of one connection stop at the proxy, and the record has what came and what went on")
    func hopByHop() async throws {
        let origin = try await origin(
            "HTTP/1.1 200 OK\r\nConnection: X-Up\r\nX-Up: 1\r\nKeep-Alive: timeout=5\r\nProxy-Authenticate: Basic\r\nX: y\r\nContent-Length: 2\r\n\r\nok"
        )
        try await RunningProxy.run { proxy in
            let client = try await proxy.connect()
            let came =
                "Host: 127.0.0.1:\(origin.port)\r\nProxy-Connection: keep-alive\r\nConnection: keep-alive, X-Mine\r\nX-Mine: 1\r\nTE: trailers\r\nProxy-Authorization: Basic eDp5\r\nX: y\r\n\r\n"
            try await client.send("GET http://127.0.0.1:\(origin.port)/ HTTP/1.1\r\n" + came)
            let response = try await client.response()
            #expect(response.head == "HTTP/1.1 200 OK\r\nX: y\r\nContent-Length: 2\r\n\r\n")
            let sent = "GET / HTTP/1.1\r\nHost: 127.0.0.1:\(origin.port)\r\nX: y\r\n\r\n"
            #expect(origin.connections.first?.receivedText == sent)
            let record = try await proxy.record()
            #expect(record.head.hasSuffix(came) && record.sentHead == sent)
            #expect(record.responseHead?.contains("X-Up: 1") == true)
            #expect(record.exchange.response?.sentHead.map { String(buffer: $0) } == response.head)
        }
    }

    @Test("Another authority in Host gives way to the target's, and the record says so")
    func hostMismatch() async throws {
        let origin = try await LoopbackOrigin.start(script: RawRequest.answering { _ in Self.ok })
        try await RunningProxy.run { proxy in
            let client = try await proxy.connect()
            try await client.send("GET http://127.0.0.1:\(origin.port)/ HTTP/1.1\r\nA: b\r\nHost: other.test\r\n\r\n")
            #expect(try await client.response().code == 200)
            #expect(
                origin.connections.first?.receivedText
                    == "GET / HTTP/1.1\r\nA: b\r\nHost: 127.0.0.1:\(origin.port)\r\n\r\n"
            )
            #expect(try await proxy.record().exchange.warnings.count == 1)
        }
    }

    @Test("A used connection that the upstream has closed meanwhile costs the client nothing")
    func staleConnection() async throws {
        let origin = try await LoopbackOrigin.start(
            script: { unanswered in
                guard let request = RawRequest(first: unanswered) else { return nil }
                // The second request on a connection meets its end.
                if request.target == "/2", request.field("first") == nil {
                    return .init(consuming: request.bytes.count, .reset)
                }
                return .init(consuming: request.bytes.count, .send(Self.ok))
            }
        )
        try await RunningProxy.run { proxy in
            let client = try await proxy.connect()
            let get = { (target: String) in
                "GET http://127.0.0.1:\(origin.port)\(target) HTTP/1.1\r\nHost: 127.0.0.1:\(origin.port)\r\n\r\n"
            }
            try await client.send(get("/1"))
            #expect(try await client.response().code == 200)
            // Both tries of the second are reset: it is tried twice, never more.
            try await client.send(get("/2"))
            #expect(try await client.response().code == 502)
            #expect(origin.connections.count == 2)
            try await client.send(get("/3"))
            #expect(try await client.response().code == 200)
            let failures = try await proxy.sink.ended(3).map(\.failure)
            #expect(failures == ["none", "upstream wait reset", "none"])
        }
    }
}
