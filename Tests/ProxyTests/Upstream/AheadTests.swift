import Dispatch
import NIOCore
import Support
import Testing
import Traffic

@testable import Proxy

/// Connections of HTTP/2 to upstreams that are made before there is a request for them.
@Suite(.timeLimit(.minutes(15)))
struct AheadTests {
    @Test("One that was made by the configuration of before is closed when there is another")
    func reloaded() async throws {
        let tls = Certificates.server("good")
        let origin = try await LoopbackOrigin.start(
            tls: .init(certificateFile: tls.certificateFile, keyFile: tls.keyFile, protocols: ["h2"])
        ) { _ in nil }
        var configuration = ProxyConfiguration()
        try await RunningProxy.run(clock: TestClock(), configure: { configuration = $0 }) { proxy in
            let client = try await proxy.tunnel(to: origin.port)
            try await client.startTLS(name: "localhost", trusting: proxy.rootFile, protocols: ["h2"])
            _ = try await origin.connections("our preface") { ($0.first?.receivedBytes ?? 0) > 24 }
            #expect(origin.connections.allSatisfy { !$0.isClientDone })
            try await proxy.server.reload(configuration, authority: proxy.authority)
            _ = try await origin.connections("the end of it") { $0.allSatisfy(\.isClientDone) }
            #expect(origin.connections.count == 1)
        }
    }

    @Test("A dial of before that comes to its end does not have that of now forgotten, which others wait for")
    func newerDial() async throws {
        let lookUp = DispatchSemaphore(value: 0)
        let asked = Watched(0)
        let origin = try await LoopbackOrigin.start { _ in nil }
        // An upstream proxy that never answers: what is dialled through it stays so.
        let silent = try await LoopbackOrigin.start { _ in nil }
        var configuration = ProxyConfiguration()
        try await RunningProxy.run(
            clock: TestClock(),
            configure: {
                $0.lookUp = { _ in
                    asked.update { $0 += 1 }
                    lookUp.wait()
                    lookUp.signal()
                    return [try SocketAddress(ipAddress: "127.0.0.1", port: 0)]
                }
                configuration = $0
            }
        ) { proxy in
            defer { lookUp.signal() }
            let client = try await proxy.connect()
            func ask(_ stream: UInt8) async throws {
                let fields = [
                    (":method", "GET"), (":scheme", "http"), (":authority", "slow.test:\(origin.port)"), (":path", "/"),
                ]
                try await client.send(H2Frames.headers(fields, H2Frames.endStream, stream: stream))
            }
            try await client.send(H2Frames.opening)
            try await ask(1)
            _ = try await asked.wait(for: "the look-up") { $0 == 1 }
            configuration.upstreamProxy = UpstreamProxy(.http, Endpoint(host: "127.0.0.1", port: silent.port))
            try await proxy.server.reload(configuration, authority: proxy.authority)
            try await ask(3)
            _ = try await silent.connections("a CONNECT") { ($0.first?.receivedBytes ?? 0) > 0 }
            lookUp.signal()
            _ = try await origin.connections("our preface") { ($0.first?.receivedBytes ?? 0) > 24 }
            try await ask(5)
            try await silent.stays("with one connection", for: .milliseconds(100)) { $0.count == 1 }
        }
    }
}
