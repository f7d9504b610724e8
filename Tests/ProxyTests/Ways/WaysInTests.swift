import NIOCore
import Proxy
import Support
import Testing
import Traffic

/// Each way in, by a client that speaks it byte by byte.
@Suite(.timeLimit(.minutes(15)))
struct WaysInTests {
    private static let answering = RawRequest.answering { request in
        let said = "\(request.target) \(request.field("host") ?? "-")"
        return Array("HTTP/1.1 200 OK\r\nContent-Length: \(said.utf8.count)\r\n\r\n\(said)".utf8)
    }

    static func listening(_ ways: ListenMode.Way...) -> (inout ProxyConfiguration) -> Void {
        { $0.listenModes = ways.map { ListenMode($0, host: "127.0.0.1", port: 0) } }
    }

    @Test("SOCKS: plain HTTP, TLS and anything else inside are read as inside a CONNECT")
    func socks() async throws {
        let plain = try await LoopbackOrigin.start(script: Self.answering)
        let secure = try await LoopbackOrigin.start(tls: Certificates.server("good"), script: Self.answering)
        let opaque = try await LoopbackOrigin.start {
            $0.last == 10 ? .init(consuming: $0.count, .send([7]), .close) : nil
        }
        try await RunningProxy.run(configure: Self.listening(.socks5(nil))) { proxy in
            let first = try await SOCKSClient.connect(proxy.port, host: "localhost", port: plain.port)
            try await first.client.send("GET /a HTTP/1.1\r\nHost: x\r\n\r\n")
            #expect(try await first.client.response().text == "/a x")

            let second = try await SOCKSClient.connect(proxy.port, host: "127.0.0.1", port: secure.port)
            try await second.client.startTLS(name: "localhost", trusting: proxy.rootFile)
            try await second.client.send("GET /b HTTP/1.1\r\nHost: y\r\n\r\n")
            #expect(try await second.client.response().text == "/b y")

            let third = try await SOCKSClient.connect(proxy.port, host: "127.0.0.1", port: opaque.port)
            try await third.client.send("\0hi\n")
            #expect(try await third.client.readToEnd() == [7])
            try await third.client.close()

            let records = try await proxy.sink.begun(3).map(\.exchange)
            #expect(records[0].host == "localhost" && records[0].scheme == .http && records[0].target == "/a")
            // The client had resolved the name itself; its ClientHello says which one it meant.
            #expect(records[1].host == "localhost" && records[1].scheme == .https && records[1].port == secure.port)
            #expect(records[2].outcome == .tunnelled && records[2].method == "CONNECT" && records[2].scheme == nil)
            #expect(records[2].request.body.length == 4 && records[2].response?.body.length == 1)
        }
    }

    @Test("SOCKS: what cannot be reached gets the reply that says why, and a row")
    func socksFailures() async throws {
        let gone = try RefusingPort()
        try await RunningProxy.run(configure: Self.listening(.socks5(nil))) { proxy in
            let refused = try await SOCKSClient.connect(proxy.port, host: "127.0.0.1", port: gone.port)
            #expect(refused.reply == 5)
            let unknown = try await SOCKSClient.connect(proxy.port, host: UnknownName.host, port: 80)
            #expect(unknown.reply == 4)
            let own = try await SOCKSClient.connect(proxy.port, host: "localhost", port: proxy.port)
            #expect(own.reply == 2)
            for client in [refused.client, unknown.client, own.client] {
                #expect(try await client.readToEnd() == [] && client.soFar.error == nil)
            }
            let records = try await proxy.sink.begun(3)
            #expect(
                records.map(\.failure) == [
                    "upstream connect refused", "upstream dns unknown-name", "proxy connect loop",
                ]
            )
            #expect(records.map(\.exchange.host) == ["127.0.0.1", UnknownName.host, "localhost"])
        }
        withExtendedLifetime(gone) {}
    }

    @Test("SOCKS: a login is asked for, and what is no SOCKS or stands still is answered and ends")
    func socksRefusals() async throws {
        let way = ListenMode.Way.socks5(Credentials("user:secret"))
        try await RunningProxy.run(clock: TestClock(), configure: Self.listening(way)) { proxy in
            let none = try await RawClient.connect(port: proxy.port)
            try await none.send([5, 1, 0])
            #expect(try await none.readToEnd() == [5, 0xFF])

            let wrong = try await RawClient.connect(port: proxy.port)
            try await wrong.send([5, 1, 2, 1, 4] + Array("user".utf8) + [6] + Array("Secret".utf8))
            #expect(try await wrong.readToEnd() == [5, 2, 1, 1])

            let other = try await RawClient.connect(port: proxy.port)
            try await other.send("GET / HTTP/1.1\r\n\r\n")
            #expect(try await other.readToEnd() == [5, 0xFF])

            let slow = try await RawClient.connect(port: proxy.port)
            // The half of a login is read when the method is answered.
            try await slow.send([5, 1, 2, 1, 4])
            #expect(try await slow.read(count: 2) == [5, 2])
            // One that says nothing ends as well, and leaves no row; it is there when one that came later is answered.
            let silent = try await RawClient.connect(port: proxy.port)
            let later = try await RawClient.connect(port: proxy.port)
            try await later.send([5, 1, 2])
            #expect(try await later.read(count: 2) == [5, 2])
            try await proxy.expire(.seconds(15), slow, silent, later)
            for client in [slow, silent, later] { #expect(try await client.readToEnd() == []) }

            let records = try await proxy.sink.begun(5)
            #expect(
                records.map(\.failure) == [
                    "client request proxy-authentication", "client request proxy-authentication",
                    "client request socks-version", "client request timeout", "client request timeout",
                ]
            )
            #expect(!records.contains { $0.head.contains("ecret") })
            #expect(records[2].head == "GET / HTTP/1.1\r\n\r\n")
        }
    }

    @Test(
        "Reverse: TLS and plain HTTP go to the one upstream, which is addressed by its own name",
        arguments: [true, false]
    )
    func reverse(isSecureUpstream: Bool) async throws {
        let tls = isSecureUpstream ? Certificates.server("good") : nil
        let origin = try await LoopbackOrigin.start(tls: tls, script: Self.answering)
        let upstream = Endpoint(host: "localhost", port: origin.port)
        let scheme = isSecureUpstream ? Scheme.https : .http
        try await RunningProxy.run(configure: {
            Self.listening(.reverse(scheme, upstream))(&$0)
            $0.ownNames = ["front.test"]
        }) { proxy in
            let plain = try await proxy.connect()
            try await plain.send("GET /a HTTP/1.1\r\nHost: front.test\r\n\r\n")
            #expect(try await plain.response().text == "/a \(upstream)")
            // An origin server takes the absolute form as well.
            try await plain.send("GET http://front.test/b?c HTTP/1.1\r\nHost: front.test\r\n\r\n")
            #expect(try await plain.response().text == "/b?c \(upstream)")

            for name in ["front.test", "127.0.0.1"] {
                let secure = try await proxy.connect()
                // Without SNI, the leaf is for the upstream's host.
                let shown = name == "127.0.0.1" ? "localhost" : name
                try await secure.startTLS(name: name, trusting: name == shown ? proxy.rootFile : nil)
                try await secure.send("GET /d HTTP/1.1\r\nHost: \(upstream)\r\n\r\n")
                #expect(try await secure.response().text == "/d \(upstream)")
            }
            let records = try await proxy.sink.begun(4)
            #expect(records.allSatisfy { $0.exchange.host == "localhost" && $0.exchange.scheme == scheme })
            #expect(records.allSatisfy { $0.exchange.outcome == .completed && $0.exchange.port == origin.port })
            #expect(
                records[0].head.contains("front.test") && records[0].sentHead?.contains("Host: \(upstream)") == true
            )
            #expect(records[0].exchange.warnings.count == 1 && records[2].exchange.warnings.isEmpty)
            #expect(records[2].exchange.client.tls?.serverName == "front.test")
        }
    }

    @Test("Reverse: a CONNECT is answered 405, bytes that are no HTTP 400, and both are recorded")
    func reverseRefusals() async throws {
        let origin = try await LoopbackOrigin.start(script: Self.answering)
        let upstream = Endpoint(host: "localhost", port: origin.port)
        try await RunningProxy.run(configure: Self.listening(.reverse(.http, upstream))) { proxy in
            let tunnel = try await proxy.connect()
            try await tunnel.send("CONNECT a.test:443 HTTP/1.1\r\nHost: a.test:443\r\n\r\n")
            let answer = try await tunnel.response()
            #expect(answer.code == 405 && answer.head.contains("\r\nAllow: GET"))
            let opaque = try await proxy.connect()
            try await opaque.send("\u{1}\u{2}\u{3}\r\n\r\n")
            #expect(try await opaque.response().code == 400)
            // Nothing more comes, which is known at once.
            let cut = try await proxy.connect()
            try await cut.send("GE")
            try await cut.halfClose()
            #expect(try await cut.response().code == 400)
            #expect(
                try await proxy.sink.ended(3).map(\.failure) == [
                    "client request method", "client request malformed", "client request unfinished",
                ]
            )
            #expect(origin.connections.isEmpty)
        }
    }

    @Test("Several listeners serve at once, each its own way")
    func several() async throws {
        let origin = try await LoopbackOrigin.start(script: Self.answering)
        let upstream = Endpoint(host: "127.0.0.1", port: origin.port)
        try await RunningProxy.run(
            configure: Self.listening(.explicit, .socks5(nil), .reverse(.http, upstream), .explicit)
        ) { proxy in
            #expect(Set(proxy.ports).count == 4)
            for port in [proxy.ports[0], proxy.ports[3]] {
                let client = try await RawClient.connect(port: port)
                try await client.send("GET http://\(upstream)/e HTTP/1.1\r\nHost: \(upstream)\r\n\r\n")
                #expect(try await client.response().text == "/e \(upstream)")
            }
            let socks = try await SOCKSClient.connect(proxy.ports[1], host: "127.0.0.1", port: origin.port)
            try await socks.client.send("GET /s HTTP/1.1\r\nHost: s\r\n\r\n")
            #expect(try await socks.client.response().text == "/s s")
            let reverse = try await RawClient.connect(port: proxy.ports[2])
            try await reverse.send("GET /r HTTP/1.1\r\nHost: localhost\r\n\r\n")
            #expect(try await reverse.response().text == "/r \(upstream)")
            #expect(try await proxy.sink.ended(4).allSatisfy { $0.exchange.outcome == .completed })
        }
    }

    @Test("An explicit listener with credentials answers 407 until they are right, and sends them nowhere")
    func credentials() async throws {
        let origin = try await LoopbackOrigin.start(script: Self.answering)
        let authority = "127.0.0.1:\(origin.port)"
        try await RunningProxy.run(configure: { $0.credentials = Credentials("user:secret") }) { proxy in
            let client = try await proxy.connect()
            for (count, request) in [
                "GET http://\(authority)/ HTTP/1.1\r\nHost: \(authority)\r\n\r\n",
                "GET http://\(authority)/ HTTP/1.1\r\nHost: \(authority)\r\nProxy-Authorization: Basic dXNlcjp3cm9uZw==\r\n\r\n",
                "POST http://\(authority)/ HTTP/1.1\r\nHost: \(authority)\r\nContent-Length: 2\r\n\r\nhi",
                "CONNECT \(authority) HTTP/1.1\r\nHost: \(authority)\r\n\r\n",
            ].enumerated() {
                // Behind a CONNECT that is refused the connection ends.
                let asking = request.hasPrefix("CONNECT") ? try await proxy.connect() : client
                try await asking.send(request)
                let answer = try await asking.response()
                #expect(answer.code == 407 && answer.head.contains("\r\nProxy-Authenticate: Basic realm="))
                #expect(!answer.text.contains("secret") && !answer.text.contains("dXNl"))
                let record = try #require(try await proxy.sink.ended(count + 1).last)
                #expect(record.failure == "client request proxy-authentication" && record.exchange.code == nil)
                #expect(record.exchange.host == "127.0.0.1" && record.exchange.port == origin.port)
            }
            // The same connection may try again, with the right ones.
            let field = "Proxy-Authorization: Basic dXNlcjpzZWNyZXQ=\r\n"
            try await client.send("GET http://\(authority)/ok HTTP/1.1\r\nHost: \(authority)\r\n\(field)\r\n")
            #expect(try await client.response().text == "/ok \(authority)")
            let gone = try RefusingPort()
            let refused = try await proxy.connect()
            try await refused.send("CONNECT 127.0.0.1:\(gone.port) HTTP/1.1\r\nHost: \(authority)\r\n\(field)\r\n")
            #expect(try await refused.response().code == 502)
            try await client.send("CONNECT \(authority) HTTP/1.1\r\nHost: \(authority)\r\n\(field)\r\n")
            _ = try await client.read(through: "200 Connection Established\r\n\r\n")
            try await client.send("GET /in HTTP/1.1\r\nHost: \(authority)\r\n\r\n")
            #expect(try await client.response().text == "/in \(authority)")
            #expect(!origin.connections.contains { $0.receivedText.lowercased().contains("proxy-auth") })
            // Whoever may read the captures need not be let through.
            let heads = try await proxy.sink.ended(7).map { String(buffer: $0.exchange.request.head) }
            #expect(heads.count { $0.contains("\r\nProxy-Authorization: Basic (not recorded)\r\n") } == 3, "\(heads)")
            #expect(!heads.contains { $0.contains("dXNl") }, "\(heads)")
            withExtendedLifetime(gone) {}
        }
    }
}
