import NIOCore
import Support
import Testing

@testable import inspect

@Suite("A tunnel of the demonstration", .timeLimit(.minutes(15)))
struct OpaqueTunnelTests {
    @Test("A proxy that says nothing is given up at the limit")
    func silent() async throws {
        let proxy = try await LoopbackOrigin.start { _ in nil }
        let tunnel = OpaqueTunnel(proxyPort: proxy.port, port: 1, limit: .milliseconds(500))
        let problem = await #expect(throws: InputError.self) { try await tunnel.send() }
        #expect(problem?.description.contains("brought back 0 bytes") == true, "\(String(describing: problem))")
    }
}
