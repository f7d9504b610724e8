import NIOCore
import Proxy
import Support
import Testing
import Traffic

/// Clients of HTTP/2 that have still to read what was written to them when their connection comes to its end.
@Suite(.timeLimit(.minutes(15)))
struct UnreadStreamTests {
    /// A step in size that is less than what leaves a connection writable while it waits for its socket.
    private static let stepBytes = 8 << 10

    /// The windows of streams and of the connection as wide as can be.
    private static let wideWindows =
        H2Frames.frame(4, 0, stream: 0, [0, 4, 0x7F, 0xFF, 0xFF, 0xFF])
        + H2Frames.frame(8, 0, stream: 0, [0x7F, 0xFF, 0, 0])

    /// Runs a proxy in whose sockets little waits, beside an origin that answers with as many bytes as the path says.
    private static func run(_ body: (RunningProxy, LoopbackOrigin) async throws -> Void) async throws {
        let origin = try await SlowPeerTests.origin(isSecure: true)
        try await RunningProxy.run(
            clock: TestClock(),
            holdsLittle: true,
            configure: { $0.matchesProtocols = false }
        ) { try await body($0, origin) }
    }

    /// A client that has asked for so many bytes and reads none; they are in the record, and written as far as its connection takes them.
    private static func ask(_ size: Int, _ proxy: RunningProxy, _ origin: LoopbackOrigin) async throws -> RawClient {
        let client = try await proxy.tunnel(to: origin.port, holdsLittle: true)
        try await client.startTLS(name: "localhost", trusting: proxy.rootFile, protocols: ["h2"])
        try await client.setReading(false)
        let count = proxy.sink.soFar.ended.count
        let authority = "localhost:\(origin.port)"
        let fields = [(":method", "GET"), (":scheme", "https"), (":authority", authority), (":path", "/\(size)")]
        try await client.send(H2Frames.opening + wideWindows + H2Frames.headers(fields, H2Frames.endStream))
        let rows = try await proxy.sink.ended(count + 1)
        try #require(rows.last?.exchange.outcome == .completed)
        for _ in 1...2 { try await proxy.server.beat() }
        return client
    }

    /// Asks a proxy to come to its end, and again once what follows is done; how much is under way then.
    private static func drain(_ proxy: RunningProxy) async throws -> Int {
        for _ in 1...2 {
            _ = try await proxy.drain()
            try await proxy.server.beat()
        }
        return try await proxy.drain()
    }

    /// The least size of an answer of which a part waits in the proxy where a client reads nothing.
    private static func waitingBytes(_ proxy: RunningProxy, _ origin: LoopbackOrigin) async throws -> Int {
        for size in stride(from: 128 << 10, through: 8 << 20, by: stepBytes) {
            let client = try await ask(size, proxy, origin)
            let isWaiting = try await drain(proxy) > 0
            try await client.reset()
            if isWaiting { return size }
        }
        throw NothingWaits()
    }

    /// However large an answer is, the sockets hold it.
    private struct NothingWaits: Error {}

    /// Sends bytes, which the proxy has taken when this returns.
    private static func send(_ bytes: [UInt8], _ client: RawClient, _ proxy: RunningProxy) async throws {
        try await proxy.holdingUp { try await client.send(bytes) }
        for _ in 1...2 { try await proxy.server.beat() }
    }

    /// What a client gets that reads from now on: bytes of content, and the payloads of GOAWAY frames.
    private static func rest(_ client: RawClient) async throws -> (contentBytes: Int, goAways: [[UInt8]]) {
        // It may have seen a break by then, and be closed.
        try? await client.setReading(true)
        let frames = H2Frames.read(try await client.readToEnd())
        return (
            frames.filter { $0.type == 0 }.reduce(0) { $0 + $1.payload.count },
            frames.filter { $0.type == 7 }.map(\.payload)
        )
    }

    @Test("What a client sends while its connection is left, right or wrong, takes nothing from what it has to read")
    func left() async throws {
        try await Self.run { proxy, origin in
            let size = try await Self.waitingBytes(proxy, origin) + Self.stepBytes
            // PING that is too short and a whole one, more window for the connection, and HEADERS for a stream of the proxy's.
            for frame in [
                H2Frames.frame(6, 0, stream: 0, [0]), H2Frames.frame(6, 0, stream: 0, [0, 0, 0, 0, 0, 0, 0, 0]),
                H2Frames.frame(8, 0, stream: 0, [0, 0, 0, 1]), H2Frames.headers([], H2Frames.endStream, stream: 2),
            ] {
                let client = try await Self.ask(size, proxy, origin)
                #expect(try await Self.drain(proxy) == 1, "nothing waits for the client of \(frame)")
                let rowCount = proxy.sink.soFar.ended.count
                try await Self.send(frame, client, proxy)
                #expect(try await Self.drain(proxy) == 1, "\(frame) ended the connection")
                let (contentBytes, goAways) = try await Self.rest(client)
                #expect(contentBytes == size, "\(frame)")
                // Without an error, and with the number of its stream: no breach of a connection that is over is of interest.
                #expect(goAways == [[0, 0, 0, 1, 0, 0, 0, 0]], "\(frame)")
                #expect(proxy.sink.soFar.ended.count == rowCount, "\(frame)")
            }
        }
    }

    @Test("A client that breaks the rules gets what was written before, and the error behind it")
    func broken() async throws {
        try await Self.run { proxy, origin in
            let size = try await Self.waitingBytes(proxy, origin) + Self.stepBytes
            let client = try await Self.ask(size, proxy, origin)
            let rowCount = proxy.sink.soFar.ended.count
            try await Self.send(H2Frames.frame(6, 0, stream: 0, [0]), client, proxy)
            let rows = try await proxy.sink.ended(rowCount + 1)
            #expect(rows.last?.failure == "client request http2")
            for _ in 1...2 { try await proxy.server.beat() }
            let (contentBytes, goAways) = try await Self.rest(client)
            #expect(contentBytes == size)
            // FRAME_SIZE_ERROR.
            #expect(goAways.map { $0.suffix(4) } == [[0, 0, 0, 6]])
        }
    }

    @Test("A client that breaks the rules and takes nothing is not waited for as long as others")
    func stalled() async throws {
        try await Self.run { proxy, origin in
            let size = try await Self.waitingBytes(proxy, origin) + Self.stepBytes
            let client = try await Self.ask(size, proxy, origin)
            let rowCount = proxy.sink.soFar.ended.count
            try await Self.send(H2Frames.frame(6, 0, stream: 0, [0]), client, proxy)
            _ = try await proxy.sink.ended(rowCount + 1)
            try await proxy.pass(.milliseconds(249))
            #expect(try await Self.drain(proxy) == 1)
            try await proxy.pass(.milliseconds(1))
            #expect(try await Self.drain(proxy) == 0)
            #expect(try await Self.rest(client).contentBytes < size)
        }
    }
}
