import NIOCore
import Support
import Testing
import Traffic

@testable import Proxy

@Suite(.timeLimit(.minutes(15)))
struct HandshakeMemoryTests {
    @Test("The outcome of an upstream's handshake is known for a minute, by the proxy's clock")
    func lifetime() async throws {
        let origin = try await LoopbackOrigin.start(
            tls: Certificates.server("good"),
            script: RawRequest.answering { _ in Array("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok".utf8) }
        )
        try await RunningProxy.run(clock: TestClock()) { proxy in
            let client = try await proxy.secureTunnel(to: origin.port)
            try await client.send("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
            #expect(try await client.response().text == "ok")
            let endpoint = Endpoint(host: "localhost", port: origin.port)
            let key = UpstreamKey(endpoint: endpoint, serverName: "localhost", reach: .anywhere)
            let memory = proxy.server.shared.memory
            try await proxy.pass(.milliseconds(59_999))
            #expect(memory.isKnownGood(key) && memory.negotiated(key) == "http/1.1")
            try await proxy.pass(.milliseconds(1))
            #expect(!memory.isKnownGood(key))
        }
    }

    @Test("Who trusts our certificate is known for five seconds, by the proxy's clock")
    func trusting() {
        let clock = TestClock()
        let trusting = TrustingClients(clock: ProxyClock { clock.now })
        trusting.completed(address: "127.0.0.1:5", host: "a.test")
        clock.advance(by: .milliseconds(4_999))
        #expect(trusting.contains(address: "127.0.0.1:6", host: "a.test"))
        clock.advance(by: .milliseconds(1))
        #expect(!trusting.contains(address: "127.0.0.1:6", host: "a.test"))
    }
}
