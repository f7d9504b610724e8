import NIOCore
import Proxy
import Support
import Testing
import Traffic

/// How upstreams are reached: through another proxy, by other addresses, untouched, or with a certificate of ours.
@Suite(.timeLimit(.minutes(15)))
struct WaysOutTests {
    private static let answering = RawRequest.answering { request in
        Array("HTTP/1.1 200 OK\r\nContent-Length: \(request.target.utf8.count)\r\n\r\n\(request.target)".utf8)
    }

    /// Two proxies, the first of which reaches everything through the second.
    private func chain(
        _ kind: UpstreamProxy.Kind,
        asks: Credentials?,
        shows: Credentials?,
        _ body: (_ first: RunningProxy, _ second: RunningProxy) async throws -> Void
    ) async throws {
        let way: ListenMode.Way = kind == .http ? .explicit : .socks5(nil)
        try await RunningProxy.run(configure: {
            WaysInTests.listening(way)(&$0)
            $0.credentials = asks
            $0.passThrough += [HostPattern("*")].compactMap { $0 }
        }) { second in
            let endpoint = Endpoint(host: "localhost", port: second.port)
            try await RunningProxy.run(configure: {
                $0.upstreamProxy = UpstreamProxy(kind, endpoint, credentials: shows)
            }) { first in try await body(first, second) }
        }
    }

    @Test(
        "Everything goes through an upstream proxy, of either kind, with and without credentials",
        arguments: [UpstreamProxy.Kind.http, .socks5],
        [nil, Credentials("user:p:w")]
    )
    func chained(_ kind: UpstreamProxy.Kind, _ credentials: Credentials?) async throws {
        let plain = try await LoopbackOrigin.start(script: Self.answering)
        let secure = try await LoopbackOrigin.start(tls: Certificates.server("good"), script: Self.answering)
        let speaking = try await SpeakingOrigin.start("220 ready\r\n")
        try await chain(kind, asks: credentials, shows: credentials) { first, second in
            let client = try await first.connect()
            let authority = "localhost:\(plain.port)"
            try await client.send("GET http://\(authority)/a HTTP/1.1\r\nHost: \(authority)\r\n\r\n")
            #expect(try await client.response().text == "/a")
            let tls = try await first.secureTunnel(to: secure.port)
            try await tls.send("GET /b HTTP/1.1\r\nHost: localhost\r\n\r\n")
            #expect(try await tls.response().text == "/b")
            // An upstream that speaks at once is heard, though its words may come with the proxy's answer.
            let raw = try await first.tunnel(to: speaking.port, host: "127.0.0.1")
            try await raw.send("\0\n")
            #expect(try await raw.read(through: "\r\n") == "220 ready\r\n")
            try await raw.close()
            let records = try await first.sink.ended(3).map(\.exchange)
            #expect(records.map(\.outcome) == [.completed, .completed, .tunnelled])
            #expect(records.allSatisfy { $0.upstream?.address.hasSuffix(":\(second.port)") == true })
            #expect(records[0].timeline.connect != nil && records[1].upstream?.tls != nil)
            // The second proxy saw names, and nothing but tunnels.
            let seen = try await second.sink.told("the tunnels there") { !$0.ended.isEmpty }
            #expect(seen.ended.allSatisfy { $0.exchange.outcome == .tunnelled })
        }
    }

    @Test("What the upstream proxy will not do is told with side, phase and cause")
    func refusals() async throws {
        let gone = try RefusingPort()
        let origin = try await LoopbackOrigin.start(script: Self.answering)
        func failure(of proxy: RunningProxy, port: Int, code: Int) async throws -> String {
            let client = try await proxy.connect()
            let authority = "localhost:\(port)"
            try await client.send("GET http://\(authority)/ HTTP/1.1\r\nHost: \(authority)\r\n\r\n")
            let answer = try await client.response()
            #expect(answer.code == code && !answer.text.contains("secret"), "\(answer.text)")
            return try #require(try await proxy.sink.ended().last).failure
        }
        for kind in [UpstreamProxy.Kind.http, .socks5] {
            let asked = Credentials("user:right")
            for shown in [nil, Credentials("user:secret")] {
                try await chain(kind, asks: asked, shows: shown) { first, _ in
                    let told = try await failure(of: first, port: origin.port, code: 502)
                    #expect(told == "upstream connect proxy-authentication")
                }
            }
            try await chain(kind, asks: nil, shows: nil) { first, second in
                let told = try await failure(of: first, port: gone.port, code: 502)
                #expect(told == (kind == .http ? "upstream connect proxy-refused" : "upstream connect refused"))
                // Neither proxy is led to itself by the other.
                let client = try await first.connect()
                for (port, code) in [(first.port, 508), (second.port, 502)] {
                    let authority = "127.0.0.1:\(port)"
                    try await client.send("GET http://\(authority)/ HTTP/1.1\r\nHost: \(authority)\r\n\r\n")
                    #expect(try await client.response().code == code)
                }
                let refusal = "upstream connect proxy-refused"
                #expect(try await first.sink.ended(3).suffix(2).map(\.failure) == ["proxy connect loop", refusal])
            }
            func through(_ port: Int, _ script: @escaping LoopbackOrigin.Script = { _ in nil }) async throws -> String {
                var told = ""
                try await RunningProxy.run(configure: {
                    $0.upstreamProxy = UpstreamProxy(kind, Endpoint(host: "127.0.0.1", port: port))
                }) { proxy in told = try await failure(of: proxy, port: gone.port, code: 502) }
                return told
            }
            #expect(try await through(gone.port) == "upstream connect refused")
            let closing = try await LoopbackOrigin.start { .init(consuming: $0.count, .close) }
            #expect(try await through(closing.port) == "upstream connect closed")
            let talking = try await LoopbackOrigin.start {
                .init(consuming: $0.count, .send(Array("hello\r\n\r\n".utf8)))
            }
            #expect(try await through(talking.port) == "upstream connect protocol")
        }
        withExtendedLifetime(gone) {}
    }

    @Test("An upstream proxy that says nothing is a timeout", arguments: [UpstreamProxy.Kind.http, .socks5])
    func silent(_ kind: UpstreamProxy.Kind) async throws {
        let silent = try await LoopbackOrigin.start { _ in nil }
        try await RunningProxy.run(
            clock: TestClock(),
            configure: { $0.upstreamProxy = UpstreamProxy(kind, Endpoint(host: "127.0.0.1", port: silent.port)) }
        ) { proxy in
            let client = try await proxy.connect()
            try await client.send("GET http://a.test/ HTTP/1.1\r\nHost: a.test\r\n\r\n")
            _ = try await silent.connections("what the proxy says first") { ($0.first?.receivedBytes ?? 0) > 0 }
            try await proxy.expire(.seconds(10), client)
            #expect(try await client.response().code == 504)
            #expect(try await proxy.record().failure == "upstream connect timeout")
        }
    }

    @Test("The upstream proxy may not be ourselves")
    func ourselves() async throws {
        var configuration = ProxyConfiguration()
        try await RunningProxy.run(configure: { configuration = $0 }) { proxy in
            // The port is known only once the proxy listens.
            configuration.upstreamProxy = UpstreamProxy(.http, Endpoint(host: "localhost", port: proxy.port))
            try await proxy.server.reload(configuration, authority: proxy.authority)
            let client = try await proxy.connect()
            try await client.send("GET http://a.test/ HTTP/1.1\r\nHost: a.test\r\n\r\n")
            #expect(try await client.response().code == 508)
            #expect(try await proxy.record().failure == "proxy connect loop")
        }
    }

    @Test("Hosts that are passed through are never read: by the tunnel's name or by the ClientHello's")
    func passThrough() async throws {
        let origin = try await LoopbackOrigin.start(tls: Certificates.server("good")) { unanswered in
            guard var reply = Self.answering(unanswered) else { return nil }
            reply.steps.append(.close)
            return reply
        }
        try await RunningProxy.run(configure: {
            WaysInTests.listening(.explicit, .socks5(nil))(&$0)
            $0.passThrough = [HostPattern("local*")].compactMap { $0 }
        }) { proxy in
            let named = try await proxy.tunnel(to: origin.port)
            // The client sees the upstream's own certificate, which our root did not sign.
            try await named.startTLS(name: "localhost", trusting: Certificates.file("root.pem"))
            try await named.send("GET /a HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(try await named.response().text == "/a")
            try await named.close()
            let byHello = try await SOCKSClient.connect(proxy.ports[1], host: "127.0.0.1", port: origin.port)
            try await byHello.client.startTLS(name: "localhost", trusting: Certificates.file("root.pem"))
            try await byHello.client.send("GET /b HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(try await byHello.client.response().text == "/b")
            try await byHello.client.close()
            let records = try await proxy.sink.ended(2).map(\.exchange)
            #expect(records.allSatisfy { $0.outcome == .tunnelled && $0.method == "CONNECT" && $0.host == "localhost" })
            #expect(records.allSatisfy { $0.request.body.length > 100 && $0.port == origin.port })
            // Another name at the same address is read.
            let other = try await proxy.tunnel(to: origin.port, host: "127.0.0.1")
            try await other.startTLS(name: "127.0.0.1", trusting: proxy.rootFile)
            try await other.send("GET /c HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(try await other.response().text == "/c")
            #expect(try await proxy.sink.ended(3)[2].exchange.scheme == .https)
        }
    }

    @Test("An address given for a host and port is connected to in place of the resolver's, and is no way to ourselves")
    func overrides() async throws {
        let origin = try await LoopbackOrigin.start(script: Self.answering)
        let (refusing, other) = try RefusingPort.ofBoth()
        try await RunningProxy.run(configure: {
            $0.nameOverrides = [
                NameOverride(host: nil, port: origin.port, addresses: ["127.0.0.1"]),
                NameOverride(host: nil, port: refusing.port, addresses: ["127.0.0.1"]),
                NameOverride(host: "gone.test", port: refusing.port, addresses: ["::1", "127.0.0.1"]),
            ].compactMap { $0 }
        }) { proxy in
            let client = try await proxy.connect()
            func code(_ authority: String) async throws -> Int {
                try await client.send("GET http://\(authority)/ HTTP/1.1\r\nHost: \(authority)\r\n\r\n")
                return try await client.response().code
            }
            #expect(try await code("any.test:\(origin.port)") == 200)
            #expect(try await code("gone.test:\(refusing.port)") == 502)
            #expect(try await code("any.test:\(refusing.port)") == 502)
            let records = try await proxy.sink.ended(3)
            #expect(
                records[0].exchange.host == "any.test"
                    && records[0].exchange.upstream?.address == "127.0.0.1:\(origin.port)"
            )
            #expect(
                records[1].failure == "upstream connect refused" && records[2].failure == "upstream connect refused"
            )
        }
        withExtendedLifetime((refusing, other)) {}
    }
}
