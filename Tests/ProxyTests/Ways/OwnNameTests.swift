import NIOCore
import Proxy
import Support
import Testing
import Traffic

/// A web site that gives its own name this machine's address (DNS rebinding) reaches no server through us.
@Suite(.timeLimit(.minutes(15)))
struct OwnNameTests {
    private static let answering = RawRequest.answering { _ in
        Array("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok".utf8)
    }

    /// Hosts by which a program of this machine may ask, once `given.test` is a name of ours.
    private static let taken = [
        "127.0.0.1", "127.0.0.1:80", "[::1]:1", "192.0.2.1", "localhost", "LOCALHOST:8080", "a.localhost", "localhost.",
        "given.test", "GIVEN.test:9", "", "workstation", "host.docker.internal", "workstation.local", "nas.home.arpa",
    ]
    /// Hosts that only look so.
    private static let refused = [
        "evil.test", "localhost.evil.test", "127.0.0.1.evil.test", "x.given.test", "internal.evil.test",
        "given.test.evil.test", "local.evil.test", "evillocal.test",
    ]

    private func expectAnswers(_ client: RawClient) async throws {
        for host in Self.taken {
            try await client.send("GET / HTTP/1.1\r\nHost: \(host)\r\n\r\n")
            #expect(try await client.response().code == 200, "\(host)")
        }
    }

    private func expectRefusal(_ client: RawClient, _ host: String, target: String = "/") async throws {
        try await client.send("GET \(target) HTTP/1.1\r\nHost: \(host)\r\n\r\n")
        let answer = try await client.response()
        #expect(answer.code == 421 && answer.text.contains("can give it this one"), "\(host)")
        #expect(!answer.text.contains("evil"), "\(host)")
    }

    @Test("A reverse listener takes addresses, this machine and names that were given; the upstream sees no other")
    func reverse() async throws {
        let origin = try await LoopbackOrigin.start(script: Self.answering)
        let upstream = Endpoint(host: "localhost", port: origin.port)
        try await RunningProxy.run(configure: {
            WaysInTests.listening(.reverse(.http, upstream))(&$0)
            $0.ownNames = ["given.test"]
        }) { proxy in
            for host in Self.refused {
                try await expectRefusal(try await proxy.connect(), host)
                let target = "http://\(host)/x"
                try await expectRefusal(try await proxy.connect(), "localhost", target: target)
            }
            // Over TLS, where the name is certified too.
            let secure = try await proxy.connect()
            try await secure.startTLS(name: "evil.test", trusting: proxy.rootFile)
            try await expectRefusal(secure, "evil.test")
            #expect(origin.connections.isEmpty)
            let ended = try await proxy.sink.ended(2 * Self.refused.count + 1)
            #expect(ended.allSatisfy { $0.failure == "client request host" && $0.exchange.ownResponse != nil })
            try await expectAnswers(try await proxy.connect())
            let bare = try await proxy.connect()
            try await bare.send("GET / HTTP/1.0\r\n\r\n")
            #expect(try await bare.response().code == 200)
            // A site may lead the browser of another machine here as well.
            try await proxy.listeningForStrangers(by: .reverse(.http, upstream)) { port in
                try await expectRefusal(try await RawClient.connect(port: port), "evil.test")
                try await expectAnswers(try await RawClient.connect(port: port))
            }
        }
    }

    @Test("The name of the reverse upstream is one that the user has given")
    func upstreamName() async throws {
        let origin = try await LoopbackOrigin.start(script: Self.answering)
        let upstream = Endpoint(host: "api.test", port: origin.port)
        try await RunningProxy.run(configure: {
            WaysInTests.listening(.reverse(.http, upstream))(&$0)
            $0.nameOverrides = [NameOverride(host: "api.test", port: origin.port, addresses: ["127.0.0.1"])]
                .compactMap { $0 }
        }) { proxy in
            let client = try await proxy.connect()
            try await client.send("GET / HTTP/1.1\r\nHost: API.test\r\n\r\n")
            #expect(try await client.response().code == 200)
        }
    }

    @Test("A listener that answers by itself does the same for requests that are sent to it as to their server")
    func answers() async throws {
        let source = Fine()
        try await RunningProxy.run(configure: {
            $0.answers = source
            $0.ownNames = ["given.test"]
        }) { proxy in
            for host in Self.refused { try await expectRefusal(try await proxy.connect(), host) }
            let secure = try await proxy.connect()
            try await secure.startTLS(name: "evil.test", trusting: proxy.rootFile)
            try await expectRefusal(secure, "evil.test")
            try await expectAnswers(try await proxy.connect())
            // A request of HTTP/2 does not say whether it is for its server or goes through a proxy.
            var rowCount = Self.refused.count + 1 + Self.taken.count
            for host in ["evil.test", "given.test"] {
                let fields = [(":method", "GET"), (":scheme", "http"), (":authority", host), (":path", "/")]
                let client = try await proxy.connect()
                try await client.send(H2Frames.opening + H2Frames.headers(fields, H2Frames.endStream))
                rowCount += 1
                let row = try #require(try await proxy.sink.ended(rowCount).last)
                #expect(row.failure == (host == "evil.test" ? "client request host" : "none"), "\(host)")
            }
            // What goes through it as through a proxy says where it goes.
            let client = try await proxy.connect()
            try await client.send("GET http://evil.test/ HTTP/1.1\r\nHost: evil.test\r\n\r\n")
            #expect(try await client.response().code == 200)
        }
    }

    /// Answers everything.
    private struct Fine: AnswerSource {
        func answer(_ request: AskedRequest, _ give: @escaping @Sendable (SuppliedAnswer) -> Void) {
            give(.response(head: ByteBuffer(string: "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"), body: nil))
        }
    }
}
