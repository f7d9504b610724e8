import NIOCore
import NIOPosix
import Support
import Testing
import Traffic

@testable import Proxy

/// How many upstream connections may be open at once, whoever they are for.
@Suite(.timeLimit(.minutes(15)))
struct UpstreamLimitTests {
    /// An origin of HTTP/1 that answers each request with 204 once the gate of its target is open; without gates at once.
    private static func origin(_ gates: [Gate] = [], tls: LoopbackOrigin.TLS? = nil) async throws -> LoopbackOrigin {
        try await LoopbackOrigin.start(tls: tls) { unanswered in
            guard let request = RawRequest(first: unanswered) else { return nil }
            let answer = Array("HTTP/1.1 204 No Content\r\n\r\n".utf8)
            guard let number = Self.number(of: request), gates.indices.contains(number) else {
                return .init(consuming: request.bytes.count, .send(answer))
            }
            return .init(consuming: request.bytes.count, .held(gates[number]), .send(answer))
        }
    }

    /// The number that a target is.
    private static func number(of request: RawRequest) -> Int? { Int(request.target.dropFirst()) }

    /// One place, for which a dial waits by the machine's clock whatever the test's says.
    private static func onePlace(_ configuration: inout ProxyConfiguration) {
        configuration.upstreamLimitCount = 1
        configuration.connectTimeout = .seconds(10) * Patience.factor
    }

    private static func get(_ authority: String) -> String {
        "GET http://\(authority)/ HTTP/1.1\r\nHost: \(authority)\r\n\r\n"
    }

    /// Waits until the proxy's upstream connections, and the dials that wait for one, are as many as a test needs.
    private static func expect(_ openCount: Int, waiting: Int = 0, of proxy: RunningProxy) async throws {
        let count = proxy.server.shared.upstreams
        let end = ContinuousClock.now + Patience.stretched(.seconds(10))
        while count.openCount != openCount || count.waitingCount != waiting {
            try #require(
                ContinuousClock.now < end,
                "\(count.openCount) open and \(count.waitingCount) waiting, not \(openCount) and \(waiting)"
            )
            try await proxy.server.beat()
        }
    }

    @Test(
        "Streams of one client that need more upstream connections than there may be take turns, and all are answered"
    )
    func streams() async throws {
        let (limitCount, streamCount) = (4, 12)
        let gates = (0..<streamCount).map { _ in Gate() }
        let origin = try await Self.origin(gates, tls: Certificates.server("good"))
        try await RunningProxy.run(configure: {
            $0.upstreamLimitCount = limitCount
            $0.matchesProtocols = false
        }) { proxy in
            let client = try await proxy.tunnel(to: origin.port)
            try await client.startTLS(name: "localhost", trusting: proxy.rootFile, protocols: ["h2"])
            let requests = (0..<streamCount).map { number in
                H2Frames.headers(
                    [
                        (":method", "GET"), (":scheme", "https"), (":authority", "localhost:\(origin.port)"),
                        (":path", "/\(number)"),
                    ],
                    H2Frames.endStream,
                    stream: UInt8(1 + 2 * number)
                )
            }
            try await client.send(H2Frames.opening + requests.joined())
            try await Self.expect(limitCount, waiting: streamCount - limitCount, of: proxy)
            for served in 0..<streamCount {
                let connections = try await origin.connections("request \(served + 1)") {
                    $0.count > served && RawRequest(first: $0[served].received) != nil
                }
                // Each that has ended has made room for one.
                #expect(connections.count <= served + limitCount && proxy.server.figures.upstreams <= limitCount)
                let request = try #require(RawRequest(first: connections[served].received))
                gates[try #require(Self.number(of: request))].open()
            }
            let answers = try await client.read("\(streamCount) answers") { bytes in
                H2Frames.read(bytes).count { $0.type == 1 } == streamCount ? bytes.count : nil
            }
            #expect(Set(H2Frames.read(answers).filter { $0.type == 1 }.map(\.stream)).count == streamCount)
            let ended = try await proxy.sink.ended(streamCount)
            #expect(ended.allSatisfy { $0.failure == "none" && $0.exchange.code == 204 })
            // What is idle now is kept, and closed when the proxy drains.
            #expect(origin.connections.count == streamCount)
            _ = try await proxy.drain()
            try await Self.expect(0, of: proxy)
        }
        for gate in gates { gate.open() }
    }

    @Test(
        "A connection that was made a second ago and not used gives way to a dial, on whichever event loops the two are"
    )
    func idle() async throws {
        let origin = try await Self.origin()
        let key = UpstreamKey(
            endpoint: Endpoint(host: "127.0.0.1", port: origin.port),
            serverName: nil,
            reach: .anywhere
        )
        try await RunningProxy.run(clock: TestClock(), configure: Self.onePlace) { proxy in
            let loops = proxy.server.loops + proxy.server.loops
            for (number, loop) in loops.enumerated() {
                let made = loop.eventLoop.flatSubmit { loop.value.pool.establish(key, as: Dial()) }
                if number > 0 {
                    try await Self.expect(1, waiting: 1, of: proxy)
                    try await proxy.pass(.milliseconds(999))
                    try await Self.expect(1, waiting: 1, of: proxy)
                    try await proxy.pass(.milliseconds(1))
                }
                try await made.get()
                _ = try await origin.connections("the end of the connections before") { connections in
                    connections.count == number + 1 && connections.dropLast().allSatisfy(\.isClientDone)
                }
                try await Self.expect(1, of: proxy)
            }
            // Nobody waits any more, so the last is kept.
            try await proxy.server.beat()
            #expect(origin.connections.last?.isClientDone == false)
        }
    }

    @Test("A connection that is between its handshake and its first request does not give way to a dial")
    func handshaken() async throws {
        let secure = try await Self.origin(tls: Certificates.server("good"))
        let other = try await Self.origin()
        try await RunningProxy.run(clock: TestClock(), configure: Self.onePlace) { proxy in
            let first = try await proxy.tunnel(to: secure.port)
            try await Self.expect(1, of: proxy)
            let second = try await proxy.connect()
            try await second.send(Self.get("127.0.0.1:\(other.port)"))
            try await Self.expect(1, waiting: 1, of: proxy)
            try await first.startTLS(name: "localhost", trusting: proxy.rootFile)
            try await first.send("GET / HTTP/1.1\r\nHost: localhost:\(secure.port)\r\n\r\n")
            #expect(try await first.response().code == 204)
            // It has been used, and is idle.
            #expect(try await second.response().code == 204)
            #expect(secure.connections.count == 1)
            try await Self.expect(1, of: proxy)
        }
    }

    @Test("A connection on which a client logs in gives way to a dial a second after a step, not before")
    func login() async throws {
        let origin = try await LoopbackOrigin.start(
            script: RawRequest.answering { request in
                let isDone = request.field("authorization")?.hasSuffix("DONE") == true
                let answer = isDone ? "200 OK" : "401 No\r\nWWW-Authenticate: NTLM TlRMTVNTUAAC"
                return Array("HTTP/1.1 \(answer)\r\nContent-Length: 0\r\n\r\n".utf8)
            }
        )
        let other = try await Self.origin()
        try await RunningProxy.run(clock: TestClock(), configure: Self.onePlace) { proxy in
            let (first, second) = (try await proxy.connect(), try await proxy.connect())
            for (step, code) in [("TlRMTVNTUAAB", 401), ("DONE", 200)] {
                let head = "GET http://127.0.0.1:\(origin.port)/ HTTP/1.1\r\nHost: 127.0.0.1:\(origin.port)\r\n"
                try await first.send("\(head)Authorization: NTLM \(step)\r\n\r\n")
                #expect(try await first.response().code == code)
                if code == 401 { try await second.send(Self.get("127.0.0.1:\(other.port)")) }
                try await Self.expect(1, waiting: 1, of: proxy)
            }
            #expect(origin.connections.count == 1)
            try await proxy.pass(.seconds(1))
            #expect(try await second.response().code == 204)
            try await Self.expect(1, of: proxy)
        }
    }

    @Test("A dial that waits for a place gives way to a stream that an open connection of the same upstream has again")
    func room() async throws {
        let gate = Gate()
        let twoStreams: [UInt8] = [0, 3, 0, 0, 0, 2]
        let origin = try await LoopbackOrigin.start { unanswered in
            H2Frames.reply(to: unanswered, settings: twoStreams) { frames in
                // The first is never answered, the second once the gate is open.
                frames.filter { $0.type == 1 && $0.stream > 1 }.flatMap { frame -> [LoopbackOrigin.Step] in
                    let flags = H2Frames.endStream | H2Frames.endHeaders
                    let answer = LoopbackOrigin.Step.send(H2Frames.frame(1, flags, stream: frame.stream, [0x89]))
                    return frame.stream == 3 ? [.held(gate), answer] : [answer]
                }
            }
        }
        try await RunningProxy.run(configure: { $0.upstreamLimitCount = 1 }) { proxy in
            let client = try await proxy.connect()
            try await client.send(H2Frames.opening)
            for stream in [1, 3, 5] as [UInt8] {
                let place = [(":scheme", "http"), (":authority", "127.0.0.1:\(origin.port)"), (":path", "/\(stream)")]
                try await client.send(
                    H2Frames.headers([(":method", "GET")] + place, H2Frames.endStream, stream: stream)
                )
                guard stream < 5 else { break }
                _ = try await origin.connections("the request, and that its settings are known") {
                    let frames = H2Frames.read(Array($0.first?.received.dropFirst(24) ?? []))
                    return frames.contains { $0.type == 1 && $0.stream == stream }
                        && frames.contains { $0.type == 4 && $0.flags == 1 }
                }
            }
            try await Self.expect(1, waiting: 1, of: proxy)
            gate.open()
            _ = try await client.read("the answer to the last") { bytes in
                H2Frames.read(bytes).contains { $0.type == 1 && $0.stream == 5 } ? bytes.count : nil
            }
            try await Self.expect(1, of: proxy)
            #expect(origin.connections.count == 1)
        }
        gate.open()
    }

    @Test("A request that finds no place in time is answered with 503 that says why, and the next is served")
    func full() async throws {
        let origin = try await Self.origin()
        try await RunningProxy.run(configure: {
            $0.upstreamLimitCount = 1
            $0.connectTimeout = .milliseconds(300) * Patience.factor
        }) { proxy in
            let isTaken = proxy.server.shared.upstreams.enter()
            #expect(isTaken)
            let client = try await proxy.connect()
            try await client.send(Self.get("127.0.0.1:\(origin.port)"))
            let refusal = try await client.response()
            #expect(refusal.code == 503)
            #expect(refusal.head.contains("\r\nProxy-Status: inspect; error=connection_limit_reached\r\n"))
            #expect(
                refusal.text.contains("127.0.0.1:\(origin.port) was not connected to: all upstream connections"),
                "\(refusal.text)"
            )
            #expect(try await proxy.record().failure == "proxy connect no-descriptors")
            #expect(origin.connections.isEmpty)
            try await Self.expect(1, of: proxy)
            proxy.server.shared.upstreams.leave()
            try await client.send(Self.get("127.0.0.1:\(origin.port)"))
            #expect(try await client.response().code == 204)
        }
    }

    @Test("A client that leaves while its request waits for a place, or connects, leaves no place behind")
    func givenUp() async throws {
        let deaf = try DeafPort()
        try await RunningProxy.run(configure: { $0.upstreamLimitCount = 1 }) { proxy in
            let clients = [try await proxy.connect(), try await proxy.connect()]
            for (waitingCount, client) in clients.enumerated() {
                try await client.send(Self.get("127.0.0.1:\(deaf.port)"))
                try await Self.expect(1, waiting: waitingCount, of: proxy)
            }
            try await clients[1].reset()
            try await Self.expect(1, of: proxy)
            try await clients[0].reset()
            try await Self.expect(0, of: proxy)
        }
        withExtendedLifetime(deaf) {}
    }

    @Test(
        "The next address of a name is tried in the place of the one that refused, and gives it back when it refuses too"
    )
    func addresses() async throws {
        let origin = try await Self.origin()
        let nobody = try RefusingPort.ofBoth()
        try await RunningProxy.run(configure: { configuration in
            configuration.upstreamLimitCount = 1
            configuration.nameOverrides = [origin.port, nobody.0.port].compactMap {
                NameOverride(host: "two.test", port: $0, addresses: ["::1", "127.0.0.1"])
            }
        }) { proxy in
            let client = try await proxy.connect()
            for (port, code) in [(nobody.0.port, 502), (origin.port, 204), (nobody.0.port, 502)] {
                try await client.send(Self.get("two.test:\(port)"))
                #expect(try await client.response().code == code)
                try await Self.expect(code == 204 ? 1 : 0, of: proxy)
            }
        }
        withExtendedLifetime(nobody) {}
    }

    #if os(Linux)
    // Elsewhere 127.0.0.2 is no address of the machine.
    @Test(
        "The next address of a name is tried in the place of one that does not answer, and what it says is told",
        arguments: [true, false]
    )
    func deafAddress(isListening: Bool) async throws {
        let deaf = try DeafPort()
        let bootstrap = ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
        let listener = isListening ? try await bootstrap.bind(host: "127.0.0.2", port: deaf.port).get() : nil
        let override = NameOverride(host: "two.test", port: deaf.port, addresses: ["127.0.0.1", "127.0.0.2"])
        try await RunningProxy.run(configure: { configuration in
            configuration.upstreamLimitCount = 1
            if !isListening { configuration.connectTimeout = .seconds(1) * Patience.factor }
            configuration.nameOverrides = [try #require(override)]
        }) { proxy in
            let endpoint = Endpoint(host: "two.test", port: deaf.port)
            let loop = try #require(proxy.server.anyLoop)
            let told = try await loop.eventLoop.flatSubmit {
                let (shared, watch) = (loop.value.shared, loop.value.watch)
                let connector = UpstreamConnector(loop: loop.eventLoop, shared: shared, watch: watch)
                return connector.dial(endpoint, .anywhere).map { dialed in
                    dialed.channel.close(promise: nil)
                    return dialed.address
                }.flatMapErrorThrowing { error in (error as? ExchangeFailure)?.cause.rawValue ?? "\(error)" }
            }.get()
            #expect(isListening ? told.hasPrefix("127.0.0.2") : told == "refused", "\(told)")
            try await Self.expect(0, of: proxy)
        }
        try await listener?.close()
        withExtendedLifetime(deaf) {}
    }
    #endif

    @Test("By way of an upstream proxy the wait for a place is not told as the time that it took to connect")
    func connectTime() async throws {
        let other = try await LoopbackOrigin.start(
            script: RawRequest.answering { request in
                Array("HTTP/1.1 \(request.target == "away.test:80" ? "200 OK" : "204 No Content")\r\n\r\n".utf8)
            }
        )
        try await RunningProxy.run(
            clock: TestClock(),
            configure: {
                Self.onePlace(&$0)
                $0.upstreamProxy = UpstreamProxy(.http, Endpoint(host: "127.0.0.1", port: other.port))
            }
        ) { proxy in
            let isTaken = proxy.server.shared.upstreams.enter()
            #expect(isTaken)
            let client = try await proxy.connect()
            try await client.send(Self.get("away.test:80"))
            try await Self.expect(1, waiting: 1, of: proxy)
            try await proxy.pass(.seconds(3))
            proxy.server.shared.upstreams.leave()
            #expect(try await client.response().code == 204)
            #expect(try await proxy.record().exchange.timeline.connect == 0)
        }
    }

    @Test("A tunnel has a place until it ends")
    func tunnel() async throws {
        let origin = try await LoopbackOrigin.start { unanswered in
            if unanswered.contains(UInt8(ascii: "q")) { return .init(consuming: unanswered.count, .close) }
            return .init(consuming: unanswered.count, .send(Array("220 ready\r\n".utf8)))
        }
        try await RunningProxy.run(configure: { $0.upstreamLimitCount = 1 }) { proxy in
            for _ in 1...2 {
                let client = try await proxy.tunnel(to: origin.port, host: "127.0.0.1")
                try await client.send("\0\n")
                #expect(try await client.read(through: "\r\n") == "220 ready\r\n")
                try await Self.expect(1, of: proxy)
                try await client.send("q")
                _ = try await client.readToEnd()
                try await client.close()
                try await Self.expect(0, of: proxy)
            }
        }
    }

    @Test("A handshake that succeeds or fails gives its place back", arguments: ["good", "expired", nil])
    func handshake(certificate: String?) async throws {
        let origin = try await LoopbackOrigin.start(tls: certificate.map(Certificates.server)) { unanswered in
            .init(consuming: unanswered.count, .close)
        }
        try await RunningProxy.run(configure: { $0.upstreamLimitCount = 1 }) { proxy in
            let loop = try #require(proxy.server.anyLoop).eventLoop
            for _ in 1...2 {
                let endpoint = Endpoint(host: "localhost", port: origin.port)
                let probe = try await TLSProbe.run(endpoint, proxy.server.shared, on: loop).get()
                #expect((probe.failure == nil) == (certificate == "good"), "\(String(describing: probe.failure))")
                try await Self.expect(0, of: proxy)
            }
        }
    }

    @Test("An upstream proxy that refuses gives its place back")
    func upstreamProxy() async throws {
        let other = try await LoopbackOrigin.start(
            script: RawRequest.answering { _ in Array("HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n".utf8) }
        )
        try await RunningProxy.run(configure: {
            $0.upstreamLimitCount = 1
            $0.upstreamProxy = UpstreamProxy(.http, Endpoint(host: "127.0.0.1", port: other.port))
        }) { proxy in
            let client = try await proxy.connect()
            for _ in 1...2 {
                try await client.send(Self.get("away.test:80"))
                #expect(try await client.response().code == 502)
                try await Self.expect(0, of: proxy)
            }
            #expect(other.connections.count == 2)
        }
    }
}
