import NIOCore
import Proxy
import Support
import Testing
import Traffic

/// What becomes of a CONNECT.
@Suite(.timeLimit(.minutes(15)))
struct TunnelTests {
    private func secureOrigin() async throws -> LoopbackOrigin {
        try await LoopbackOrigin.start(
            tls: Certificates.server("good"),
            script: RawRequest.answering { request in
                Array("HTTP/1.1 200 OK\r\nContent-Length: \(request.target.utf8.count)\r\n\r\n\(request.target)".utf8)
            }
        )
    }

    @Test("Requests inside TLS are read and recorded, byte for byte, with what both handshakes settled")
    func tls() async throws {
        let origin = try await secureOrigin()
        try await RunningProxy.run { proxy in
            let client = try await proxy.tunnel(to: origin.port)
            #expect(try await client.startTLS(name: "localhost", trusting: proxy.rootFile) == "http/1.1")
            for target in ["/a?b", "/c"] {
                let request = "GET \(target) HTTP/1.1\r\nhost: localhost:\(origin.port)\r\nX:  y\r\n\r\n"
                try await client.send(request)
                #expect(try await client.response().text == target)
                #expect(origin.connections.first?.receivedText.hasSuffix(request) == true)
            }
            let records = try await proxy.sink.ended(2)
            #expect(origin.connections.count == 1)
            let exchange = try #require(records.first).exchange
            #expect(
                exchange.scheme == .https && exchange.host == "localhost" && exchange.port == origin.port
                    && exchange.target == "/a?b"
            )
            #expect(exchange.request.sentHead == nil && exchange.timeline.tls != nil)
            #expect(exchange.client.tls?.serverName == "localhost" && exchange.client.tls?.version == "TLSv1.3")
            #expect(
                exchange.upstream?.tls?.applicationProtocol == "http/1.1"
                    && exchange.upstream?.tls?.certificates.isEmpty == false
            )
            #expect(records.allSatisfy { $0.exchange.outcome == .completed })
        }
    }

    @Test("The durations of the record are those of the proxy's clock")
    func durations() async throws {
        let origin = try await secureOrigin()
        try await RunningProxy.run(clock: TestClock()) { proxy in
            let client = try await proxy.secureTunnel(to: origin.port)
            try await client.send("GET /a HTTP/1.1\r\nHost: localhost:\(origin.port)\r\n\r\n")
            #expect(try await client.response().text == "/a")
            // It stands still.
            let timeline = try await proxy.record().exchange.timeline
            #expect(timeline.connect == 0 && timeline.tls == 0 && timeline.duration == 0)
        }
    }

    @Test("Addresses are names too, without SNI", arguments: ["127.0.0.1"])
    func address(host: String) async throws {
        let origin = try await secureOrigin()
        try await RunningProxy.run { proxy in
            let client = try await proxy.secureTunnel(to: origin.port, host: host)
            try await client.send("GET /x HTTP/1.1\r\nHost: \(host)\r\n\r\n")
            #expect(try await client.response().text == "/x")
            #expect(try await proxy.record().exchange.host == host)
        }
    }

    @Test("A ClientHello is read however it is cut", arguments: [1, 6, 100])
    func cutHello(pieceBytes: Int) async throws {
        let origin = try await secureOrigin()
        let hello = try await Self.clientHello(name: "localhost")
        #expect(hello.count > 150 && hello.first == 0x16)
        try await RunningProxy.run { proxy in
            let client = try await proxy.tunnel(to: origin.port)
            var start = 0
            while start < hello.count {
                let end = min(start + pieceBytes, hello.count)
                try await client.send(Array(hello[start..<end]))
                start = end
            }
            // A ServerHello is the answer to a whole ClientHello.
            let answer = try await client.read(count: 6)
            #expect(answer[0] == 0x16 && answer[5] == 2)
        }
    }

    @Test("A ClientHello that does not end in time ends the connection and leaves a failed row")
    func unfinishedHello() async throws {
        let origin = try await secureOrigin()
        let hello = try await Self.clientHello(name: "localhost")
        try await RunningProxy.run(clock: TestClock()) { proxy in
            // The first of it comes with the CONNECT, so that it has been read when that is answered.
            let client = try await proxy.connect()
            let connect = "CONNECT localhost:\(origin.port) HTTP/1.1\r\nHost: localhost\r\n\r\n"
            try await client.send(Array(connect.utf8) + hello.prefix(100))
            _ = try await client.read(through: "200 Connection Established\r\n\r\n")
            try await proxy.expire(.seconds(10), client)
            #expect(try await client.readToEnd() == [])
            let record = try await proxy.record()
            #expect(record.failure == "client tls timeout" && record.exchange.host == "localhost")
        }
    }

    @Test("Plain HTTP inside a tunnel is read and recorded")
    func plain() async throws {
        let origin = try await LoopbackOrigin.start(
            script: RawRequest.answering { _ in Array("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok".utf8) }
        )
        try await RunningProxy.run { proxy in
            let client = try await proxy.tunnel(to: origin.port, host: "127.0.0.1")
            let request = "GET /x HTTP/1.1\r\nHost: a.test\r\n\r\n"
            for piece in ["G", "ET /", String(request.dropFirst(5))] { try await client.send(piece) }
            #expect(try await client.response().text == "ok")
            #expect(origin.connections.map(\.receivedText) == [request])
            let exchange = try await proxy.record().exchange
            #expect(
                exchange.scheme == .http && exchange.host == "127.0.0.1" && exchange.port == origin.port
                    && exchange.target == "/x"
            )
        }
    }

    @Test("What a client sends behind its CONNECT without waiting is not lost")
    func eager() async throws {
        let origin = try await LoopbackOrigin.start(
            script: RawRequest.answering { _ in Array("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok".utf8) }
        )
        try await RunningProxy.run { proxy in
            let client = try await proxy.connect()
            try await client.send(
                "CONNECT 127.0.0.1:\(origin.port) HTTP/1.1\r\nHost: a\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n"
            )
            #expect(try await client.read(through: "\r\n\r\n") == "HTTP/1.1 200 Connection Established\r\n\r\n")
            #expect(try await client.response().text == "ok")
        }
    }

    @Test("A request inside that came with the end of the client's input is answered, and then nothing more is awaited")
    func requestAndEnd() async throws {
        let origin = try await LoopbackOrigin.fine()
        try await RunningProxy.run(clock: TestClock()) { proxy in
            let client = try await proxy.connect()
            // All of it is there before the upstream can be.
            try await proxy.holdingUp {
                try await client.send(
                    "CONNECT 127.0.0.1:\(origin.port) HTTP/1.1\r\nHost: a\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n"
                )
                try await client.halfClose()
            }
            _ = try await client.read(through: "200 Connection Established\r\n\r\n")
            #expect(try await client.response().text == "ok")
            #expect(try await client.readToEnd() == [] && client.soFar.error == nil)
        }
    }

    @Test("Anything else passes unread, each way to its own end, and its bytes are counted")
    func opaque() async throws {
        let origin = try await LoopbackOrigin.start(
            script: { unanswered in
                guard unanswered.last == 10 else { return nil }
                return .init(consuming: unanswered.count, .send(Array("1:".utf8) + unanswered), .halfClose)
            }
        )
        try await RunningProxy.run { proxy in
            let client = try await proxy.tunnel(to: origin.port, host: "127.0.0.1")
            try await client.send("\0hello\n")
            #expect(try await client.readToEnd() == Array("1:\0hello\n".utf8))
            try await client.send("more")
            _ = try await origin.connections("what came after its end") { $0.first?.receivedBytes == 11 }
            #expect(proxy.sink.soFar.ended.isEmpty)
            try await client.halfClose()
            let record = try await proxy.record()
            #expect(
                record.exchange.outcome == .tunnelled && record.exchange.method == "CONNECT"
                    && record.exchange.scheme == nil
            )
            #expect(record.exchange.target == "127.0.0.1:\(origin.port)" && record.exchange.code == nil)
            #expect(record.exchange.request.body.length == 11 && record.exchange.response?.body.length == 9)
            #expect(record.exchange.warnings == [] && client.soFar.error == nil)
        }
    }

    @Test("When one side is done the other may go on, to the last byte for a slow reader")
    func halfClosed() async throws {
        let size = 4_000_000
        let origin = try await LoopbackOrigin.start(
            script: { unanswered in
                guard unanswered.last == 10 else { return nil }
                return .init(
                    consuming: unanswered.count,
                    .stream([UInt8](repeating: 0, count: 50_000), times: size / 50_000),
                    .halfClose
                )
            }
        )
        try await RunningProxy.run { proxy in
            let client = try await proxy.tunnel(to: origin.port, host: "127.0.0.1")
            try await client.setReading(false)
            try await client.send("\0go\n")
            try await client.halfClose()
            _ = try await origin.connections("the client's end") {
                $0.first?.isClientDone == true && ($0.first?.sentBytes ?? 0) > 100_000
            }
            try await client.setReading(true)
            #expect(try await client.readToEnd().count == size)
            #expect(client.soFar.error == nil)
            #expect(try await proxy.record().exchange.response?.body.length == Int64(size))
        }
    }

    @Test("The end of a client's input that comes before its upstream is there is passed on", arguments: [true, false])
    func endsEarly(isDialed: Bool) async throws {
        let origin = try await LoopbackOrigin.start { _ in nil }
        try await RunningProxy.run(clock: TestClock()) { proxy in
            func say(_ client: RawClient) async throws {
                // What may yet become a request, and does not.
                try await client.send("QUIT")
                try await client.halfClose()
                let seen = try await origin.connections("its end") { $0.first?.isClientDone == true }
                #expect(seen.first?.receivedText == "QUIT")
                try await client.close()
            }
            if isDialed {
                try await say(try await proxy.tunnel(to: origin.port, host: "127.0.0.1"))
            } else {
                try await proxy.listening(for: Endpoint(host: "127.0.0.1", port: origin.port)) { port in
                    try await say(try await RawClient.connect(port: port))
                }
            }
        }
    }

    @Test("An upstream that speaks first is let speak")
    func upstreamFirst() async throws {
        // An origin is asked only when bytes come, so another client of the same port stands in for the one that speaks.
        let listener = try await SpeakingOrigin.start("220 ready\r\n")
        try await RunningProxy.run(clock: TestClock()) { proxy in
            let client = try await proxy.tunnel(to: listener.port, host: "127.0.0.1")
            try await proxy.expire(.seconds(3), client)
            #expect(try await client.read(through: "\r\n") == "220 ready\r\n")
            try await client.close()
            #expect(try await proxy.record().exchange.outcome == .tunnelled)
        }
    }

    @Test("A CONNECT that cannot be is answered, and its connection ends, as what comes behind it may be the tunnel's")
    func declined() async throws {
        let origin = try await LoopbackOrigin.fine()
        let gone = try RefusingPort()
        try await RunningProxy.run { proxy in
            let client = try await proxy.connect()
            let authority = "127.0.0.1:\(origin.port)"
            try await client.send("CONNECT 127.0.0.1:\(gone.port) HTTP/1.1\r\nHost: a\r\n\r\n")
            let response = try await client.response()
            #expect(response.code == 502 && response.head.contains("\r\nConnection: close\r\n"))
            // Too late for what waits for the end of it, and no request either.
            try? await client.send("GET http://\(authority)/ HTTP/1.1\r\nHost: \(authority)\r\n\r\n")
            #expect(try await client.readToEnd() == [])
            #expect(try await proxy.record().failure == "upstream connect refused")
            #expect(origin.connections.isEmpty)
        }
        withExtendedLifetime(gone) {}
    }

    @Test("What comes behind a CONNECT without waiting is no request to the proxy where there is no tunnel")
    func eagerAndDeclined() async throws {
        let origin = try await LoopbackOrigin.fine()
        let gone = try RefusingPort()
        try await RunningProxy.run { proxy in
            let client = try await proxy.connect()
            let authority = "127.0.0.1:\(origin.port)"
            try await client.send(
                "CONNECT 127.0.0.1:\(gone.port) HTTP/1.1\r\nHost: a\r\n\r\nGET http://\(authority)/ HTTP/1.1\r\nHost: \(authority)\r\n\r\n"
            )
            let response = try await client.response()
            #expect(response.code == 502 && response.head.contains("\r\nConnection: close\r\n"))
            #expect(try await client.readToEnd() == [])
            #expect(try await proxy.record().failure == "upstream connect refused")
            #expect(origin.connections.isEmpty)
        }
        withExtendedLifetime(gone) {}
    }

    @Test("What comes behind a CONNECT while its upstream is dialled is no request to us where there is no tunnel")
    func followedAndDeclined() async throws {
        let names = HeldNames()
        let origin = try await LoopbackOrigin.fine()
        let gone = try RefusingPort()
        try await RunningProxy.run(configure: { $0.lookUp = { _ in try names.addresses() } }) { proxy in
            defer { names.letGo() }
            let client = try await proxy.connect()
            let authority = "127.0.0.1:\(origin.port)"
            try await client.send("CONNECT slow.test:\(gone.port) HTTP/1.1\r\nHost: a\r\n\r\n")
            _ = try await names.askedCount.wait(for: "the look-up") { $0 == 1 }
            try await client.send("GET http://\(authority)/ HTTP/1.1\r\nHost: \(authority)\r\n\r\n")
            for _ in 1...2 { try await proxy.server.beat() }
            names.letGo()
            let response = try await client.response()
            #expect(response.code == 502 && response.head.contains("\r\nConnection: close\r\n"))
            #expect(try await client.readToEnd() == [])
            #expect(try await proxy.record().failure == "upstream connect refused")
            #expect(origin.connections.isEmpty)
        }
        withExtendedLifetime(gone) {}
    }

    @Test("What comes behind a CONNECT while its refusal waits for the record is no request to us, either")
    func followedAndTurnedAway() async throws {
        let origin = try await LoopbackOrigin.fine()
        try await RunningProxy.run(
            RecordingSink(.whenAsked),
            clock: TestClock(),
            configure: { $0.credentials = Credentials("user:secret") }
        ) { proxy in
            let client = try await proxy.connect()
            let authority = "127.0.0.1:\(origin.port)"
            try await client.send("CONNECT \(authority) HTTP/1.1\r\nHost: \(authority)\r\n\r\n")
            _ = try await proxy.sink.ended()
            let field = "Proxy-Authorization: Basic dXNlcjpzZWNyZXQ=\r\n"
            try await client.send("GET http://\(authority)/ HTTP/1.1\r\nHost: \(authority)\r\n\(field)\r\n")
            for _ in 1...2 { try await proxy.server.beat() }
            proxy.sink.commit()
            #expect(try await client.response().code == 407)
            #expect(try await client.readToEnd() == [])
            #expect(try await proxy.record().failure == "client request proxy-authentication")
            #expect(origin.connections.isEmpty)
        }
    }

    @Test("What comes behind a CONNECT while its upstream is dialled is the first in the tunnel, however much it is")
    func followedAndAccepted() async throws {
        let names = HeldNames()
        let origin = try await LoopbackOrigin.start { _ in nil }
        let pieces = (UInt8(0)..<30).map { [UInt8](repeating: $0, count: 1_000) }
        try await RunningProxy.run(configure: {
            $0.lookUp = { _ in try names.addresses() }
            // Most of it waits in the socket.
            $0.pipelineLimitBytes = 1_000
        }) { proxy in
            defer { names.letGo() }
            let client = try await proxy.connect()
            try await client.send("CONNECT slow.test:\(origin.port) HTTP/1.1\r\nHost: a\r\n\r\n")
            _ = try await names.askedCount.wait(for: "the look-up") { $0 == 1 }
            for piece in pieces { try await client.send(piece) }
            names.letGo()
            _ = try await client.read(through: "200 Connection Established\r\n\r\n")
            let seen = try await origin.connections("all of it") { ($0.first?.receivedBytes ?? 0) >= 30_000 }
            #expect(seen.first?.received == pieces.flatMap { $0 })
        }
    }

    @Test(
        "A CONNECT that names no endpoint, or has a body, is refused",
        arguments: [
            "localhost", "/x", "http://localhost:80/", "localhost:0", "a b:1", "localhost:99999", ":443", "[::1]",
        ]
    )
    func badTarget(target: String) async throws {
        try await RunningProxy.run { proxy in
            let client = try await proxy.connect()
            try await client.send("CONNECT \(target) HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(try await client.response().code == 400)
            #expect(try await proxy.record().failure == "client request malformed")
        }
    }

    /// The first flight of a client that speaks TLS, taken from one that connects to nobody who answers.
    static func clientHello(name: String) async throws -> [UInt8] {
        let catcher = try await LoopbackOrigin.start { _ in nil }
        let client = try await RawClient.connect(port: catcher.port)
        async let handshake: String? = client.startTLS(name: name, trusting: nil, within: .seconds(20))
        let caught = try await catcher.connections("a ClientHello") { connections in
            guard let bytes = connections.first?.received, bytes.count > 5 else { return false }
            return bytes.count >= 5 + Int(bytes[3]) << 8 + Int(bytes[4])
        }
        try? await client.close()
        _ = try? await handshake
        return caught.first?.received ?? []
    }
}
