import Support
import Testing

@testable import Proxy

/// Clients that vanish without a word, as a phone does that leaves its network.
@Suite("Clients that say nothing", .timeLimit(.minutes(15)))
struct SilentClientTests {
    #if os(Linux)
    @Test("The system asks a client that is silent whether it is still there")
    func asked() async throws {
        try await RunningProxy.run { proxy in
            let client = try await proxy.connect()
            let end = ContinuousClock.now + Patience.stretched(.seconds(10))
            while true {
                let rows = try #require(SocketTable.rows(remotePort: client.localPort, localPort: proxy.port))
                if rows.map(\.timer) == ["02"] { break }
                try #require(ContinuousClock.now < end, "timers: \(rows.map(\.timer))")
                await Task.yield()
            }
        }
    }
    #endif
}
