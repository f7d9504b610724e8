import Support
import Testing
import Traffic

@testable import Proxy

/// WebSockets over HTTP/2 whose upstream resets the stream.
@Suite(.timeLimit(.minutes(15)))
struct SocketResetTests {
    private static let mask: [UInt8] = [1, 2, 3, 4]
    private static let message = Frames.frame(1, [UInt8](repeating: 0x62, count: 100))
    /// CANCEL.
    private static let reset = H2Frames.frame(3, 0, [0, 0, 0, 8])

    /// An upstream that answers an extended CONNECT, and the client's close frame with these bytes and a reset.
    private static func origin(_ last: [UInt8], _ gate: Gate) async throws -> LoopbackOrigin {
        // SETTINGS_ENABLE_CONNECT_PROTOCOL.
        let settings: [UInt8] = [0, 8, 0, 0, 0, 1]
        return try await LoopbackOrigin.start { unanswered in
            H2Frames.reply(to: unanswered, settings: settings) { frames in
                if frames.contains(where: { $0.type == 0 }) {
                    return [.send(H2Frames.frame(0, 0, last)), .held(gate), .send(reset)]
                }
                return frames.contains { $0.type == 1 } ? [.send(H2Frames.headers([(":status", "200")], 0))] : nil
            }
        }
    }

    @Test(
        "A reset behind a close frame ends it, as one of a connection does; within a message it has cut that off",
        arguments: [
            (message, "completed"), (message.dropLast().map { $0 }, "failed"),
            (Frames.frame(8, [3, 0xE8]), "completed"),
        ]
    )
    func behindClose(last: [UInt8], outcome: String) async throws {
        let gate = Gate()
        let origin = try await Self.origin(last, gate)
        try await RunningProxy.run(clock: TestClock()) { proxy in
            let client = try await proxy.connect()
            let fields = [
                (":method", "CONNECT"), (":protocol", "websocket"), (":scheme", "http"),
                (":authority", "127.0.0.1:\(origin.port)"), (":path", "/"), ("sec-websocket-version", "13"),
            ]
            try await client.send(H2Frames.opening + H2Frames.headers(fields, 0))
            _ = try await client.read("the answer") { bytes in
                H2Frames.read(bytes).contains { $0.type == 1 } ? bytes.count : nil
            }
            try await client.send(H2Frames.frame(0, 0, Frames.frame(8, [3, 0xE8], mask: Self.mask)))
            _ = try await client.read("the last bytes") { bytes in
                H2Frames.read(bytes).contains { $0.type == 0 } ? bytes.count : nil
            }
            gate.open()
            let end = try await client.read("the end of the stream") { bytes in
                H2Frames.read(bytes).contains { $0.type == 3 || $0.flags & H2Frames.endStream == 1 && $0.type == 0 }
                    ? bytes.count : nil
            }
            let isReset = H2Frames.read(end).contains { $0.type == 3 }
            #expect(isReset == (outcome == "failed"))
            let exchange = try await proxy.record().exchange
            #expect(exchange.outcome.rawValue == outcome && (exchange.failure == nil) == (outcome == "completed"))
            // It has not closed the WebSocket itself.
            let isTold = outcome == "completed" && last == Self.message
            #expect(exchange.warnings.contains { $0.contains("reset the stream") } == isTold, "\(exchange.warnings)")
        }
    }
}
