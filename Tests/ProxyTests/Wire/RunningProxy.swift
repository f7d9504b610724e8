import Foundation
import Logging
import NIOCore
import Support
import Testing
import Trust

@testable import Proxy

/// A proxy on a free port of 127.0.0.1 that records into a sink of the test's, for the length of a closure.
struct RunningProxy: Sendable {
    /// The ports of its listeners, in the order of the configuration.
    let ports: [Int]
    let sink: RecordingSink
    /// The proxy's own root, as a PEM file.
    let rootFile: String
    let server: ProxyServer
    /// What signs the leaves that clients are shown.
    let authority: CertificateAuthority
    /// What its deadlines are held to and its rows are dated by; `nil` for the machine's.
    let clock: TestClock?
    /// Where it finds which ports are our own.
    let listeners: OwnListeners

    /// Runs a proxy that trusts the public test root (`certs/root.pem`) upstream; with `trustsItself`, its own root too, as on a
    /// machine where that was made trusted for clients; with a clock, no time passes for it but by `pass`; with a log, what it says is kept there;
    /// where it `holdsLittle`, little of what it sends its clients waits in its sockets, whatever room the kernel gives others.
    ///
    /// Without a clock the deadlines of a connection's beginning are as patient as the tests, unless `configure` sets others.
    /// Returns how many exchanges its stop has ended, since they had not ended by themselves.
    @discardableResult static func run(
        _ sink: RecordingSink = RecordingSink(),
        trustsItself: Bool = false,
        clock: TestClock? = nil,
        log: KeptLog? = nil,
        holdsLittle: Bool = false,
        configure: (inout ProxyConfiguration) throws -> Void = { _ in },
        _ body: (RunningProxy) async throws -> Void
    ) async throws -> Int {
        var configuration = ProxyConfiguration()
        configuration.port = 0
        configuration.upstreamRootsPEM = try String(contentsOfFile: Certificates.file("root.pem"), encoding: .utf8)
        configuration.drainTimeout = .milliseconds(200)
        if let clock {
            configuration.clock = ProxyClock({ clock.now }, date: { clock.date })
        } else {
            configuration.connectTimeout = configuration.connectTimeout * Patience.factor
            configuration.handshakeTimeout = configuration.handshakeTimeout * Patience.factor
            configuration.peekTimeout = configuration.peekTimeout * Patience.factor
        }
        try configure(&configuration)
        let directory = try TemporaryDirectory()
        let root = try RootCertificate(newOn: "test", now: Date())
        if trustsItself { configuration.upstreamRootsPEM?.append(root.pem) }
        let authority = try CertificateAuthority(root: root) { Date() }
        let own = OwnListeners()
        let server = try ProxyServer(
            configuration: configuration,
            authority: authority,
            sink: sink,
            listeners: own,
            logger: log.map { log in Logger(label: "test") { _ in log } } ?? .silent
        )
        let listeners = try await server.listen()
        // Sockets that are accepted have the room of the one that listens.
        for listener in holdsLittle ? listeners : [] {
            try await listener.channel.setOption(.socketOption(.so_sndbuf), value: SocketRoom.littleBytes).get()
        }
        let rootFile = try directory.write(root.pem, to: "root.pem")
        let outcome: Result<Void, any Error>
        do {
            outcome = .success(
                try await body(
                    RunningProxy(
                        ports: listeners.map(\.mode.port),
                        sink: sink,
                        rootFile: rootFile,
                        server: server,
                        authority: authority,
                        clock: clock,
                        listeners: own
                    )
                )
            )
        } catch { outcome = .failure(error) }
        sink.commit()
        // What the test left open is waited for, by the proxy's clock.
        clock?.run()
        let count = try await server.shutdown(listeners)
        try outcome.get()
        #expect(sink.soFar.faults.isEmpty)
        return count
    }

    /// The port of the first listener, the only one unless the configuration lists several.
    var port: Int { ports.first ?? 0 }

    /// A client that has connected to it; one in whose socket little waits, where it `holdsLittle`.
    func connect(holdsLittle: Bool = false) async throws -> RawClient {
        try await RawClient.connect(port: port, holdsLittle: holdsLittle)
    }

    /// A client inside a tunnel to a port of this machine.
    func tunnel(to port: Int, host: String = "localhost", holdsLittle: Bool = false) async throws -> RawClient {
        let client = try await connect(holdsLittle: holdsLittle)
        try await client.send("CONNECT \(host):\(port) HTTP/1.1\r\nHost: \(host):\(port)\r\n\r\n")
        #expect(try await client.read(through: "\r\n\r\n") == "HTTP/1.1 200 Connection Established\r\n\r\n")
        return client
    }

    /// A client that speaks TLS with the proxy in an upstream's name.
    func secureTunnel(to port: Int, host: String = "localhost", holdsLittle: Bool = false) async throws -> RawClient {
        let client = try await tunnel(to: port, host: host, holdsLittle: holdsLittle)
        try await client.startTLS(name: host, trusting: rootFile)
        return client
    }

    /// What was recorded of the only exchange.
    func record() async throws -> RecordingSink.Ended {
        let ended = try await sink.ended()
        #expect(ended.count == 1)
        return try #require(ended.first)
    }
}

/// The public test certificates of the checkout.
enum Certificates {
    /// The path of one of them.
    static func file(_ name: String) -> String {
        URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "certs/\(name)").path
    }

    /// A server's certificate and key.
    static func server(_ name: String) -> LoopbackOrigin.TLS {
        LoopbackOrigin.TLS(certificateFile: file("\(name).pem"), keyFile: file("\(name)-key.pem"))
    }
}
