import NIOCore
import Support
import Testing
import Traffic

@testable import Proxy

/// Connections of HTTP/2 to upstreams that say nothing, or take nothing, any more.
@Suite(.timeLimit(.minutes(15)))
struct StuckUpstreamTests {
    private static func request(_ method: String, _ port: Int, _ flags: UInt8, stream: UInt8) -> [UInt8] {
        let authority = "127.0.0.1:\(port)"
        let fields = [(":method", method), (":scheme", "http"), (":authority", authority), (":path", "/")]
        return H2Frames.headers(fields, flags, stream: stream)
    }

    /// The frames that an upstream has had on its first connection, behind the preface.
    private static func frames(_ connections: [LoopbackOrigin.Connection]) -> [H2Frames.Frame] {
        H2Frames.read(Array(connections.first?.received.dropFirst(24) ?? []))
    }

    @Test(
        "Behind a request that was given up on a silent connection the next goes by another, unless something else came meanwhile",
        arguments: [true, false]
    )
    func silent(isHeard: Bool) async throws {
        let origin = try await LoopbackOrigin.start { unanswered in
            H2Frames.reply(to: unanswered) { frames in
                // The second request alone has an answer, the status 204.
                guard frames.contains(where: { $0.type == 1 && $0.stream == 3 }) else { return nil }
                return [.send(H2Frames.frame(1, H2Frames.endStream | H2Frames.endHeaders, stream: 3, [0x89]))]
            }
        }
        try await RunningProxy.run(clock: TestClock()) { proxy in
            let client = try await proxy.connect()
            func ask(stream: UInt8) -> [UInt8] {
                Self.request("GET", origin.port, H2Frames.endStream, stream: stream)
            }
            try await client.send(H2Frames.opening + ask(stream: 1))
            // Our acknowledgement comes behind all that the origin has said.
            _ = try await origin.connections("the request and our acknowledgement") {
                let frames = Self.frames($0)
                return frames.contains { $0.type == 1 } && frames.contains { $0.type == 4 && $0.flags & 1 == 1 }
            }
            try await proxy.pass(.seconds(60))
            if isHeard {
                try await client.send(ask(stream: 3))
                _ = try await proxy.sink.ended()
            }
            try await proxy.pass(.seconds(60))
            let ended = try await proxy.sink.ended(isHeard ? 2 : 1)
            #expect(ended.last?.failure == "upstream wait timeout")
            try await client.send(ask(stream: 5))
            if isHeard {
                _ = try await origin.connections("the third request") {
                    Self.frames($0).contains { $0.type == 1 && $0.stream == 5 }
                }
                #expect(origin.connections.count == 1)
            } else {
                let connections = try await origin.connections("a second connection") {
                    $0.count == 2 && $0[0].isClientDone
                }
                #expect(Self.frames(connections).count { $0.type == 1 } == 1)
            }
            withExtendedLifetime(client) {}
        }
    }

    @Test(
        "A connection whose upstream takes nothing is used for no further request, and then closed with all on it, whatever it says",
        arguments: [false, true]
    )
    func stuck(isTalking: Bool) async throws {
        // Windows as wide as can be.
        let settings = H2Frames.frame(4, 0, stream: 0, [0, 4, 0x7F, 0xFF, 0xFF, 0xFF])
        let origin = try await StallingOrigin.start(
            saying: settings + H2Frames.frame(8, 0, stream: 0, [0x7F, 0xFF, 0, 0])
        )
        // More than two sockets hold.
        let (frameBytes, frameCount) = (16 << 10, 1_536)
        try await RunningProxy.run(
            clock: TestClock(),
            configure: {
                $0.bodyLimitBytes = 1_000
                $0.clientStreamWindowBytes = 2 * frameBytes * frameCount
                $0.clientWindowBytes = 2 * frameBytes * frameCount
            }
        ) { proxy in
            let key = UpstreamKey(
                endpoint: Endpoint(host: "127.0.0.1", port: origin.port),
                serverName: nil,
                offer: .priorKnowledge,
                reach: .anywhere
            )
            func hasRoom() async throws -> Bool {
                for loop in proxy.server.loops {
                    if try await loop.eventLoop.submit({ loop.value.pool.isReady(key) }).get() { return true }
                }
                return false
            }
            let client = try await proxy.connect()
            try await client.send(H2Frames.opening + Self.request("POST", origin.port, 0, stream: 1))
            try await origin.connections(1)
            let content = H2Frames.frame(0, 0, [UInt8](repeating: 120, count: frameBytes))
            for _ in 0..<frameCount { try await client.send(content) }
            // More than the windows are before the origin has widened them.
            try await origin.take(1 << 20)
            #expect(try await hasRoom())
            try await proxy.pass(.seconds(6), until: "the connection to be used no more") { try await !hasRoom() }
            #expect(proxy.sink.soFar.ended.isEmpty)
            try await client.send(Self.request("GET", origin.port, H2Frames.endStream, stream: 3))
            try await origin.connections(2)
            #expect(origin.connectionCount == 2)
            // Not even the resets of its streams can leave.
            try await proxy.pass(.seconds(60), until: "nothing to be under way") {
                // More room for content, which nobody has any more.
                if isTalking { try? await origin.say(H2Frames.frame(8, 0, stream: 0, [0, 0, 0, 1])) }
                return try await proxy.drain() == 0
            }
            #expect(try await proxy.sink.ended(2).allSatisfy { $0.failure.hasPrefix("upstream ") })
            withExtendedLifetime(client) {}
        }
    }
}
