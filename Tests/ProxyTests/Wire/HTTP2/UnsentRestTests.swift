import NIOCore
import Proxy
import Support
import Testing
import Traffic

/// What a stop does with a request that is answered before all of it could be sent over HTTP/2.
@Suite(.timeLimit(.minutes(15)))
struct UnsentRestTests {
    @Test("The rest of an answered request waits a second for its upstream's window, and its stream is reset then")
    func unsentRest() async throws {
        // SETTINGS_INITIAL_WINDOW_SIZE of 0.
        let origin = try await LoopbackOrigin.start { unanswered in
            H2Frames.reply(to: unanswered, settings: [0, 4, 0, 0, 0, 0]) { frames in
                guard frames.contains(where: { $0.type == 1 }) else { return nil }
                return [.send(H2Frames.headers([(":status", "200")], H2Frames.endStream))]
            }
        }
        try await RunningProxy.run(clock: TestClock()) { proxy in
            let client = try await proxy.connect()
            let fields = [
                (":method", "POST"), (":scheme", "http"), (":authority", "127.0.0.1:\(origin.port)"), (":path", "/"),
            ]
            let body = H2Frames.frame(0, H2Frames.endStream, [UInt8](repeating: 0x61, count: 10))
            try await client.send(H2Frames.opening + H2Frames.headers(fields, 0) + body)
            #expect(try await proxy.record().exchange.outcome == .completed)
            _ = try await proxy.drain()
            try await proxy.pass(.milliseconds(999))
            #expect(try await proxy.drain() > 0)
            try await proxy.pass(.milliseconds(1))
            try await proxy.pass(.zero, until: "nothing to be open") { try await proxy.drain() == 0 }
            _ = try await origin.connections("the stream's reset") { connections in
                connections.first?.received.firstRange(of: H2Frames.frame(3, 0, [0, 0, 0, 8])) != nil
            }
            _ = try await client.readToEnd()
        }
    }
}
