import NIOCore
import Support
import Testing
import Traffic

@testable import Proxy

/// Connections of HTTP/2 to upstreams that many exchanges come to wait for and to share.
@Suite(.timeLimit(.minutes(15)))
struct SharedUpstreamTests {
    private static func request(_ authority: String, stream: UInt8) -> [UInt8] {
        let fields = [(":method", "GET"), (":scheme", "http"), (":authority", authority), (":path", "/\(stream)")]
        return H2Frames.headers(fields, H2Frames.endStream, stream: stream)
    }

    @Test(
        "A WebSocket's opening waits no longer for an upstream's settings than it may, also where the configuration changes meanwhile",
        arguments: [true, false]
    )
    func opening(isDialed: Bool) async throws {
        let names = HeldNames()
        let silent = try await LoopbackOrigin.start { _ in nil }
        var configuration = ProxyConfiguration()
        try await RunningProxy.run(
            clock: TestClock(),
            configure: {
                $0.lookUp = { _ in try names.addresses() }
                configuration = $0
            }
        ) { proxy in
            defer { names.letGo() }
            let client = try await proxy.connect()
            let fields = [
                (":method", "CONNECT"), (":protocol", "websocket"), (":scheme", "http"),
                (":authority", "slow.test:\(silent.port)"), (":path", "/"),
            ]
            try await client.send(H2Frames.opening + H2Frames.headers(fields, 0))
            _ = try await names.askedCount.wait(for: "the look-up") { $0 == 1 }
            func dialed() async throws {
                names.letGo()
                _ = try await silent.connections("our preface") { ($0.first?.receivedBytes ?? 0) > 24 }
            }
            if isDialed { try await dialed() }
            try await proxy.server.reload(configuration, authority: proxy.authority)
            if !isDialed { try await dialed() }
            try await proxy.pass(.seconds(10), until: "the opening to be given up") {
                !proxy.sink.soFar.ended.isEmpty
            }
            #expect(try await proxy.record().failure == "upstream connect timeout")
            _ = try await silent.connections("the end of it") { $0.allSatisfy(\.isClientDone) }
            withExtendedLifetime(client) {}
        }
    }

    @Test(
        "Whoever has dialled a connection has the first stream of it, and what does not fit on it goes by another; for nobody it is not made",
        arguments: [false, true]
    )
    func ownersTurn(hasLeft: Bool) async throws {
        let names = HeldNames()
        let silent = try await LoopbackOrigin.start { _ in nil }
        // Of an upstream that has not said how many streams it takes, a hundred are taken for granted.
        let count = 101
        try await RunningProxy.run(
            clock: TestClock(),
            configure: {
                $0.lookUp = { _ in try names.addresses() }
                $0.streamLimitCount = count
                $0.pendingDelay = .zero
            }
        ) { proxy in
            defer { names.letGo() }
            let client = try await proxy.connect()
            let requests = (0..<count).map { Self.request("slow.test:\(silent.port)", stream: UInt8(2 * $0 + 1)) }
            try await client.send(H2Frames.opening + requests.flatMap { $0 })
            _ = try await proxy.sink.told("every request") { $0.opened.count == count }
            if hasLeft {
                try await client.halfClose()
                _ = try await proxy.sink.ended(count)
            }
            names.letGo()
            if hasLeft {
                try await silent.stays("with no connection", for: .milliseconds(200)) { $0.isEmpty }
            } else {
                _ = try await silent.connections("a second connection") { $0.count == 2 }
            }
            withExtendedLifetime(client) {}
        }
    }

    @Test("Where whoever has dialled a connection has left, the first who waited for it is told how it came about")
    func leftToOthers() async throws {
        let names = HeldNames()
        let origin = try await LoopbackOrigin.start { H2Frames.reply(to: $0) }
        try await RunningProxy.run(
            clock: TestClock(),
            configure: {
                $0.lookUp = { _ in try names.addresses() }
                $0.pendingDelay = .zero
            }
        ) { proxy in
            defer { names.letGo() }
            let client = try await proxy.connect()
            let requests = ([1, 3] as [UInt8]).flatMap { Self.request("slow.test:\(origin.port)", stream: $0) }
            func leave(stream: UInt8) -> [UInt8] { H2Frames.frame(3, 0, stream: stream, [0, 0, 0, 8]) }
            try await client.send(H2Frames.opening + requests)
            _ = try await proxy.sink.told("both requests") { $0.opened.count == 2 }
            try await client.send(leave(stream: 1))
            _ = try await proxy.sink.ended()
            names.letGo()
            let connections = try await origin.connections("the second request") {
                H2Frames.read(Array($0.first?.received.dropFirst(24) ?? [])).contains { $0.type == 1 }
            }
            #expect(connections.count == 1)
            try await client.send(leave(stream: 3))
            let timeline = try #require(try await proxy.sink.ended(2).last).exchange.timeline
            #expect(timeline.dns != nil && timeline.connect != nil)
        }
    }

    @Test("A dial that several wait for ends when the last of them has left, and says nothing of its upstream")
    func forNobody() async throws {
        let silent = try await LoopbackOrigin.start { _ in nil }
        let authority = "localhost:\(silent.port)"
        try await RunningProxy.run(clock: TestClock(), configure: { $0.pendingDelay = .zero }) { proxy in
            let key = UpstreamKey(
                endpoint: Endpoint(host: "localhost", port: silent.port),
                serverName: "localhost",
                offer: .both,
                reach: .anywhere
            )
            // As behind a handshake that went well.
            proxy.server.shared.memory.keep(key, negotiated: "h2")
            let client = try await proxy.connect()
            func ask(stream: UInt8) -> [UInt8] {
                let fields = [(":method", "GET"), (":scheme", "https"), (":authority", authority), (":path", "/")]
                return H2Frames.headers(fields, H2Frames.endStream, stream: stream)
            }
            func leave(stream: UInt8) -> [UInt8] { H2Frames.frame(3, 0, stream: stream, [0, 0, 0, 8]) }
            try await client.send(H2Frames.opening + ask(stream: 1) + ask(stream: 3))
            _ = try await proxy.sink.told("both requests") { $0.opened.count == 2 }
            _ = try await silent.connections("our ClientHello") { ($0.first?.receivedBytes ?? 0) > 100 }
            try await client.send(leave(stream: 1))
            _ = try await proxy.sink.ended()
            try await silent.stays("with the handshake", for: .milliseconds(100)) { $0.allSatisfy { !$0.isClientDone } }
            try await client.send(leave(stream: 3))
            _ = try await proxy.sink.ended(2)
            _ = try await silent.connections("the end of the handshake") { $0.allSatisfy(\.isClientDone) }
            // Whoever comes next begins anew.
            try await client.send(ask(stream: 5))
            let connections = try await silent.connections("another ClientHello") {
                $0.count == 2 && $0[1].receivedBytes > 100
            }
            #expect(connections.count == 2)
            #expect(proxy.server.shared.memory.negotiated(key) == "h2")
            withExtendedLifetime(client) {}
        }
    }

    /// What an origin does that refuses so many first requests, and from then on takes three streams on each connection and answers them.
    private struct RefusingScript {
        let firstCount: Int
        private let hasRefused = Watched(false)

        init(_ firstCount: Int) { self.firstCount = firstCount }

        func reply(to unanswered: [UInt8]) -> LoopbackOrigin.Reply? {
            let isRefusing = !hasRefused.value
            return H2Frames.reply(to: unanswered, settings: isRefusing ? [] : [0, 3, 0, 0, 0, 3]) { frames in
                let requests = frames.filter { $0.type == 1 }.map(\.stream)
                guard requests.count >= (isRefusing ? firstCount : 1) else { return nil }
                hasRefused.update { $0 = true }
                let taken = isRefusing ? 0 : 3
                let answers: [[UInt8]] =
                    requests.prefix(taken).map { stream in
                        // The status 204.
                        H2Frames.frame(1, H2Frames.endStream | H2Frames.endHeaders, stream: stream, [0x89])
                    }
                    // REFUSED_STREAM.
                    + requests.dropFirst(taken).map { stream in H2Frames.frame(3, 0, stream: stream, [0, 0, 0, 7]) }
                return [.send(answers.flatMap { $0 })]
            }
        }
    }

    @Test("Requests that an upstream refused share new connections, as many on each as it takes, and all are answered")
    func refused() async throws {
        let count = 8
        let script = RefusingScript(count)
        let origin = try await LoopbackOrigin.start { script.reply(to: $0) }
        try await RunningProxy.run(clock: TestClock()) { proxy in
            let client = try await proxy.connect()
            let requests = (0..<count).map { Self.request("127.0.0.1:\(origin.port)", stream: UInt8(2 * $0 + 1)) }
            try await client.send(H2Frames.opening + requests.flatMap { $0 })
            let rows = try await proxy.sink.ended(count)
            #expect(rows.allSatisfy { $0.exchange.code == 204 && $0.failure == "none" }, "\(rows.map(\.failure))")
            #expect(rows.allSatisfy { $0.exchange.warnings.count == 1 })
            // The first, and one for every three requests.
            #expect(origin.connections.count <= 4)
            withExtendedLifetime(client) {}
        }
    }
}
