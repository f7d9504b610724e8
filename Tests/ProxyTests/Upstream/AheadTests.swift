import Proxy
import Support
import Testing
import Traffic

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
}
