import NIOCore
import Proxy
import Support
import Testing
import Traffic

/// Pages of the proxy's own: by the reserved name in every form that a client of a proxy has, and from a listener's own address.
@Suite(.timeLimit(.minutes(15)))
struct LocalPagesTests {
    /// One page that says how it was asked for.
    private static let pages = LocalPages(names: ["localhost", "this-machine.local"]) { request in
        guard request.path == "/" else { return nil }
        let said = "\(request.isDecrypted ? "decrypted" : "plain") \(request.isProxied ? "proxied" : "direct")"
        return LocalPage(mediaType: "text/plain", content: "\(said) \(request.proxy)\n".utf8)
    }

    private static func run(
        _ configure: (inout ProxyConfiguration) -> Void = { _ in },
        _ body: (RunningProxy) async throws -> Void
    ) async throws {
        try await RunningProxy.run(
            configure: {
                $0.localPages = pages
                configure(&$0)
            },
            body
        )
    }

    @Test("The reserved name is answered in absolute-form, in tunnels with and without TLS, and through SOCKS")
    func reserved() async throws {
        try await Self.run({
            $0.listenModes = [
                ListenMode(.explicit, host: "127.0.0.1", port: 0), ListenMode(.socks5(nil), host: "127.0.0.1", port: 0),
            ]
            // Nothing of this may lead past the pages.
            $0.passThrough = [HostPattern("*")].compactMap { $0 }
            $0.nameOverrides = []
        }) { proxy in
            let place = "127.0.0.1:\(proxy.port)"
            let client = try await proxy.connect()
            for _ in 0..<2 {
                try await client.send("GET http://INSPECT.proxy/?a HTTP/1.1\r\nHost: inspect.proxy\r\n\r\n")
                let answer = try await client.read(through: " \(place)\n")
                #expect(answer.hasPrefix("HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: "))
                #expect(answer.hasSuffix("\r\n\r\nplain proxied \(place)\n"))
                #expect(answer.contains("\r\nContent-Security-Policy: default-src 'none'; sandbox\r\n"))
            }
            try await client.send("HEAD http://inspect.proxy/ HTTP/1.1\r\nHost: inspect.proxy\r\n\r\n")
            #expect(try await client.read(through: "\r\n\r\n").contains("Content-Length: "))

            let plain = try await proxy.tunnel(to: 80, host: "inspect.proxy")
            try await plain.send("GET / HTTP/1.1\r\nHost: inspect.proxy\r\n\r\n")
            #expect(try await plain.read(through: "\(place)\n").hasSuffix("plain proxied \(place)\n"))
            let secure = try await proxy.secureTunnel(to: 443, host: "inspect.proxy")
            try await secure.send("GET / HTTP/1.1\r\nHost: inspect.proxy\r\n\r\n")
            #expect(try await secure.read(through: "\(place)\n").hasSuffix("decrypted proxied \(place)\n"))
            // A client that only says https has not shown that it trusts us.
            let claimed = try await proxy.connect()
            try await claimed.send("GET https://inspect.proxy/ HTTP/1.1\r\nHost: inspect.proxy\r\n\r\n")
            #expect(try await claimed.read(through: "\(place)\n").hasSuffix("plain proxied \(place)\n"))

            let socks = try await SOCKSClient.connect(proxy.ports[1], host: "inspect.proxy", port: 443)
            #expect(socks.reply == 0)
            try await socks.client.startTLS(name: "inspect.proxy", trusting: proxy.rootFile)
            try await socks.client.send("GET / HTTP/1.1\r\nHost: inspect.proxy\r\n\r\n")
            let there = "127.0.0.1:\(proxy.ports[1])\n"
            #expect(try await socks.client.read(through: there).hasSuffix("decrypted proxied \(there)"))

            let records = try await proxy.sink.begun(7).map(\.exchange)
            #expect(records.allSatisfy { $0.outcome == .completed && $0.code == 200 && $0.host == "inspect.proxy" })
            #expect(records.map(\.scheme) == [.http, .http, .http, .http, .https, .https, .https])
        }
    }

    @Test("Everything else of the reserved name is ourselves, and refused")
    func elsewhere() async throws {
        try await Self.run { proxy in
            let requests = [
                "GET http://inspect.proxy/other", "POST http://inspect.proxy/", "GET http://inspect.proxy:8080/",
                "GET http://inspect.proxy.:81/", "CONNECT inspect.proxy:22",
            ]
            let client = try await proxy.connect()
            for request in requests {
                try await client.send("\(request) HTTP/1.1\r\nHost: inspect.proxy\r\n\r\n")
                #expect(try await client.response().code == 508, "\(request)")
            }
            let opaque = try await proxy.tunnel(to: 443, host: "inspect.proxy")
            try await opaque.send([0, 1, 2, 3, 4, 5])
            #expect(try await opaque.readToEnd().isEmpty)
            let records = try await proxy.sink.ended(requests.count + 1)
            #expect(records.allSatisfy { $0.exchange.failure?.cause == .loop }, "\(records.map(\.failure))")
        }
    }

    @Test(
        "A listener's own address gives the page to a client that names an address or this machine, and nothing else",
        arguments: [
            ("GET / HTTP/1.1\r\nHost: 127.0.0.1:PORT", 200), ("HEAD / HTTP/1.1\r\nHost: 192.0.2.7", 200),
            ("GET /?x=1 HTTP/1.1\r\nHost: [fd00::1]:9", 200), ("GET / HTTP/1.1\r\nHost: localhost:PORT", 200),
            ("GET / HTTP/1.1\r\nHost: This-Machine.local", 200), ("GET / HTTP/1.0\r\nHost: 127.0.0.1", 200),
            // A web site whose name leads here, other pages, other methods.
            ("GET / HTTP/1.1\r\nHost: evil.test:PORT", 508), ("GET / HTTP/1.1\r\nHost: inspect.proxy", 508),
            ("GET / HTTP/1.1\r\nHost: 127.0.0.1.evil.test", 508), ("GET /other HTTP/1.1\r\nHost: 127.0.0.1", 508),
            ("GET /api/v1/exchanges HTTP/1.1\r\nHost: 127.0.0.1:PORT", 508),
            ("GET // HTTP/1.1\r\nHost: 127.0.0.1", 508),
            ("POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 0", 508),
            ("GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 2", 508),
            ("OPTIONS * HTTP/1.1\r\nHost: 127.0.0.1", 508), ("GET / HTTP/1.0", 508),
            ("GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nHost: 127.0.0.1", 400),
        ]
    )
    func ownAddress(_ head: String, _ code: Int) async throws {
        try await Self.run { proxy in
            let client = try await proxy.connect()
            try await client.send(head.replacing("PORT", with: "\(proxy.port)") + "\r\n\r\n")
            #expect(try await client.read(through: "\r\n\r\n").contains(" \(code) "))
            let record = try await proxy.record()
            #expect(record.exchange.outcome == (code == 200 ? .completed : .failed))
        }
    }

    @Test("A login is asked for through the proxy, and not for the page by which one learns to log in")
    func login() async throws {
        try await Self.run({ $0.credentials = Credentials("user:pass") }) { proxy in
            let direct = try await proxy.connect()
            try await direct.send("GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
            #expect(try await direct.read(through: "127.0.0.1:80\n").hasPrefix("HTTP/1.1 200 "))
            for request in [
                "GET /other HTTP/1.1\r\nHost: 127.0.0.1", "GET http://inspect.proxy/ HTTP/1.1\r\nHost: inspect.proxy",
            ] {
                let client = try await proxy.connect()
                try await client.send(request + "\r\n\r\n")
                #expect(try await client.response().code == 407)
            }
        }
    }

    @Test("Without pages the reserved name is a name like any other, and our own address refuses")
    func none() async throws {
        try await RunningProxy.run { proxy in
            let client = try await proxy.connect()
            try await client.send("GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
            #expect(try await client.response().code == 508)
        }
    }
}
