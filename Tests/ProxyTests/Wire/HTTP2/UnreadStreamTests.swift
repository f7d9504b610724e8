import Proxy
import Support
import Testing
import Traffic

/// Clients of HTTP/2 that have still to read what was written to them when their connection comes to its end.
@Suite(.timeLimit(.minutes(15)))
struct UnreadStreamTests {
    /// Runs a proxy beside an origin that answers with as many bytes as the path says; little waits in the sockets, where they `holdLittle`.
    private static func run(
        holdLittle: Bool = true,
        _ body: (RunningProxy, LoopbackOrigin) async throws -> Void
    ) async throws {
        let origin = try await SlowPeerTests.origin(isSecure: true)
        try await RunningProxy.run(
            clock: TestClock(),
            holdsLittle: holdLittle,
            configure: { $0.matchesProtocols = false }
        ) { try await body($0, origin) }
    }

    /// The windows of streams and of the connection as wide as can be.
    private static let wideWindows =
        H2Frames.frame(4, 0, stream: 0, [0, 4, 0x7F, 0xFF, 0xFF, 0xFF])
        + H2Frames.frame(8, 0, stream: 0, [0x7F, 0xFF, 0, 0])

    /// A client that has asked for so many bytes and reads none.
    private static func ask(
        _ size: Int,
        _ proxy: RunningProxy,
        _ origin: LoopbackOrigin,
        holdsLittle: Bool = true,
        windows: [UInt8] = wideWindows
    ) async throws -> RawClient {
        let client = try await proxy.tunnel(to: origin.port, holdsLittle: holdsLittle)
        try await client.startTLS(name: "localhost", trusting: proxy.rootFile, protocols: ["h2"])
        try await client.setReading(false)
        let authority = "localhost:\(origin.port)"
        let fields = [(":method", "GET"), (":scheme", "https"), (":authority", authority), (":path", "/\(size)")]
        try await client.send(H2Frames.opening + windows + H2Frames.headers(fields, H2Frames.endStream))
        return client
    }

    /// Asks a proxy to come to its end, and again once what follows is done; whether something is under way then.
    private static func drain(_ proxy: RunningProxy) async throws -> Bool {
        for _ in 1...2 {
            _ = try await proxy.drain()
            try await proxy.server.beat()
        }
        return try await proxy.drain() > 0
    }

    /// Sends bytes, or the end of the client's half in the place of none; the proxy has taken them when this returns.
    private static func send(_ bytes: [UInt8], _ client: RawClient, _ proxy: RunningProxy) async throws {
        try await proxy.holdingUp {
            if bytes.isEmpty { try await client.halfClose() } else { try await client.send(bytes) }
        }
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

    private static let ping = H2Frames.frame(6, 0, stream: 0, [0, 0, 0, 0, 0, 0, 0, 0])

    /// PING that is too short.
    private static let shortPing = H2Frames.frame(6, 0, stream: 0, [0])

    @Test(
        "What a client sends while its connection is left, right or wrong, takes nothing from what it has to read",
        arguments: [
            // More window for the connection, HEADERS for a stream of the proxy's, and the end of the client's half.
            shortPing, ping, H2Frames.frame(8, 0, stream: 0, [0, 0, 0, 1]),
            H2Frames.headers([], H2Frames.endStream, stream: 2), [],
        ]
    )
    func left(frame: [UInt8]) async throws {
        try await Self.run { proxy, origin in
            // What sockets hold differs between connections: more is asked for until the last of it waits in the proxy.
            for size in stride(from: 256 << 10, through: 1 << 20, by: 8 << 10) {
                let rowCount = proxy.sink.soFar.ended.count + 1
                let client = try await Self.ask(size, proxy, origin)
                #expect(try await proxy.sink.ended(rowCount).last?.exchange.outcome == .completed)
                for _ in 1...2 { try await proxy.server.beat() }
                guard try await Self.drain(proxy) else { continue }
                // What is only on its way leaves within the time.
                try await client.stays("as it is", for: .milliseconds(50)) { _ in true }
                guard try await Self.drain(proxy) else { continue }
                try await Self.send(frame, client, proxy)
                #expect(try await Self.drain(proxy), "the connection has ended")
                let (contentBytes, goAways) = try await Self.rest(client)
                // The end of its stream was still to be written: the connection was not left yet.
                if goAways.first == [0x7F, 0xFF, 0xFF, 0xFF, 0, 0, 0, 0] { continue }
                #expect(contentBytes == size)
                // Without an error, and with the number of its stream: no breach of a connection that is over is of interest.
                #expect(goAways == [[0, 0, 0, 1, 0, 0, 0, 0]])
                #expect(proxy.sink.soFar.ended.count == rowCount)
                return
            }
            Issue.record("however large an answer is, the sockets hold it")
        }
    }

    /// Bytes that sockets take from the proxy, while the client reads none of them.
    private static let takenBytes = 512 << 10

    /// A client whose connection is left, and which has still to read what the sockets hold.
    private static func leave(_ proxy: RunningProxy, _ origin: LoopbackOrigin) async throws -> RawClient {
        let client = try await ask(takenBytes, proxy, origin, holdsLittle: false)
        #expect(try await proxy.sink.ended().first?.exchange.outcome == .completed)
        for _ in 1...2 { try await proxy.server.beat() }
        _ = try await drain(proxy)
        return client
    }

    @Test("A client that goes on sending while it reads what the sockets hold gets all of it")
    func sending() async throws {
        try await Self.run(holdLittle: false) { proxy, origin in
            let client = try await Self.leave(proxy, origin)
            try await client.setReading(true)
            // The proxy may have closed by then.
            repeat { try? await client.send(Self.ping) } while !client.soFar.isEnded
            #expect(try await Self.rest(client).contentBytes == Self.takenBytes)
        }
    }

    @Test("A stop waits from its first look on for a client that reads what the sockets hold, whatever that sends")
    func stopped() async throws {
        try await Self.run(holdLittle: false) { proxy, origin in
            let client = try await Self.ask(Self.takenBytes, proxy, origin, holdsLittle: false)
            #expect(try await proxy.sink.ended().first?.exchange.outcome == .completed)
            for _ in 1...2 { try await proxy.server.beat() }
            // A stop would end the process, were this none.
            #expect(try await proxy.drain() > 0)
            try await client.setReading(true)
            repeat { try? await client.send(Self.ping) } while !client.soFar.isEnded
            #expect(try await Self.rest(client).contentBytes == Self.takenBytes)
        }
    }

    @Test("A stop waits a second for a client that reads nothing of what the sockets hold, and that is all sent later")
    func rested() async throws {
        try await Self.run(holdLittle: false) { proxy, origin in
            let client = try await Self.leave(proxy, origin)
            #expect(try await proxy.drain() > 0)
            try await proxy.pass(.seconds(1))
            #expect(try await proxy.drain() == 0)
            #expect(try await Self.rest(client).contentBytes == Self.takenBytes)
        }
    }

    @Test("A client that sends and sends while it reads nothing is held up, and gets all of it later")
    func heldUp() async throws {
        try await Self.run(holdLittle: false) { proxy, origin in
            let client = try await Self.leave(proxy, origin)
            let isSent = Watched(false)
            // More than the sockets and the proxy take.
            async let flood: Void = {
                try await client.send([UInt8](repeating: 0, count: 32 << 20))
                isSent.update { $0 = true }
            }()
            try await client.stays("open", for: .seconds(1)) { !$0.isEnded }
            #expect(!isSent.value)
            #expect(try await Self.rest(client).contentBytes == Self.takenBytes)
            // The connection ended behind what the client had to read.
            try? await flood
        }
    }

    @Test("A client that ends its half has the last of an answer that waited for it in the proxy")
    func ended() async throws {
        try await Self.run { proxy, origin in
            let stalled = try await Self.ask(8 << 20, proxy, origin)
            _ = try await proxy.sink.told("the first of it") { $0.responseBytes > 0 }
            let heldBytes = try await proxy.sink.settled(\.responseBytes).responseBytes
            try await stalled.reset()
            _ = try await proxy.sink.ended()
            // Of some the sockets hold everything, of some the last bytes wait in the proxy: those of the last before one has to wait upstream.
            var triedCount = 0
            for size in stride(from: max(64 << 10, heldBytes - (128 << 10)), to: 8 << 20, by: 16 << 10) {
                let rowCount = proxy.sink.soFar.ended.count + 1
                let client = try await Self.ask(size, proxy, origin)
                guard try await Self.hasEnded(rowCount, proxy) else { break }
                try await Self.send([], client, proxy)
                #expect(try await Self.rest(client).contentBytes == size)
                triedCount += 1
            }
            #expect(triedCount > 0)
        }
    }

    /// Whether so many exchanges end, before nothing has been told for two seconds.
    private static func hasEnded(_ rowCount: Int, _ proxy: RunningProxy) async throws -> Bool {
        for _ in 1...5 {
            let told = try await proxy.sink.settled { [$0.responseBytes, $0.ended.count] }
            if told.ended.count >= rowCount { return true }
        }
        return false
    }

    @Test("A client that ends its half with its window shut gets what the window allows, and its stream is reset")
    func endedShut() async throws {
        try await Self.run { proxy, origin in
            let client = try await Self.ask(80_000, proxy, origin, windows: [])
            #expect(try await proxy.sink.ended().first?.exchange.outcome == .completed)
            for _ in 1...2 { try await proxy.server.beat() }
            try await Self.send([], client, proxy)
            // No time passes for the proxy: the connection ends because nothing can open the window any more.
            try await client.setReading(true)
            let frames = H2Frames.read(try await client.readToEnd())
            #expect(frames.filter { $0.type == 0 }.reduce(0) { $0 + $1.payload.count } == 65_535)
            // CANCEL.
            #expect(frames.filter { $0.type == 3 }.map(\.payload) == [[0, 0, 0, 8]])
        }
    }

    @Test("A client that did nothing wrong has time to read what was written before its connection ends")
    func crossedReset() async throws {
        try await Self.run { proxy, origin in
            let client = try await proxy.tunnel(to: origin.port, holdsLittle: true)
            try await client.startTLS(name: "localhost", trusting: proxy.rootFile, protocols: ["h2"])
            let authority = "localhost:\(origin.port)"
            // A scheme that is not taken: the answer is followed by a reset, since the request goes on.
            let refused = [(":method", "POST"), (":scheme", "ftp"), (":authority", authority), (":path", "/")]
            try await client.send(H2Frames.opening + Self.wideWindows + H2Frames.headers(refused, 0))
            _ = try await client.read("the reset") { bytes in
                H2Frames.read(bytes).contains { $0.type == 3 } ? bytes.count : nil
            }
            try await client.setReading(false)
            let fields = [
                (":method", "GET"), (":scheme", "https"), (":authority", authority), (":path", "/\(8 << 20)"),
            ]
            try await client.send(H2Frames.headers(fields, H2Frames.endStream, stream: 3))
            _ = try await proxy.sink.told("the first of it") { $0.responseBytes > 0 }
            _ = try await proxy.sink.settled(\.responseBytes)
            // Trailers that may have been on their way before the reset.
            try await Self.send(H2Frames.headers([("x", "y")], H2Frames.endStream), client, proxy)
            #expect(try await proxy.sink.ended(2)[1].failure == "proxy request http2")
            try await proxy.pass(.seconds(1))
            let (contentBytes, goAways) = try await Self.rest(client)
            // INTERNAL_ERROR.
            #expect(goAways.map { $0.suffix(4) } == [[0, 0, 0, 2]] && contentBytes > 0)
        }
    }

    /// Has a client with more to read than sockets hold break the rules; what the proxy does then is done.
    private static func breach(_ proxy: RunningProxy, _ origin: LoopbackOrigin) async throws -> RawClient {
        let client = try await ask(8 << 20, proxy, origin)
        _ = try await proxy.sink.told("the first of it") { $0.responseBytes > 0 }
        _ = try await proxy.sink.settled(\.responseBytes)
        try await send(shortPing, client, proxy)
        #expect(try await proxy.sink.ended().first?.failure == "client request http2")
        for _ in 1...2 { try await proxy.server.beat() }
        return client
    }

    @Test("A client that breaks the rules gets what was written before, and the error behind it")
    func broken() async throws {
        try await Self.run { proxy, origin in
            let (contentBytes, goAways) = try await Self.rest(try await Self.breach(proxy, origin))
            // FRAME_SIZE_ERROR.
            #expect(goAways.map { $0.suffix(4) } == [[0, 0, 0, 6]] && contentBytes > 0)
        }
    }

    @Test("A client that breaks the rules and takes nothing is waited for a quarter of a second, its exchanges are not")
    func stalled() async throws {
        try await Self.run { proxy, origin in
            let client = try await Self.breach(proxy, origin)
            let row = try await proxy.sink.ended(2).last
            #expect(row?.failure == "client deliver http2" && row?.exchange.outcome == .failed)
            try await proxy.expire(.milliseconds(250), client)
            // It was cut off, with what waited in the proxy.
            #expect(try await Self.rest(client).goAways == [])
        }
    }

    @Test("A client that breaks the rules has what the sockets hold already, however late it reads that")
    func brokenAndPaused() async throws {
        try await Self.run(holdLittle: false) { proxy, origin in
            let client = try await Self.ask(Self.takenBytes, proxy, origin, holdsLittle: false)
            #expect(try await proxy.sink.ended().first?.exchange.outcome == .completed)
            for _ in 1...2 { try await proxy.server.beat() }
            try await Self.send(Self.shortPing, client, proxy)
            _ = try await proxy.sink.ended(2)
            for _ in 1...2 { try await proxy.server.beat() }
            try await proxy.pass(.milliseconds(250))
            let (contentBytes, goAways) = try await Self.rest(client)
            // FRAME_SIZE_ERROR.
            #expect(contentBytes == Self.takenBytes && goAways.map { $0.suffix(4) } == [[0, 0, 0, 6]])
        }
    }
}
