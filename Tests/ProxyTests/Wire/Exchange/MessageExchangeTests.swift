import NIOCore
import Support
import Testing
import Traffic

/// How bodies, interim responses and trailers pass.
@Suite(.timeLimit(.minutes(15)))
struct MessageExchangeTests {
    private func origin(_ response: String) async throws -> LoopbackOrigin {
        try await LoopbackOrigin.start(script: RawRequest.answering { _ in Array(response.utf8) })
    }

    @Test("A body with a length passes byte for byte, whatever its bytes")
    func length() async throws {
        let body = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ $0 >> 8) }
        let origin = try await LoopbackOrigin.start(
            script: RawRequest.answering {
                Array("HTTP/1.1 200 OK\r\nContent-Length: \($0.body.count)\r\n\r\n".utf8) + $0.body
            }
        )
        try await RunningProxy.run { proxy in
            let client = try await proxy.connect()
            try await client.send(
                "POST http://127.0.0.1:\(origin.port)/ HTTP/1.1\r\nHost: 127.0.0.1:\(origin.port)\r\nContent-Length: \(body.count)\r\n\r\n"
            )
            try await client.send(body)
            #expect(try await client.response().body == body)
            #expect(origin.connections.first?.received.suffix(body.count) == body[...])
            let record = try await proxy.record()
            #expect(record.requestBody == body && record.responseBody == body)
            #expect(record.exchange.request.body.sha256 == record.exchange.response?.body.sha256)
            #expect(record.exchange.request.body.sha256.count == 32)
        }
    }

    @Test("Chunked bodies and trailers pass both ways")
    func chunked() async throws {
        let origin = try await LoopbackOrigin.start(
            script: { unanswered in
                guard unanswered.firstRange(of: Array("Sum: q\r\n\r\n".utf8)) != nil else { return nil }
                return .init(
                    consuming: unanswered.count,
                    .send(
                        Array(
                            "HTTP/1.1 200 OK\r\nTrailer: Sum\r\nTransfer-Encoding: chunked\r\n\r\n3;x=y\r\nabc\r\n".utf8
                        )
                    ),
                    .pause(.milliseconds(30)),
                    .send(Array("2\r\nde\r\n0\r\nSum: s\r\nsum:  t \r\n\r\n".utf8))
                )
            }
        )
        try await RunningProxy.run { proxy in
            let client = try await proxy.connect()
            try await client.send(
                "POST http://127.0.0.1:\(origin.port)/ HTTP/1.1\r\nHost: 127.0.0.1:\(origin.port)\r\nTrailer: Sum\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n"
            )
            _ = try await origin.connections("the first chunk") {
                $0.first?.receivedText.hasSuffix("5\r\nhello\r\n") == true
            }
            try await client.send("1\r\n!\r\n0\r\nSum: q\r\n\r\n")
            let response = try await client.response()
            #expect(response.text == "abcde" && response.trailers == "Sum: s\r\nsum:  t \r\n")
            #expect(response.head == "HTTP/1.1 200 OK\r\nTrailer: Sum\r\nTransfer-Encoding: chunked\r\n\r\n")
            #expect(
                origin.connections.first?.receivedText.hasSuffix("\r\n\r\n5\r\nhello\r\n1\r\n!\r\n0\r\nSum: q\r\n\r\n")
                    == true
            )
            let record = try await proxy.record()
            #expect(record.requestBody == Array("hello!".utf8) && record.responseBody == Array("abcde".utf8))
            #expect(record.exchange.response?.trailers.map { String(buffer: $0) } == "Sum: s\r\nsum:  t \r\n\r\n")
            #expect(record.exchange.request.trailers.map { String(buffer: $0) } == "Sum: q\r\n\r\n")
        }
    }

    @Test("A client of HTTP/1.0 is not sent chunks, nor interim responses")
    func oldClient() async throws {
        let origin = try await origin(
            "HTTP/1.1 103 Early Hints\r\nLink: a\r\n\r\nHTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nX: y\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n"
        )
        try await RunningProxy.run { proxy in
            let client = try await proxy.connect()
            try await client.send("GET http://127.0.0.1:\(origin.port)/ HTTP/1.0\r\n\r\n")
            let bytes = String(decoding: try await client.readToEnd(), as: UTF8.self)
            #expect(bytes == "HTTP/1.1 200 OK\r\nX: y\r\nConnection: close\r\n\r\nabcde")
            #expect(
                origin.connections.first?.receivedText == "GET / HTTP/1.0\r\nHost: 127.0.0.1:\(origin.port)\r\n\r\n"
            )
            #expect(try await proxy.record().exchange.interim.count == 1)
        }
    }

    @Test("A client of HTTP/1.0 is told of no chunks where there is no content, either")
    func oldClientWithoutContent() async throws {
        let origin = try await origin("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nX: y\r\n\r\n")
        try await RunningProxy.run { proxy in
            let client = try await proxy.connect()
            try await client.send("HEAD http://127.0.0.1:\(origin.port)/ HTTP/1.0\r\n\r\n")
            let bytes = String(decoding: try await client.readToEnd(), as: UTF8.self)
            #expect(bytes == "HTTP/1.1 200 OK\r\nX: y\r\nConnection: close\r\n\r\n")
        }
    }

    @Test("Fields of the upstream's connection stop in interim responses too, and the record has them as they came")
    func interimFields() async throws {
        let fields = "Connection: X-Hop\r\nX-Hop: 1\r\nContent-Length: 9\r\nLink: a\r\n"
        let interim = "HTTP/1.1 103 Early Hints\r\n\(fields)\r\n"
        let origin = try await origin("\(interim)HTTP/1.1 204 No Content\r\n\r\n")
        try await RunningProxy.run { proxy in
            let client = try await proxy.connect()
            let authority = "127.0.0.1:\(origin.port)"
            try await client.send("GET http://\(authority)/ HTTP/1.1\r\nHost: \(authority)\r\n\r\n")
            #expect(
                try await client.read(through: "No Content\r\n\r\n")
                    == "HTTP/1.1 103 Early Hints\r\nLink: a\r\n\r\nHTTP/1.1 204 No Content\r\n\r\n"
            )
            #expect(try await proxy.record().exchange.interim.map { String(buffer: $0) } == [interim])
        }
    }

    @Test("Trailer fields that the head says are of one connection stop there, and the exchange tells of them")
    func nominatedTrailers() async throws {
        let (asked, answered) = ("X-Hop: 1\r\nSum: q\r\n\r\n", "Sum: s\r\nX-Hop: 2\r\n\r\n")
        let fields = "Connection: x-hop\r\nTransfer-Encoding: chunked\r\n"
        let origin = try await LoopbackOrigin.start { unanswered in
            guard unanswered.firstRange(of: Array("Sum: q\r\n\r\n".utf8)) != nil else { return nil }
            let answer = "HTTP/1.1 200 OK\r\n\(fields)\r\n2\r\nok\r\n0\r\n\(answered)"
            return .init(consuming: unanswered.count, .send(Array(answer.utf8)))
        }
        try await RunningProxy.run { proxy in
            let client = try await proxy.connect()
            let authority = "127.0.0.1:\(origin.port)"
            try await client.send(
                "POST http://\(authority)/ HTTP/1.1\r\nHost: \(authority)\r\n\(fields)\r\n2\r\nhi\r\n0\r\n\(asked)"
            )
            let response = try await client.response()
            #expect(response.text == "ok" && response.trailers == "Sum: s\r\n")
            #expect(origin.connections.first?.receivedText.hasSuffix("\r\n2\r\nhi\r\n0\r\nSum: q\r\n\r\n") == true)
            let exchange = try await proxy.record().exchange
            #expect(exchange.request.trailers.map { String(buffer: $0) } == asked)
            #expect(exchange.response?.trailers.map { String(buffer: $0) } == answered)
            #expect(exchange.warnings.count { $0.hasPrefix("Trailer fields of the re") } == 2, "\(exchange.warnings)")
        }
    }

    @Test("100 Continue is asked for upstream, and the body follows it")
    func expectContinue() async throws {
        let origin = try await LoopbackOrigin.start(
            script: { unanswered in
                let text = String(decoding: unanswered, as: UTF8.self)
                if text.hasSuffix("\r\n\r\n") {
                    return .init(consuming: unanswered.count, .send(Array("HTTP/1.1 100 Continue\r\n\r\n".utf8)))
                }
                guard text == "hello" else { return nil }
                return .init(
                    consuming: unanswered.count,
                    .send(Array("HTTP/1.1 201 Made\r\nContent-Length: 0\r\n\r\n".utf8))
                )
            }
        )
        try await RunningProxy.run { proxy in
            let client = try await proxy.connect()
            try await client.send(
                "PUT http://127.0.0.1:\(origin.port)/ HTTP/1.1\r\nHost: 127.0.0.1:\(origin.port)\r\nExpect: 100-continue\r\nContent-Length: 5\r\n\r\n"
            )
            #expect(try await client.read(through: "\r\n\r\n") == "HTTP/1.1 100 Continue\r\n\r\n")
            #expect(origin.connections.first?.receivedText.contains("\r\nExpect: 100-continue\r\n") == true)
            try await client.send("hello")
            let answer = try await client.read(through: "\r\n\r\n")
            #expect(answer == "HTTP/1.1 201 Made\r\nContent-Length: 0\r\n\r\n")
            #expect(
                try await proxy.record().exchange.interim.map { String(buffer: $0) } == [
                    "HTTP/1.1 100 Continue\r\n\r\n"
                ]
            )
        }
    }

    @Test("Interim responses are passed on at once, in order, and recorded; too many end the exchange")
    func interims() async throws {
        let hints = "HTTP/1.1 103 Early Hints\r\nLink: </a>; rel=preload\r\n\r\n"
        let origin = try await LoopbackOrigin.start(
            script: { unanswered in
                if unanswered == Array("!".utf8) {
                    return .init(consuming: 1, .send(Array("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok".utf8)))
                }
                guard unanswered.suffix(4) == Array("\r\n\r\n".utf8) else { return nil }
                if unanswered.starts(with: "POST ".utf8) {
                    return .init(
                        consuming: unanswered.count,
                        .send(Array("HTTP/1.1 102 Processing\r\n\r\n\(hints)".utf8))
                    )
                }
                return .init(consuming: unanswered.count, .send(Array(String(repeating: hints, count: 65).utf8)))
            }
        )
        try await RunningProxy.run { proxy in
            let client = try await proxy.connect()
            try await client.send(
                "POST http://127.0.0.1:\(origin.port)/ HTTP/1.1\r\nHost: 127.0.0.1:\(origin.port)\r\nContent-Length: 1\r\n\r\n"
            )
            #expect(try await client.read(through: "preload\r\n\r\n") == "HTTP/1.1 102 Processing\r\n\r\n" + hints)
            #expect(proxy.sink.soFar.ended.isEmpty)
            try await client.send("!")
            #expect(try await client.response().text == "ok")
            try await client.send(
                "GET http://127.0.0.1:\(origin.port)/many HTTP/1.1\r\nHost: 127.0.0.1:\(origin.port)\r\n\r\n"
            )
            for _ in 1...64 { #expect(try await client.response().code == 103) }
            #expect(try await client.response().code == 502)
            let records = try await proxy.sink.ended(2)
            #expect(
                records.map(\.exchange.interim.count) == [2, 65] || records.map(\.exchange.interim.count) == [2, 64]
            )
            #expect(records.map(\.failure) == ["none", "upstream wait interim-flood"])
        }
    }

    @Test(
        "A response that may have no body has none, and the connection goes on",
        arguments: [
            ("HEAD", "200 OK"), ("GET", "204 No Content"), ("GET", "304 Not Modified"), ("HEAD", "404 Not Found"),
        ]
    )
    func noBody(method: String, status: String) async throws {
        let origin = try await origin("HTTP/1.1 \(status)\r\nContent-Length: 500\r\nETag: \"x\"\r\n\r\n")
        try await RunningProxy.run { proxy in
            let client = try await proxy.connect()
            for _ in 1...2 {
                try await client.send(
                    "\(method) http://127.0.0.1:\(origin.port)/ HTTP/1.1\r\nHost: 127.0.0.1:\(origin.port)\r\n\r\n"
                )
                let response = try await client.response(to: method)
                #expect(response.head == "HTTP/1.1 \(status)\r\nContent-Length: 500\r\nETag: \"x\"\r\n\r\n")
            }
            #expect(origin.connections.count == 1)
            #expect(try await proxy.sink.ended(2).allSatisfy { $0.exchange.response?.body.length == 0 })
        }
    }

    @Test(
        "Bytes after the end of a response go no further, and end the upstream's connection",
        arguments: ["GET", "HEAD"]
    )
    func extraBytes(method: String) async throws {
        let origin = try await origin(
            "HTTP/1.1 200 OK\r\nContent-Length: \(method == "GET" ? 2 : 7)\r\n\r\n\(method == "GET" ? "ok" : "")surplus"
        )
        try await RunningProxy.run { proxy in
            let client = try await proxy.connect()
            for number in 1...2 {
                try await client.send(
                    "\(method) http://127.0.0.1:\(origin.port)/\(number) HTTP/1.1\r\nHost: 127.0.0.1:\(origin.port)\r\n\r\n"
                )
                let response = try await client.response(to: method)
                #expect(response.code == 200 && response.text == (method == "GET" ? "ok" : ""))
            }
            #expect(origin.connections.count == 2)
            #expect(try await proxy.sink.ended(2).allSatisfy { $0.exchange.warnings.count == 1 })
            #expect(client.soFar.unread.isEmpty)
        }
    }

    @Test("A response that comes before the request is whole is delivered at once, and its client may keep the rest")
    func early() async throws {
        let origin = try await LoopbackOrigin.start(
            script: { unanswered in
                // All that comes: what came later would have another answer.
                guard let head = unanswered.firstRange(of: Array("\r\n\r\n".utf8)),
                    unanswered.count == head.upperBound + 2_000
                else { return nil }
                return .init(
                    consuming: unanswered.count,
                    .send(Array("HTTP/1.1 413 Too Large\r\nContent-Length: 3\r\n\r\nbig".utf8))
                )
            }
        )
        try await RunningProxy.run { proxy in
            let client = try await proxy.connect()
            try await client.send(
                "POST http://127.0.0.1:\(origin.port)/ HTTP/1.1\r\nHost: 127.0.0.1:\(origin.port)\r\nContent-Length: 900000\r\n\r\n"
            )
            try await client.send([UInt8](repeating: 120, count: 2_000))
            let response = try await client.response()
            #expect(response.code == 413 && response.text == "big")
            try await client.close()
            let record = try await proxy.record()
            #expect(record.exchange.outcome == .completed && record.exchange.request.body.length == 2_000)
            #expect(record.exchange.warnings.contains { $0.contains("request") })
        }
    }
}
