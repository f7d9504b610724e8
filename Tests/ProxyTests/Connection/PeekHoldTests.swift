import NIOCore
import Proxy
import Support
import Testing
import Traffic

/// A connection that comes to nothing after its first bytes ends when its row is committed.
@Suite(.timeLimit(.minutes(15)))
struct PeekHoldTests {
    /// Why it comes to nothing.
    enum Reason: CaseIterable {
        /// Its bytes are not ours to read, and there is nobody to pass them to.
        case noUpstream
        /// The same for a host that is passed through by the name in the ClientHello.
        case noPassedUpstream
        /// It breaks off inside the ClientHello.
        case unfinishedHello

        func said() async throws -> [UInt8] {
            switch self {
            case .noUpstream: [0, 1, 2, 3, 4, 5, 6, 7]
            case .noPassedUpstream: try await TunnelTests.clientHello(name: "passed.test")
            case .unfinishedHello: PeekHoldTests.helloStart
            }
        }

        var failure: String { self == .unfinishedHello ? "client tls closed" : "upstream connect refused" }
    }

    /// The first bytes of a ClientHello of 512 bytes.
    private static let helloStart: [UInt8] = [0x16, 3, 1, 2, 0, 1, 0, 1, 0xFC, 3, 3]

    @Test("A connection that goes nowhere ends when that is committed", arguments: Reason.allCases)
    func nowhere(reason: Reason) async throws {
        let gone = try RefusingPort()
        let said = try await reason.said()
        try await RunningProxy.run(
            RecordingSink(.whenAsked),
            clock: TestClock(),
            configure: { $0.passThrough = [HostPattern("passed.test")].compactMap { $0 } }
        ) { proxy in
            try await proxy.listening(for: Endpoint(host: "127.0.0.1", port: gone.port)) { port in
                let client = try await RawClient.connect(port: port)
                try await client.send(said)
                if reason == .unfinishedHello { try await client.halfClose() }
                #expect(try await proxy.record().failure == reason.failure)
                try await Self.isHeld(client, by: proxy)
                #expect(try await client.readToEnd() == [] && client.soFar.error == nil)
            }
        }
        withExtendedLifetime(gone) {}
    }

    @Test("A ClientHello that takes too long ends its connection when that is committed")
    func slowHello() async throws {
        let origin = try await LoopbackOrigin.start { _ in nil }
        try await RunningProxy.run(RecordingSink(.whenAsked), clock: TestClock()) { proxy in
            // The first of it comes with the CONNECT, so that it has been read when that is answered.
            let client = try await proxy.connect()
            let connect = "CONNECT localhost:\(origin.port) HTTP/1.1\r\nHost: localhost\r\n\r\n"
            try await client.send(Array(connect.utf8) + Self.helloStart)
            _ = try await client.read(through: "200 Connection Established\r\n\r\n")
            try await proxy.expire(.seconds(10), client)
            #expect(try await proxy.record().failure == "client tls timeout")
            try await Self.isHeld(client, by: proxy)
            #expect(try await client.readToEnd() == [] && client.soFar.error == nil)
        }
    }

    @Test("A ClientHello whose client ends its side in the midst of it is recorded as that, where all came at once too")
    func endedHello() async throws {
        let origin = try await LoopbackOrigin.start { _ in nil }
        try await RunningProxy.run(RecordingSink(.whenAsked), clock: TestClock()) { proxy in
            let client = try await proxy.connect()
            let connect = "CONNECT localhost:\(origin.port) HTTP/1.1\r\nHost: localhost\r\n\r\n"
            try await proxy.holdingUp {
                try await client.send(Array(connect.utf8) + Self.helloStart)
                try await client.halfClose()
            }
            _ = try await client.read(through: "200 Connection Established\r\n\r\n")
            let record = try await proxy.record()
            #expect(record.failure == "client tls closed")
            #expect(record.exchange.failure?.message.contains("closed the connection during the TLS handshake") == true)
            try await Self.isHeld(client, by: proxy)
            #expect(try await client.readToEnd() == [] && client.soFar.error == nil)
        }
    }

    @Test("A handshake that its client does not go on with ends when that is committed")
    func slowHandshake() async throws {
        let origin = try await LoopbackOrigin.start(tls: Certificates.server("good")) { _ in nil }
        let hello = try await TunnelTests.clientHello(name: "localhost")
        try await RunningProxy.run(RecordingSink(.whenAsked), clock: TestClock()) { proxy in
            let client = try await proxy.tunnel(to: origin.port)
            try await client.send(hello)
            // The ServerHello, and what is encrypted behind it.
            #expect(try await client.read(count: 6).first == 0x16)
            _ = try await client.read("our certificate to come") { $0.count > 500 ? $0.count : nil }
            try await proxy.expire(.seconds(10), while: { !client.soFar.isEnded })
            #expect(try await proxy.record().failure == "client tls timeout")
            try await Self.isHeld(client, by: proxy)
            _ = try await client.readToEnd()
        }
    }

    @Test(
        "A name that no certificate can hold is refused with an alert when its one row is committed",
        arguments: ["localhost:8443", "a b", "*.example.com", "foo..bar", "127.1", "a!b"]
    )
    func noName(name: String) async throws {
        let origin = try await LoopbackOrigin.start(tls: Certificates.server("good")) { _ in nil }
        try await RunningProxy.run(RecordingSink(.whenAsked), clock: TestClock()) { proxy in
            let client = try await proxy.tunnel(to: origin.port)
            async let handshake: Void = {
                let error = await #expect(throws: RawClient.Closed.self) {
                    try await client.startTLS(name: name, trusting: nil)
                }
                #expect(error?.inbox.error?.contains("UNRECOGNIZED_NAME") == true, "\(error?.inbox as Any)")
            }()
            let record = try await proxy.record()
            #expect(record.failure == "client tls unrecognized-name" && record.exchange.host == "localhost")
            let message = record.exchange.failure?.message ?? ""
            #expect(message.contains("\"\(name)\" is not a name a certificate can hold"), "\(message)")
            try await Self.isHeld(client, by: proxy)
            await handshake
            #expect(proxy.sink.soFar.ended.count == 1)
        }
    }

    @Test("A connection of HTTP/2 that breaks the rules ends when that is committed")
    func http2() async throws {
        try await RunningProxy.run(RecordingSink(.whenAsked), clock: TestClock()) { proxy in
            let client = try await proxy.connect()
            let settings: [UInt8] = [0, 0, 0, 4, 0, 0, 0, 0, 0]
            let ping: [UInt8] = [0, 0, 7, 6, 0, 0, 0, 0, 0] + [UInt8](repeating: 0, count: 7)
            try await client.send(Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8) + settings + ping)
            #expect(try await proxy.record().failure == "client request http2")
            try await Self.isHeld(client, by: proxy)
            _ = try await client.readToEnd()
            #expect(proxy.sink.soFar.ended.count == 1)
        }
    }

    /// Looks that a client whose row is told and not committed sees no end, not of a proxy that is about to stop either; and commits.
    private static func isHeld(_ client: RawClient, by proxy: RunningProxy) async throws {
        #expect(try await proxy.drain() == 1)
        try await client.stays("without an end", for: .milliseconds(100)) { !$0.isEnded }
        proxy.sink.commit()
    }
}
