import Proxy
import Support
import Testing
import Traffic

/// Clients of HTTP/2 that leave.
@Suite(.timeLimit(.minutes(15)))
struct LeftStreamTests {
    @Test("A client that ends its side of the connection has left, and its streams with it")
    func leaves() async throws {
        let origin = try await LoopbackOrigin.start { _ in nil }
        try await RunningProxy.run(clock: TestClock()) { proxy in
            let client = try await proxy.connect()
            let authority = "127.0.0.1:\(origin.port)"
            let head = [(":method", "GET"), (":scheme", "http"), (":authority", authority), (":path", "/")]
            try await client.send(H2Frames.opening + H2Frames.headers(head, H2Frames.endStream))
            // The request itself waits for the settings of an upstream that says nothing.
            _ = try await origin.connections("our preface") { ($0.first?.receivedBytes ?? 0) > 24 }
            try await client.halfClose()
            let record = try await proxy.record()
            #expect(record.failure == "client deliver closed" && record.exchange.target == "/")
            _ = try await client.readToEnd()
        }
    }
}
