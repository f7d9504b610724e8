import Support
import Testing
import Traffic

@testable import Proxy

/// Upstreams of WebSockets that end their own side first, and read the client's last messages late.
@Suite(.timeLimit(.minutes(15)))
struct HalfClosedUpstreamTests {
    private static let mask: [UInt8] = [1, 2, 3, 4]
    private static let piece = Frames.frame(2, [UInt8](repeating: 7, count: 16 << 10), mask: mask)
    private static let clientClose = Frames.frame(8, [3, 232], mask: mask)
    private static let handshake =
        "GET /chat HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
        + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
    private static let switching =
        "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        + "Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n\r\n"

    /// A WebSocket whose upstream reads nothing until it is told to.
    private struct Stalled {
        let origin: LoopbackOrigin
        let client: RawClient
        /// Bytes of the handshake that came to the upstream.
        let headBytes: Int
        /// Lets the upstream send its close frame, and FIN.
        let ends = Gate()
        /// Lets it read.
        let reads = Gate()
        /// The messages of the client that the proxy has read, once it reads no more for now.
        let taken: [StreamMessage]

        /// Opens it, and sends so many pieces, with a close frame behind them.
        init(_ proxy: RunningProxy, pieces: Int) async throws {
            let (ends, reads) = (ends, reads)
            origin = try await LoopbackOrigin.start(keeps: 0, holdsLittle: true) { unanswered in
                // Not in the megabytes behind it.
                guard unanswered.starts(with: Array("GET ".utf8)),
                    let end = unanswered.firstRange(of: Array("\r\n\r\n".utf8))?.upperBound
                else { return nil }
                var reply = LoopbackOrigin.Reply(consuming: end, .send(Array(switching.utf8)), .reading(false))
                reply.steps += [
                    .held(ends), .send(Frames.frame(8, [3, 232])), .halfClose, .held(reads), .reading(true),
                ]
                return reply
            }
            let target = "http://127.0.0.1:\(origin.port)/chat"
            client = try await proxy.connect()
            try await client.send(handshake.replacing("/chat", with: target))
            _ = try await client.read(through: "\r\n\r\n")
            headBytes = origin.connections.first?.receivedBytes ?? 0
            var bytes: [UInt8] = []
            for _ in 0..<pieces { bytes += piece }
            bytes += clientClose
            // The kernel may not take all of it.
            Task { [client, bytes] in try? await client.send(bytes) }
            taken = Stalled.taken(try await proxy.sink.settled { Stalled.taken($0).count })
        }

        /// The messages of the exchange that began last.
        private static func taken(_ told: RecordingSink.Told) -> [StreamMessage] {
            told.opened.keys.max().flatMap { told.messages[$0] } ?? []
        }
    }

    @Test("All that their clients sent reaches them, what waited in the proxy too")
    func late() async throws {
        try await RunningProxy.run(clock: TestClock(), configure: { $0.messageLimitBytes = 100 }) { proxy in
            let held = try await Stalled(proxy, pieces: 1_000)
            let most = held.taken.count
            try #require(most > 16 && most < 1_000, "\(most)")
            try await held.client.reset()
            var tried = 0
            // With somewhat fewer pieces the close frame comes to the proxy while the last of them still wait there for room in the socket.
            for fewer in 1...12 where tried < 2 {
                let pieces = most - fewer
                let socket = try await Stalled(proxy, pieces: pieces)
                guard socket.taken.count > pieces else { continue }
                tried += 1
                socket.ends.open()
                #expect(try await socket.client.read(count: 4) == Frames.frame(8, [3, 232]))
                _ = try await socket.client.readToEnd()
                for _ in 1...2 { try await proxy.server.beat() }
                socket.reads.open()
                let all = socket.headBytes + pieces * Self.piece.count + Self.clientClose.count
                _ = try await socket.origin.connections("all of \(all) bytes") { $0.first?.receivedBytes == all }
                #expect(socket.origin.connections.first?.error == nil)
            }
            #expect(tried > 0)
        }
    }
}
