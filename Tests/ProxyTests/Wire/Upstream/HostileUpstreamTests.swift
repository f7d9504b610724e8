import Foundation
import NIOCore
import Proxy
import Support
import Testing
import Traffic

/// Upstreams that are silent, late, too short or too long where `UpstreamFailureTests` has not met them yet.
@Suite(.timeLimit(.minutes(15)))
struct HostileUpstreamTests {
    @Test("An upstream that lets nobody in is a 504, to a request and to a CONNECT, and others are served meanwhile")
    func blackHole() async throws {
        let deaf = try DeafPort()
        let origin = try await LoopbackOrigin.fine()
        // It holds for the origin as well.
        let timeout = TimeAmount(Patience.stretched(.milliseconds(700)))
        try await RunningProxy.run(configure: { $0.connectTimeout = timeout }) { proxy in
            let client = try await proxy.connect()
            try await client.send("GET http://127.0.0.1:\(deaf.port)/ HTTP/1.1\r\nHost: 127.0.0.1:\(deaf.port)\r\n\r\n")
            try await proxy.serves(origin)
            let response = try await client.response()
            #expect(response.code == 504 && response.head.contains("error=connection_timeout"))
            let tunnel = try await proxy.connect()
            try await tunnel.send("CONNECT 127.0.0.1:\(deaf.port) HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(try await tunnel.response().code == 504)
            try await client.send(
                "GET http://127.0.0.1:\(origin.port)/ HTTP/1.1\r\nHost: 127.0.0.1:\(origin.port)\r\n\r\n"
            )
            #expect(try await client.response().text == "ok")
            let failures = try await proxy.sink.ended(4).map(\.failure)
            #expect(failures.filter { $0 == "upstream connect timeout" }.count == 2)
        }
    }

    @Test("A request that may have had an effect is not sent twice when a kept connection turns out closed")
    func noRetry() async throws {
        let origin = try await LoopbackOrigin.start { unanswered in
            guard let request = RawRequest(first: unanswered) else { return nil }
            return request.target == "/first"
                ? .init(
                    consuming: request.bytes.count,
                    .send(Array("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok".utf8))
                )
                : .init(consuming: request.bytes.count, .reset)
        }
        try await RunningProxy.run { proxy in
            let client = try await proxy.connect()
            let place = "http://127.0.0.1:\(origin.port)"
            let host = "Host: 127.0.0.1:\(origin.port)\r\n"
            try await client.send("GET \(place)/first HTTP/1.1\r\n\(host)\r\n")
            #expect(try await client.response().text == "ok")
            for request in [
                "POST \(place)/x HTTP/1.1\r\n\(host)Content-Length: 2\r\n\r\nhi",
                "POST \(place)/y HTTP/1.1\r\n\(host)\r\n",
            ] {
                try await client.send(request)
                #expect(try await client.response().code == 502)
            }
            let posts = origin.connections.map(\.receivedText).joined().components(separatedBy: "POST /").count - 1
            #expect(posts == 2)
            #expect(
                try await proxy.sink.ended(3).map(\.failure) == ["none", "upstream wait reset", "upstream wait reset"]
            )
        }
    }

    @Test("A request is said to have been sent again only where it was", arguments: [true, false])
    func sentAgain(isSent: Bool) async throws {
        let gate = Gate()
        let origin = try await LoopbackOrigin.start { unanswered in
            guard let request = RawRequest(first: unanswered) else { return nil }
            return request.target == "/first"
                ? .init(
                    consuming: request.bytes.count,
                    .send(Array("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok".utf8))
                )
                : .init(consuming: request.bytes.count, .held(gate), .reset)
        }
        try await RunningProxy.run { proxy in
            let client = try await proxy.connect()
            let authority = "127.0.0.1:\(origin.port)"
            try await client.send("GET http://\(authority)/first HTTP/1.1\r\nHost: \(authority)\r\n\r\n")
            #expect(try await client.response().text == "ok")
            try await client.send("GET http://\(authority)/second HTTP/1.1\r\nHost: \(authority)\r\n\r\n")
            _ = try await origin.connections("the second request") { connections in
                connections.first?.receivedText.hasSuffix("\r\n\r\n") == true
                    && connections.first?.receivedText.contains("/second") == true
            }
            // There is nobody any more to send it to.
            if !isSent { try await origin.stop() }
            gate.open()
            #expect(try await client.response().code == 502)
            let record = try #require(try await proxy.sink.ended(2).last)
            #expect(record.failure == (isSent ? "upstream wait reset" : "upstream connect refused"))
            #expect(record.exchange.warnings.count { $0.contains("sent again") } == (isSent ? 1 : 0))
        }
    }

    @Test("A request is not sent twice once a part of its response's head came on a kept connection")
    func resetWithinHead() async throws {
        let gate = Gate()
        let whole = Array("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok".utf8)
        let part = Array("HTTP/1.1 200 OK\r\nX-A: ".utf8)
        let origin = try await LoopbackOrigin.start { unanswered in
            guard let request = RawRequest(first: unanswered) else { return nil }
            return request.method == "DELETE"
                ? .init(consuming: request.bytes.count, .send(part), .held(gate), .reset)
                : .init(consuming: request.bytes.count, .send(whole))
        }
        try await RunningProxy.run { proxy in
            let client = try await proxy.connect()
            let authority = "127.0.0.1:\(origin.port)"
            try await client.send("GET http://\(authority)/ HTTP/1.1\r\nHost: \(authority)\r\n\r\n")
            #expect(try await client.response().text == "ok")
            try await client.send("DELETE http://\(authority)/ HTTP/1.1\r\nHost: \(authority)\r\n\r\n")
            _ = try await origin.connections("a part of its head sent") { connections in
                connections.first?.sentBytes == whole.count + part.count
            }
            // By then the proxy has read what was sent.
            for _ in 1...2 { try await proxy.server.beat() }
            gate.open()
            #expect(try await client.response().code == 502)
            let received = origin.connections.map(\.receivedText)
            #expect(received.count == 1 && received.first?.ranges(of: "DELETE /").count == 1, "\(received)")
            let records = try await proxy.sink.ended(2)
            #expect(records.map(\.failure) == ["none", "upstream wait reset"])
            #expect(records.last?.exchange.warnings == [])
        }
    }

    @Test("Heads of 200 kB pass both ways, byte for byte")
    func longHeads() async throws {
        let fields = (0..<200).map { "X-\($0): \(String(repeating: "y", count: 1_000))\r\n" }.joined()
        let origin = try await LoopbackOrigin.start(
            script: RawRequest.answering { _ in Array("HTTP/1.1 200 OK\r\n\(fields)Content-Length: 2\r\n\r\nok".utf8) }
        )
        try await RunningProxy.run { proxy in
            let client = try await proxy.connect()
            try await client.send(
                "GET http://127.0.0.1:\(origin.port)/ HTTP/1.1\r\nHost: 127.0.0.1:\(origin.port)\r\n\(fields)\r\n"
            )
            let response = try await client.response()
            #expect(response.text == "ok" && response.head.contains(fields))
            #expect(origin.connections.first?.receivedText.contains(fields) == true)
        }
    }

    @Test("A refusal that comes while a large upload runs is delivered at once; the rest of the upload goes nowhere")
    func earlyRefusal() async throws {
        let origin = try await LoopbackOrigin.start(keeps: 1_000) { unanswered in
            unanswered.firstRange(of: Array("\r\n\r\n".utf8)) == nil
                ? nil
                : .init(
                    consuming: unanswered.count,
                    .send(Array("HTTP/1.1 413 Too Large\r\nContent-Length: 4\r\nConnection: close\r\n\r\nhuge".utf8)),
                    .halfClose
                )
        }
        let other = try await LoopbackOrigin.fine()
        try await RunningProxy.run { proxy in
            let client = try await proxy.connect()
            try await client.send(
                "PUT http://127.0.0.1:\(origin.port)/ HTTP/1.1\r\nHost: 127.0.0.1:\(origin.port)\r\nContent-Length: \(64 << 20)\r\n\r\n"
            )
            let piece = [UInt8](repeating: 1, count: 1 << 20)
            try await client.send(piece)
            let response = try await client.response()
            #expect(response.code == 413 && response.text == "huge")
            let record = try await proxy.record()
            #expect(record.exchange.code == 413 && record.exchange.outcome == .completed)
            #expect(record.exchange.warnings.contains { $0.contains("rest of the request was not read") })
            #expect(record.exchange.request.body.length <= 1 << 20)
            // Nobody takes the rest.
            await #expect(throws: (any Error).self) {
                for _ in 0..<64 { try await client.send(piece) }
            }
            try await proxy.serves(other)
        }
    }

    @Test("Interim responses without end break the exchange and nothing else")
    func interimFlood() async throws {
        let flood = Array(String(repeating: "HTTP/1.1 102 Processing\r\n\r\n", count: 1_000).utf8)
        let origin = try await LoopbackOrigin.start { unanswered in
            RawRequest(first: unanswered).map { .init(consuming: $0.bytes.count, .stream(flood, times: 1_000)) }
        }
        let other = try await LoopbackOrigin.fine()
        try await RunningProxy.run { proxy in
            let client = try await proxy.connect()
            try await client.send(
                "GET http://127.0.0.1:\(origin.port)/ HTTP/1.1\r\nHost: 127.0.0.1:\(origin.port)\r\n\r\n"
            )
            for _ in 0..<64 { #expect(try await client.response().code == 102) }
            #expect(try await client.response().code == 502)
            let record = try await proxy.record()
            #expect(record.failure == "upstream wait interim-flood" && record.exchange.interim.count <= 65)
            try await proxy.serves(other)
        }
    }

    @Test("Interim responses are passed on up to half a megabyte of heads, and no more of them is kept")
    func longInterim() async throws {
        let head = Array("HTTP/1.1 103 Early Hints\r\nX: \(String(repeating: "x", count: 30_000))\r\n\r\n".utf8)
        let origin = try await LoopbackOrigin.start { unanswered in
            RawRequest(first: unanswered).map { .init(consuming: $0.bytes.count, .stream(head, times: 1_000)) }
        }
        try await RunningProxy.run { proxy in
            let client = try await proxy.connect()
            try await client.send("GET http://127.0.0.1:\(origin.port)/ HTTP/1.1\r\nHost: a\r\n\r\n")
            let limitBytes = 512 << 10
            for _ in 0..<limitBytes / head.count { #expect(try await client.response().code == 103) }
            #expect(try await client.response().code == 502)
            let record = try await proxy.record()
            #expect(record.failure == "upstream wait interim-flood")
            let message = record.exchange.failure?.message
            #expect(message == "The upstream sent more than 524288 bytes of interim responses.")
            // The one that was too much is in the record, and nothing behind it.
            let keptBytes = record.exchange.interim.reduce(0) { $0 + $1.readableBytes }
            #expect(keptBytes > limitBytes && keptBytes <= limitBytes + head.count)
        }
    }

    @Test("A response head of which more came than is kept says so")
    func marksCut() async throws {
        let origin = try await LoopbackOrigin.start(
            script: RawRequest.answering { _ in
                Array("HTTP/1.1 200 OK\r\nX: \(String(repeating: "x", count: 300_000))\r\n\r\n".utf8)
            }
        )
        try await RunningProxy.run { proxy in
            let client = try await proxy.connect()
            try await client.send(
                "GET http://127.0.0.1:\(origin.port)/ HTTP/1.1\r\nHost: 127.0.0.1:\(origin.port)\r\n\r\n"
            )
            #expect(try await client.response().code == 502)
            let exchange = try await proxy.record().exchange
            #expect(exchange.response?.head.readableBytes == 4_096)
            #expect(exchange.warnings.contains { $0.hasPrefix("Only the first 4096 of the ") })
            try await client.send("GET http://a.test/ HTTP/1.1\r\nX: \(String(repeating: "y", count: 300_000))\r\n\r\n")
            #expect(try await client.response().code == 431)
            let refused = try #require(try await proxy.sink.ended(2).last).exchange
            #expect(refused.request.head.readableBytes == 64 << 10)
            #expect(refused.warnings.contains { $0.hasPrefix("Only the first 65536 of the ") })
        }
    }

    @Test("A response that only a close ends is broken off, and not ended, where a write finds the connection reset")
    func resetFoundByWrite() async throws {
        let gate = Gate()
        let origin = try await LoopbackOrigin.start { unanswered in
            guard unanswered.firstRange(of: Array("\r\n\r\n".utf8)) != nil else { return nil }
            let half = Array("HTTP/1.1 200 OK\r\n\r\nhalf".utf8)
            return .init(consuming: unanswered.count, .send(half), .held(gate), .reset)
        }
        try await RunningProxy.run { proxy in
            let client = try await proxy.connect()
            let authority = "127.0.0.1:\(origin.port)"
            try await client.send(
                "PUT http://\(authority)/ HTTP/1.1\r\nHost: \(authority)\r\nContent-Length: 10\r\n\r\nhello"
            )
            _ = try await client.read(through: "half")
            // More of the request is there first, and its upstream gone when the proxy comes to pass that on.
            try await proxy.holdingUp {
                try await client.send("more")
                gate.open()
                _ = try await origin.connections("its end") { $0.allSatisfy(\.isClosed) }
            }
            _ = try await client.readToEnd()
            #expect(client.soFar.error != nil)
            let record = try await proxy.record()
            #expect(
                record.exchange.outcome == .failed && record.exchange.failure?.side == .upstream,
                "\(record.failure)"
            )
            // Had the reset been found by a read, the rest would not have been taken.
            #expect(record.requestBody.starts(with: Array("hello".utf8)) && record.responseBody == Array("half".utf8))
        }
    }
}

extension LoopbackOrigin {
    /// One that answers everything with `ok`.
    static func fine(
        beside hold: (_ port: Int) throws -> any Sendable = LoopbackOrigin.refusal
    ) async throws -> LoopbackOrigin {
        try await start(
            beside: hold,
            script: RawRequest.answering { _ in Array("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok".utf8) }
        )
    }
}

extension RunningProxy {
    /// Expects that another client is served as if nothing was.
    func serves(_ origin: LoopbackOrigin) async throws {
        let client = try await connect()
        try await client.send("GET http://127.0.0.1:\(origin.port)/ HTTP/1.1\r\nHost: 127.0.0.1:\(origin.port)\r\n\r\n")
        #expect(try await client.response().text == "ok")
        try await client.close()
    }
}
