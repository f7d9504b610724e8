import Dispatch
import NIOCore
import NIOEmbedded
import NIOPosix
import Support
import Synchronization
import Testing
import Traffic

@testable import Proxy

/// Names that are looked up off the loops, each once, and waited for no longer than a deadline.
@Suite(.timeLimit(.minutes(15)))
struct NameLookUpsTests {
    /// A resolver whose slow names take until it is let go on.
    private final class Names: Sendable {
        private let asked = Watched<[String]>([])
        private let isOpen = Mutex(false)
        private let gate = DispatchSemaphore(value: 0)

        var asks: [String] { asked.value }

        /// Waits until so many names are being looked up, or were.
        func asks(_ count: Int) async throws {
            _ = try await asked.wait(for: "\(count) look-ups") { $0.count >= count }
        }

        func addresses(of name: String) throws -> [SocketAddress] {
            asked.update { $0.append(name) }
            if name.hasPrefix("slow"), !isOpen.withLock({ $0 }) {
                gate.wait()
                gate.signal()
            }
            guard !name.hasSuffix("gone.test") else {
                throw ExchangeFailure(side: .upstream, phase: .dns, cause: .unknownName, message: "Gone.")
            }
            return [try SocketAddress(ipAddress: "127.0.0.1", port: 0)]
        }

        func open() {
            isOpen.withLock { $0 = true }
            gate.signal()
        }

        deinit { gate.signal() }
    }

    private let loop = MultiThreadedEventLoopGroup.singleton.any()

    private func failure(_ answer: EventLoopFuture<[SocketAddress]>) async throws -> String {
        do {
            _ = try await answer.get()
            return "none"
        } catch let failure as ExchangeFailure {
            return "\(failure.phase.rawValue) \(failure.cause)"
        }
    }

    @Test("Slow names hold up no other, and who waits for them is told in time")
    func slow() async throws {
        let names = Names()
        defer { names.open() }
        let lookUps = NameLookUps({ try names.addresses(of: $0) }, memory: .seconds(5), clock: ProxyClock())
        let slow = (0..<20).map { number in
            lookUps.addresses(of: "slow\(number).test", within: .milliseconds(50), on: loop)
        }
        try await names.asks(20)
        let fast = lookUps.addresses(of: "fast.test", within: .hours(1), on: loop)
        #expect(try await fast.get().map(\.ipAddress) == ["127.0.0.1"])
        for answer in slow { #expect(try await failure(answer) == "dns timeout") }
    }

    @Test("Who asks for a name that is being looked up shares the answer, which is known for five seconds")
    func shared() async throws {
        let (names, clock) = (Names(), TestClock())
        let lookUps = NameLookUps(
            { try names.addresses(of: $0) },
            memory: .seconds(5),
            clock: ProxyClock { clock.now }
        )
        func ask() -> EventLoopFuture<[SocketAddress]> {
            lookUps.addresses(of: "slow.test", within: .hours(1), on: loop)
        }
        let early = (0..<5).map { _ in ask() }
        // Somebody who does not wait any longer takes the answer from nobody.
        let impatient = lookUps.addresses(of: "slow.test", within: .milliseconds(1), on: loop)
        #expect(try await failure(impatient) == "dns timeout")
        names.open()
        for answer in early { #expect(try await answer.get().count == 1) }
        clock.advance(by: .milliseconds(4_999))
        #expect(try await ask().get().count == 1 && names.asks.count == 1)
        clock.advance(by: .milliseconds(1))
        #expect(try await ask().get().count == 1 && names.asks.count == 2)
    }

    @Test("That a name has no address is told to all who asked, and not kept")
    func unknown() async throws {
        let names = Names()
        let lookUps = NameLookUps({ try names.addresses(of: $0) }, memory: .seconds(5), clock: ProxyClock())
        for count in 1...2 {
            let answer = lookUps.addresses(of: "gone.test", within: .hours(1), on: loop)
            #expect(try await failure(answer) == "dns unknown-name")
            #expect(names.asks.count == count)
        }
    }

    @Test("Past the limits names wait for a thread, and then fail at once; a name nobody waits for is not looked up")
    func limits() async throws {
        let names = Names()
        let lookUps = NameLookUps({ try names.addresses(of: $0) }, memory: .seconds(5), clock: ProxyClock())
        let (threads, queue) = (LookUpQueue.runningLimitCount, LookUpQueue.waitingLimitCount)
        func ask(_ name: String, _ limit: TimeAmount = .hours(1)) -> EventLoopFuture<[SocketAddress]> {
            lookUps.addresses(of: name, within: limit, on: loop)
        }
        let first = (0..<threads).map { ask("slow\($0).test") }
        try await names.asks(threads)
        let left = ask("left.test", .milliseconds(1))
        #expect(try await failure(left) == "dns timeout")
        let waiting = (0..<queue).map { ask("queued\($0).test") }
        #expect(try await failure(ask("more.test")) == "dns dns")
        #expect(names.asks.count == threads)
        names.open()
        for answer in first + waiting { #expect(try await answer.get().count == 1) }
        #expect(names.asks.count == threads + queue && !names.asks.contains("left.test"))
    }

    @Test(
        "Whatever one client asks for, or one domain answers slowly, others have their names",
        arguments: [true, false]
    )
    func shares(ofClient: Bool) async throws {
        let names = Names()
        defer { names.open() }
        let lookUps = NameLookUps({ try names.addresses(of: $0) }, memory: .seconds(5), clock: ProxyClock())
        func ask(_ name: String, _ client: UInt8) -> EventLoopFuture<[SocketAddress]> {
            lookUps.addresses(of: name, for: [192, 0, 2, client], within: .hours(1), on: loop)
        }
        func name(_ number: Int) -> String { ofClient ? "slow\(number).test" : "slow\(number).evil.test" }
        let share = LookUpQueue.shareCount
        let many = (0..<(share.running + share.waiting)).map { ask(name($0), ofClient ? 1 : UInt8($0 % 200)) }
        try await names.asks(share.running)
        #expect(try await failure(ask(name(10_000), 1)) == "dns dns")
        #expect(try await ask("fast.test", 201).get().count == 1)
        #expect(names.asks.count == share.running + 1)
        // Nor does who asks for the same name wait for another's turn.
        if ofClient {
            let same = ask(name(share.running + 9), 201)
            try await names.asks(share.running + 2)
            names.open()
            #expect(try await same.get().count == 1)
        }
        names.open()
        for answer in many { #expect(try await answer.get().count == 1) }
    }

    @Test("One client that asks for many slow names of a domain which is everybody's keeps no other from theirs there")
    func everybodys() async throws {
        let names = Names()
        defer { names.open() }
        let lookUps = NameLookUps({ try names.addresses(of: $0) }, memory: .seconds(5), clock: ProxyClock())
        func ask(_ name: String, _ client: UInt8?) -> EventLoopFuture<[SocketAddress]> {
            let network = client.map { [192, 0, 2, $0] }
            return lookUps.addresses(of: name, for: network, within: .seconds(60), on: loop)
        }
        let (share, part) = (LookUpQueue.shareCount, LookUpQueue.partCount)
        for number in 0..<(share.running + share.waiting) { _ = ask("slow\(number).evil.co.uk", 1) }
        try await names.asks(part.running)
        #expect(try await ask("fast.co.uk", 2).get().count == 1)
        #expect(try await ask("faster.co.uk", nil).get().count == 1)
        #expect(names.asks.count == part.running + 2)
        // Nor has it lost what is its own elsewhere.
        #expect(try await ask("fast.test", 1).get().count == 1)
        #expect(try await failure(ask("fastest.co.uk", 1)) == "dns dns")
    }

    @Test("A client that asks for the names of another comes to have no more of them waiting than its share")
    func passedOn() {
        let share = LookUpQueue.shareCount
        let (one, other): ([UInt8], [UInt8]) = ([192, 0, 2, 1], [192, 0, 2, 2])
        var queue = LookUpQueue()
        /// Names that one client asks for first and then the other; how many of these have come to be waiting as the other's.
        func ask(_ names: Range<Int>) -> Int {
            let asked = names.map { "slow\($0).test" }.filter { queue.add($0, for: one) }
            return asked.count { queue.asked($0, by: other) }
        }
        func add(_ name: String, _ client: [UInt8]) -> Bool { queue.add(name, for: client) }
        func isNext() -> Bool { queue.next() != nil }
        for number in 0..<share.running { #expect(add("slow\(number).test", one) && isNext()) }
        #expect(ask(1_000..<1_000 + share.waiting) == share.waiting)
        #expect(ask(2_000..<2_000 + share.waiting) == 0)
        for client in [one, other] { #expect(!add("slow.test", client)) }
        #expect(add("slow.test", [192, 0, 2, 3]))
    }

    @Test("A client of clear HTTP/2 has no more than its share either, and waits for no other's")
    func priorKnowledge() async throws {
        let names = Names()
        defer { names.open() }
        try await RunningProxy.run(configure: { $0.lookUp = { try names.addresses(of: $0) } }) { proxy in
            func ask(_ client: RawClient, _ name: String, _ stream: UInt8) async throws {
                let fields = [(":method", "GET"), (":scheme", "http"), (":authority", name), (":path", "/")]
                try await client.send(H2Frames.headers(fields, H2Frames.endStream, stream: stream))
            }
            let share = LookUpQueue.shareCount.running
            try await proxy.listeningForStrangers { port in
                let greedy = try await RawClient.connect(port: port)
                try await greedy.send(H2Frames.opening)
                for number in 0..<(2 * share) { try await ask(greedy, "slow\(number).test", UInt8(2 * number + 1)) }
                try await names.asks(share)
                // What waits there is another client's at once.
                try await proxy.listeningForStrangers(from: "192.0.2.2:5") { port in
                    let other = try await RawClient.connect(port: port)
                    try await other.send(H2Frames.opening)
                    try await ask(other, "slow\(2 * share - 1).test", 1)
                    try await names.asks(share + 1)
                    #expect(names.asks.count == share + 1 && names.asks.last == "slow\(2 * share - 1).test")
                }
            }
        }
    }

    @Test("Where no thread can be made nobody waits for one, and whoever asks next tries again")
    func threadless() async throws {
        let isRoom = Mutex(false)
        let lookUps = NameLookUps(
            { _ in [try SocketAddress(ipAddress: "127.0.0.1", port: 0)] },
            memory: .seconds(5),
            clock: ProxyClock(),
            startThread: { run in isRoom.withLock { $0 } && DetachedThread.start(run) }
        )
        func ask() -> EventLoopFuture<[SocketAddress]> {
            lookUps.addresses(of: "a.test", within: .hours(1), on: loop)
        }
        for _ in 0...LookUpQueue.runningLimitCount { #expect(try await failure(ask()) == "dns dns") }
        isRoom.withLock { $0 = true }
        #expect(try await ask().get().count == 1)
    }

    @Test("Of a name with thousands of addresses the first are used, and what was known too long ago is let go")
    func bounded() async throws {
        let clock = TestClock()
        let lookUps = NameLookUps(
            { _ in try (0..<4_000).map { try SocketAddress(ipAddress: "10.0.\($0 / 250).\($0 % 250)", port: 0) } },
            memory: .seconds(5),
            clock: ProxyClock { clock.now }
        )
        for name in ["a.test", "b.test"] {
            let found = try await lookUps.addresses(of: name, within: .hours(1), on: loop).get()
            #expect(found.count == NameLookUps.addressLimitCount && found.first?.ipAddress == "10.0.0.0")
        }
        clock.advance(by: .seconds(5))
        _ = try await lookUps.addresses(of: "c.test", within: .hours(1), on: loop).get()
        #expect(lookUps.knownCount == 1)
    }

    @Test("What is known for too long is let go though nobody asks for anything more")
    func forgotten() {
        let (clock, loop) = (TestClock(), EmbeddedEventLoop())
        let lookUps = NameLookUps(
            { _ in [try SocketAddress(ipAddress: "127.0.0.1", port: 0)] },
            memory: .seconds(5),
            clock: ProxyClock { clock.now },
            // At once, on the thread of whoever asks.
            startThread: { run in
                run()
                return true
            }
        )
        func pass(_ seconds: Int64) {
            clock.advance(by: .seconds(seconds))
            loop.advanceTime(by: .seconds(seconds))
        }
        _ = lookUps.addresses(of: "a.test", within: .hours(1), on: loop)
        pass(3)
        _ = lookUps.addresses(of: "b.test", within: .hours(1), on: loop)
        #expect(lookUps.knownCount == 2)
        pass(2)
        #expect(lookUps.knownCount == 1)
        pass(5)
        #expect(lookUps.knownCount == 0)
    }

    @Test("A proxy that stops lets nobody wait")
    func stopped() async throws {
        let names = Names()
        defer { names.open() }
        let lookUps = NameLookUps({ try names.addresses(of: $0) }, memory: .seconds(5), clock: ProxyClock())
        let answer = lookUps.addresses(of: "slow.test", within: .hours(1), on: loop)
        try await names.asks(1)
        lookUps.stop()
        #expect(try await failure(answer) == "dns dns")
        #expect(try await failure(lookUps.addresses(of: "a.test", within: .hours(1), on: loop)) == "dns dns")
    }

    @Test("A request whose name is slow is a 504 in time, and others are served meanwhile")
    func request() async throws {
        let names = Names()
        defer { names.open() }
        let origin = try await LoopbackOrigin.fine()
        try await RunningProxy.run(configure: {
            $0.lookUp = { try names.addresses(of: $0) }
            $0.connectTimeout = .init(Patience.stretched(.seconds(2)))
        }) { proxy in
            var slow: [RawClient] = []
            for request in ["GET http://slow.test:\(origin.port)/", "CONNECT slow.test:\(origin.port)"] {
                let client = try await proxy.connect()
                try await client.send("\(request) HTTP/1.1\r\nHost: slow.test:\(origin.port)\r\n\r\n")
                slow.append(client)
            }
            try await names.asks(1)
            let client = try await proxy.connect()
            let authority = "fast.test:\(origin.port)"
            try await client.send("GET http://\(authority)/ HTTP/1.1\r\nHost: \(authority)\r\n\r\n")
            #expect(try await client.response().code == 200)
            for client in slow {
                let answer = try await client.response()
                #expect(answer.code == 504 && answer.head.contains("error=dns_timeout"), "\(answer.head)")
            }
            let records = try await proxy.sink.ended(3)
            #expect(records.map(\.failure).sorted() == ["none", "upstream dns timeout", "upstream dns timeout"])
            let served = records.first { $0.exchange.host == "fast.test" }
            #expect(served?.exchange.upstream?.address == "127.0.0.1:\(origin.port)")
        }
    }
}
