import NIOCore
import Proxy
import Support
import Testing
import Traffic

/// Clients that leave, stall or flood where the other tests of the wire have not met them yet.
@Suite(.timeLimit(.minutes(15)))
struct HostileClientTests {
    private static let piece = [UInt8](repeating: 120, count: 64 << 10)

    /// Answers with a head and then content that does not end.
    private static func endless() async throws -> LoopbackOrigin {
        try await LoopbackOrigin.start { unanswered in
            RawRequest(first: unanswered).map {
                .init(
                    consuming: $0.bytes.count,
                    .send(Array("HTTP/1.1 200 OK\r\nContent-Length: \(1 << 40)\r\n\r\n".utf8)),
                    .stream(piece, times: 1 << 20)
                )
            }
        }
    }

    @Test("A client that leaves in a download ends it upstream too, and what came is kept", arguments: [true, false])
    func leavesDownload(isReset: Bool) async throws {
        let origin = try await Self.endless()
        let other = try await LoopbackOrigin.fine()
        try await RunningProxy.run { proxy in
            let client = try await proxy.connect()
            try await client.send(
                "GET http://127.0.0.1:\(origin.port)/ HTTP/1.1\r\nHost: 127.0.0.1:\(origin.port)\r\n\r\n"
            )
            _ = try await client.read(count: 200_000)
            if isReset { try await client.reset() } else { try await client.close() }
            _ = try await origin.connections("the end of the download") { $0.allSatisfy(\.isClosed) }
            let record = try await proxy.record()
            #expect(
                record.exchange.failure?.side == .client && record.exchange.failure?.phase == .deliver,
                "\(record.failure)"
            )
            #expect(record.exchange.code == 200 && record.responseBody.count >= 150_000)
            try await proxy.serves(other)
        }
    }

    @Test(
        "A client that leaves in an upload ends it upstream too, without a proper end",
        arguments: ["Content-Length: 99999", "Transfer-Encoding: chunked"]
    )
    func leavesUpload(framing: String) async throws {
        let origin = try await LoopbackOrigin.start { _ in nil }
        let other = try await LoopbackOrigin.fine()
        try await RunningProxy.run { proxy in
            for isReset in [true, false] {
                let client = try await proxy.connect()
                try await client.send(
                    "PUT http://127.0.0.1:\(origin.port)/ HTTP/1.1\r\nHost: 127.0.0.1:\(origin.port)\r\n\(framing)\r\n\r\n5\r\nhello\r\n"
                )
                let count = isReset ? 1 : 2
                _ = try await origin.connections("the upload") {
                    $0.count == count && $0.last?.receivedText.contains("hello") == true
                }
                if isReset { try await client.reset() } else { try await client.close() }
                _ = try await origin.connections("its end") { $0.allSatisfy(\.isClosed) }
                #expect(origin.connections.allSatisfy { !$0.receivedText.hasSuffix("0\r\n\r\n") && $0.error != nil })
                let record = try #require(try await proxy.sink.ended(count).last)
                #expect(record.exchange.failure?.side == .client && record.requestBody.count >= 5, "\(record.failure)")
            }
            try await proxy.serves(other)
        }
    }

    @Test("A client that stops in the middle of its body is given up after the idle time")
    func stallsUpload() async throws {
        let origin = try await LoopbackOrigin.start { _ in nil }
        let other = try await LoopbackOrigin.fine()
        try await RunningProxy.run(clock: TestClock()) { proxy in
            let client = try await proxy.connect()
            try await client.send(
                "PUT http://127.0.0.1:\(origin.port)/ HTTP/1.1\r\nHost: 127.0.0.1:\(origin.port)\r\nContent-Length: 10\r\n\r\nhello"
            )
            _ = try await origin.connections("what came") { $0.first?.receivedText.hasSuffix("hello") == true }
            try await proxy.serves(other)
            try await proxy.expire(.seconds(120), client)
            #expect(try await client.readToEnd() == [])
            let record = try #require(try await proxy.sink.ended(2).first { $0.exchange.method == "PUT" })
            #expect(record.failure == "client request timeout" && record.requestBody == Array("hello".utf8))
        }
    }

    @Test("A client that takes nothing of its response is given up after the idle time", arguments: [false, true])
    func readsNothing(isSecure: Bool) async throws {
        let origin = try await LoopbackOrigin.start(tls: isSecure ? Certificates.server("good") : nil) { unanswered in
            RawRequest(first: unanswered).map {
                .init(
                    consuming: $0.bytes.count,
                    .send(Array("HTTP/1.1 200 OK\r\nContent-Length: \(1 << 40)\r\n\r\n".utf8)),
                    .stream(Self.piece, times: 1 << 20)
                )
            }
        }
        try await RunningProxy.run(clock: TestClock(), configure: { $0.bodyLimitBytes = 1_000 }) { proxy in
            let client = isSecure ? try await proxy.secureTunnel(to: origin.port) : try await proxy.connect()
            try await client.setReading(false)
            let place = isSecure ? "" : "http://127.0.0.1:\(origin.port)"
            try await client.send("GET \(place)/ HTTP/1.1\r\nHost: localhost:\(origin.port)\r\n\r\n")
            _ = try await origin.connections("some of it taken") { ($0.first?.sentBytes ?? 0) > 1 << 20 }
            _ = try await origin.settled({ $0.first?.sentBytes }, for: .milliseconds(300))
            try await proxy.pass(.seconds(60))
            #expect(proxy.sink.soFar.ended.isEmpty)
            try await proxy.pass(.seconds(60), until: "the client to be given up") { !proxy.sink.soFar.ended.isEmpty }
            #expect(try await proxy.record().failure == "client deliver timeout")
            _ = try await origin.connections("the end of the download") { $0.allSatisfy(\.isClosed) }
            // It may know of the break by then.
            try? await client.setReading(true)
            _ = try await client.readToEnd()
        }
    }

    @Test("What a client sends behind its last answer is read up to a bound, and kept by nobody")
    func floodsBehindTheEnd() async throws {
        let origin = try await LoopbackOrigin.fine()
        // No time passes: nothing but the bound ends the connection.
        try await RunningProxy.run(clock: TestClock()) { proxy in
            let client = try await proxy.connect()
            try await client.send("GET http://127.0.0.1:\(origin.port)/ HTTP/1.0\r\n\r\n")
            #expect(try await client.response().code == 200)
            _ = try await client.readToEnd()
            // Sockets hold some of it.
            await #expect(throws: (any Error).self) {
                for _ in 0..<(64 << 20) / Self.piece.count { try await client.send(Self.piece) }
            }
            #expect(try await proxy.sink.ended().count == 1)
        }
    }

    @Test("What a client sends ahead waits in its own socket past the limit, and is answered in the end")
    func floodsPipeline() async throws {
        let sent = Watched(0)
        let gate = Gate()
        let origin = try await LoopbackOrigin.start { unanswered in
            guard let request = RawRequest(first: unanswered) else { return nil }
            let answer = LoopbackOrigin.Step.send(Array("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok".utf8))
            return request.target == "/slow"
                ? .init(consuming: request.bytes.count, .held(gate), answer)
                : .init(consuming: request.bytes.count, answer)
        }
        try await RunningProxy.run { proxy in
            let client = try await proxy.connect()
            let host = "127.0.0.1:\(origin.port)"
            let filler = String(repeating: "x", count: 60_000)
            let next = "GET http://\(host)/next HTTP/1.1\r\nHost: \(host)\r\nX: \(filler)\r\n\r\n"
            try await client.send("GET http://\(host)/slow HTTP/1.1\r\nHost: \(host)\r\n\r\n")
            async let sending: Void = {
                for _ in 0..<300 {
                    try await client.send(next)
                    sent.update { $0 += 1 }
                }
            }()
            _ = try await sent.wait(for: "the first to be taken") { $0 > 0 }
            // 18 MB are to be sent while nobody is ready for them: what two sockets hold of it goes, and 64 KiB.
            let taken = try await sent.settled({ $0 }, for: .milliseconds(300))
            #expect(taken * 60_000 < 16 << 20, "\(taken) were taken")
            #expect(!origin.connections.contains { $0.receivedText.contains("/next") })
            gate.open()
            for _ in 0...300 { #expect(try await client.response().text == "ok") }
            try await sending
            #expect(try await proxy.sink.ended(301).count == 301)
        }
    }

    @Test("A tunnel in which the client says nothing has a row when it closes", arguments: [true, false])
    func unusedTunnel(isReset: Bool) async throws {
        let origin = try await LoopbackOrigin.fine()
        try await RunningProxy.run { proxy in
            let client = try await proxy.tunnel(to: origin.port, host: "127.0.0.1")
            if isReset { try await client.reset() } else { try await client.close() }
            let exchange = try await proxy.record().exchange
            #expect(exchange.outcome == .tunnelled && exchange.method == "CONNECT" && exchange.scheme == nil)
            #expect(
                exchange.request.body.length == 0 && exchange.warnings.first?.contains("before the client sent") == true
            )
            _ = try await origin.connections("its end") { $0.allSatisfy(\.isClientDone) }
            try await proxy.serves(origin)
        }
    }

    @Test("A spare tunnel of a client whose others are read leaves no row")
    func spareTunnel() async throws {
        let origin = try await LoopbackOrigin.start(
            tls: Certificates.server("good"),
            script: RawRequest.answering { _ in Array("HTTP/1.1 204 No Content\r\n\r\n".utf8) }
        )
        try await RunningProxy.run { proxy in
            let client = try await proxy.secureTunnel(to: origin.port)
            func ask(_ path: String) async throws {
                try await client.send("GET \(path) HTTP/1.1\r\nHost: localhost\r\n\r\n")
                #expect(try await client.response().code == 204)
            }
            try await ask("/first")
            let spare = try await proxy.tunnel(to: origin.port)
            try await spare.close()
            try await ask("/second")
            #expect(try await proxy.sink.ended(2).map(\.exchange.target) == ["/first", "/second"])
        }
    }

    @Test("A tunnel whose upstream turns out to be gone has a failed row")
    func goneTunnel() async throws {
        let origin = try await LoopbackOrigin.start(
            tls: Certificates.server("good"),
            script: RawRequest.answering { _ in Array("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok".utf8) }
        )
        try await RunningProxy.run { proxy in
            // Once an upstream is known and a connection idle, a CONNECT on that event loop is answered without a new one.
            for _ in 0..<System.coreCount * 2 {
                let first = try await proxy.secureTunnel(to: origin.port)
                try await first.send("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
                #expect(try await first.response().text == "ok")
            }
            try await origin.stop()
            let client = try await proxy.tunnel(to: origin.port)
            try await client.send("\0not TLS\n")
            _ = try await client.readToEnd()
            let record = try #require(try await proxy.sink.ended(System.coreCount * 2 + 1).last)
            #expect(record.failure == "upstream connect refused" && record.exchange.method == "CONNECT")
        }
    }
}
