import Dispatch
import NIOCore
import Support
import Testing
import Traffic

@testable import Proxy

/// The permission to reach this machine is taken back while clients of others are on their way here.
@Suite(.timeLimit(.minutes(15)))
struct TakenBackTests {
    /// What a client sends in a tunnel that it held open until then.
    enum Held: CaseIterable {
        /// Plain HTTP, TLS, neither, and a ClientHello that is to be passed through by the name in it.
        case plain, secure, opaque, passed
    }

    private static let answering = RawRequest.answering { _ in
        Array("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok".utf8)
    }

    /// Runs a proxy that lets strangers in everywhere.
    ///
    /// - Parameters:
    ///   - configure: what else is as it is not by default.
    ///   - body: is told the port of a listener for them, and how to take that back.
    /// - Throws: what `body` throws.
    private static func run(
        configure: (inout ProxyConfiguration) throws -> Void = { _ in },
        _ body: (_ proxy: RunningProxy, _ port: Int, _ takeBack: () async throws -> Void) async throws -> Void
    ) async throws {
        var configuration = ProxyConfiguration()
        try await RunningProxy.run(
            clock: TestClock(),
            configure: {
                $0.isThisMachineOpen = true
                try configure(&$0)
                configuration = $0
            }
        ) { proxy in
            configuration.isThisMachineOpen = false
            let forbidding = configuration
            try await proxy.listeningForStrangers { port in
                try await body(proxy, port) {
                    try await proxy.server.reload(forbidding, authority: proxy.authority)
                }
            }
        }
    }

    private static func tunnel(_ port: Int, to authority: String) async throws -> RawClient {
        let client = try await RawClient.connect(port: port)
        try await client.send("CONNECT \(authority) HTTP/1.1\r\nHost: \(authority)\r\n\r\n")
        #expect(try await client.read(through: "\r\n\r\n").contains(" 200 "))
        return client
    }

    @Test("A tunnel in which nothing was said yet leads nowhere", arguments: Held.allCases)
    func held(_ held: Held) async throws {
        let origin = try await LoopbackOrigin.start(
            tls: held == .secure ? Certificates.server("good") : nil,
            script: Self.answering
        )
        try await Self.run(configure: {
            $0.passThrough = [HostPattern("passed.test")].compactMap { $0 }
        }) { proxy, port, takeBack in
            let client = try await Self.tunnel(port, to: "localhost:\(origin.port)")
            _ = try await origin.connections("the dial") { $0.count == 1 }
            try await takeBack()
            let request = "GET / HTTP/1.1\r\nHost: localhost:\(origin.port)\r\n\r\n"
            switch held {
            case .plain, .secure:
                if held == .secure { try await client.startTLS(name: "localhost", trusting: proxy.rootFile) }
                for _ in 1...2 {
                    try await client.send(request)
                    #expect(try await client.response().code == 403)
                }
            case .opaque:
                try await client.send("\0hello\n")
                _ = try await client.readToEnd()
            case .passed:
                try await client.send(try await TunnelTests.clientHello(name: "passed.test"))
                _ = try await client.readToEnd()
            }
            let rows = try await proxy.sink.ended(held == .plain || held == .secure ? 2 : 1)
            #expect(rows.allSatisfy { $0.failure == "client connect not-allowed" }, "\(rows.map(\.failure))")
            let seen = try await origin.connections("the end of what was dialled") { connections in
                connections.allSatisfy { $0.isClientDone || $0.isClosed }
            }
            #expect(seen.count == 1 && seen[0].receivedBytes == 0)
        }
    }

    @Test("A connection that is being made then leads nowhere", arguments: ["CONNECT ", "GET http://"])
    func dialing(_ way: String) async throws {
        let (lookUp, asked) = (DispatchSemaphore(value: 0), Watched(0))
        let origin = try await LoopbackOrigin.start(script: Self.answering)
        try await Self.run(configure: {
            $0.lookUp = { _ in
                asked.update { $0 += 1 }
                lookUp.wait()
                lookUp.signal()
                return [try SocketAddress(ipAddress: "127.0.0.1", port: 0)]
            }
        }) { proxy, port, takeBack in
            defer { lookUp.signal() }
            let client = try await RawClient.connect(port: port)
            let authority = "slow.test:\(origin.port)"
            let path = way == "CONNECT " ? "" : "/"
            try await client.send("\(way)\(authority)\(path) HTTP/1.1\r\nHost: \(authority)\r\n\r\n")
            _ = try await asked.wait(for: "the look-up") { $0 == 1 }
            try await takeBack()
            lookUp.signal()
            #expect(try await client.response().code == 403)
            #expect(try await proxy.record().failure == "client connect not-allowed")
            #expect(origin.connections.allSatisfy { $0.receivedBytes == 0 })
        }
    }

    @Test("Whoever waits for a connection that another request has dialled does not dial one then")
    func waiting() async throws {
        let (lookUp, asked) = (DispatchSemaphore(value: 0), Watched(0))
        let origin = try await LoopbackOrigin.start { _ in nil }
        try await Self.run(configure: {
            $0.pendingDelay = .zero
            $0.lookUp = { _ in
                asked.update { $0 += 1 }
                lookUp.wait()
                lookUp.signal()
                return [try SocketAddress(ipAddress: "127.0.0.1", port: 0)]
            }
        }) { proxy, port, takeBack in
            defer { lookUp.signal() }
            let client = try await RawClient.connect(port: port)
            let fields = [
                (":method", "GET"), (":scheme", "http"), (":authority", "slow.test:\(origin.port)"), (":path", "/"),
            ]
            let requests = ([1, 3] as [UInt8]).flatMap { H2Frames.headers(fields, H2Frames.endStream, stream: $0) }
            try await client.send(H2Frames.opening + requests)
            _ = try await asked.wait(for: "the look-up") { $0 == 1 }
            _ = try await proxy.sink.told("both requests") { $0.opened.count == 2 }
            try await takeBack()
            lookUp.signal()
            let rows = try await proxy.sink.ended(2)
            #expect(rows.allSatisfy { $0.failure == "client connect not-allowed" }, "\(rows.map(\.failure))")
            // The one that was being made by then is closed with nothing said on it but what a client begins with.
            try await origin.stays("with one connection", for: .milliseconds(100)) { $0.count <= 1 }
            withExtendedLifetime(client) {}
        }
    }

    @Test("A WebSocket to this machine ends, and so does a request that waits for its answer; one to elsewhere goes on")
    func underWay() async throws {
        let origin = try await LoopbackOrigin.start { unanswered in
            guard let request = RawRequest(first: unanswered) else { return nil }
            let switching =
                "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                + "Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n\r\n"
            return .init(consuming: request.bytes.count, .send(request.target == "/chat" ? Array(switching.utf8) : []))
        }
        try await Self.run { proxy, port, takeBack in
            let authority = "127.0.0.1:\(origin.port)"
            func ask(_ path: String, _ port: Int, _ fields: String = "") async throws -> RawClient {
                let client = try await RawClient.connect(port: port)
                let line = "GET http://\(authority)\(path) HTTP/1.1"
                try await client.send("\(line)\r\nHost: \(authority)\r\n\(fields)\r\n")
                return client
            }
            let fields =
                "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
                + "Sec-WebSocket-Version: 13\r\n"
            let (chat, own) = (try await ask("/chat", port, fields), try await ask("/chat", proxy.port, fields))
            for client in [chat, own] {
                #expect(try await client.read(through: "\r\n\r\n").contains(" 101 "))
            }
            let waiting = try await ask("/", port)
            _ = try await origin.connections("every request") { connections in
                connections.count == 3 && connections.allSatisfy { $0.receivedBytes > 0 }
            }
            try await takeBack()
            try await proxy.pass(.milliseconds(100))
            #expect(try await waiting.response().code == 403)
            _ = try await chat.readToEnd()
            let rows = try await proxy.sink.ended(2)
            #expect(rows.allSatisfy { $0.failure == "client connect not-allowed" }, "\(rows.map(\.failure))")
            #expect(Set(rows.map(\.exchange.target)) == ["/", "/chat"])
            _ = try await origin.connections("the end of both") { $0.count(where: \.isClosed) == 2 }
            // A client of this machine may still go everywhere.
            try await proxy.pass(.milliseconds(100))
            #expect(!own.soFar.isEnded && proxy.sink.soFar.ended.count == 2)
        }
    }

    @Test("Of a tunnel through an upstream proxy on this machine it matters where it leads, not where the proxy is")
    func throughAnother() async throws {
        let other = try await LoopbackOrigin.start { unanswered in
            RawRequest(first: unanswered).map {
                .init(consuming: $0.bytes.count, .send(Array("HTTP/1.1 200 OK\r\n\r\n".utf8)))
            }
        }
        try await Self.run(configure: {
            $0.upstreamProxy = UpstreamProxy(.http, Endpoint(host: "127.0.0.1", port: other.port))
        }) { proxy, port, takeBack in
            // Which of these a name that the proxy resolves leads to, nobody knows.
            let authorities = ["192.0.2.7:81", "127.0.0.1:81", "named.test:81"]
            var clients: [RawClient] = []
            for authority in authorities {
                let client = try await Self.tunnel(port, to: authority)
                try await client.send("\0hello\n")
                clients.append(client)
            }
            _ = try await other.connections("what is no HTTP") { connections in
                connections.count == 3 && connections.allSatisfy { $0.receivedText.hasSuffix("hello\n") }
            }
            try await takeBack()
            for _ in 1...2 { try await proxy.pass(.milliseconds(100)) }
            let rows = try await proxy.sink.ended(2)
            #expect(Set(rows.map(\.exchange.target)) == Set(authorities.dropFirst()))
            for client in clients.dropFirst() { _ = try await client.readToEnd() }
            #expect(rows.count == 2 && !clients[0].soFar.isEnded)
        }
    }
}
