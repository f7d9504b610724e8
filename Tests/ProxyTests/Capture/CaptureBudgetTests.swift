import Dispatch
import NIOCore
import NIOEmbedded
import Support
import Synchronization
import Testing
import Traffic

@testable import Proxy

/// What is on its way to the record has a bound, which holds for all loops together and for rows without bodies too.
@Suite(.timeLimit(.minutes(15)))
struct CaptureBudgetTests {
    private static func exchange() -> Exchange {
        Exchange(
            timeline: Timeline(started: 0),
            method: "GET",
            scheme: .http,
            host: "a.test",
            port: 80,
            target: "/",
            request: Message(head: ByteBuffer(repeating: 0x61, count: 1_000)),
            client: Peer(token: 1, address: "", tls: nil)
        )
    }

    @Test("A loop whose reads wait for bytes of another loop goes on when these are committed")
    func otherLane() {
        let budget = CaptureBudget(limitBytes: 100)
        let sink = RecordingSink(.whenAsked)
        let loops = [EmbeddedEventLoop(), EmbeddedEventLoop()]
        let lanes = loops.map { CaptureLane(loop: $0, sink: sink, budget: budget, clock: ProxyClock()) }
        lanes[0].add(.opened(1, Self.exchange()), bytes: 100)
        var resumedCount = 0
        #expect(lanes[1].isCongested)
        for _ in 1...2 { lanes[1].whenRoom { resumedCount += 1 } }
        for loop in loops { loop.run() }
        #expect(resumedCount == 0)
        sink.commit()
        for loop in loops { loop.run() }
        #expect(!lanes[1].isCongested && resumedCount == 2)
    }

    @Test("A read that waits goes on as well when the room came between the look and the waiting")
    func between() {
        let budget = CaptureBudget(limitBytes: 100)
        let loop = EmbeddedEventLoop()
        let lane = CaptureLane(loop: loop, sink: RecordingSink(), budget: budget, clock: ProxyClock())
        var isResumed = false
        budget.take(100)
        #expect(lane.isCongested)
        budget.give(100)
        lane.whenRoom { isResumed = true }
        loop.run()
        #expect(isResumed)
        // And waits on when it is taken again before its turn.
        isResumed = false
        budget.take(100)
        lane.whenRoom { isResumed = true }
        budget.give(100)
        budget.take(100)
        loop.run()
        #expect(!isResumed)
        budget.give(100)
        loop.run()
        #expect(isResumed)
    }

    @Test("Clients whose streams take all they get leave room to others, and to any number of modest ones")
    func shares() {
        let budget = CaptureBudget(limitBytes: 64 << 20)
        /// Takes as much as there is for a client, a piece at a time.
        func takeAll(_ client: ClientHoldings) -> Int {
            var count = 0
            while budget.takeStream(from: count << 20, to: (count + 1) << 20, of: client) { count += 1 }
            return count
        }
        let greedy = (1...10).map { _ in ClientHoldings() }
        let taken = greedy.map(takeAll)
        #expect(taken == [12, 6, 3, 1, 1, 0, 0, 0, 0, 0])
        // All streams of a client have one share, and a modest one has its room beside them.
        #expect(!budget.takeStream(from: 0, to: 1 << 20, of: greedy[0]))
        #expect(budget.takeStream(from: 0, to: 40 << 10, of: greedy[0]))
        func isThereRoom(_ client: ClientHoldings) -> Bool { budget.takeStream(from: 0, to: 40 << 10, of: client) }
        // Any number of modest ones of one client leaves as much to others.
        let busy = ClientHoldings()
        let busyCount = (1...1_000).count { _ in isThereRoom(busy) }
        #expect(busyCount >= 50 && busyCount < 150)
        #expect((1...80).allSatisfy { _ in isThereRoom(ClientHoldings()) })
        // And all together have a bound.
        #expect(!(1...1_000).allSatisfy { _ in isThereRoom(ClientHoldings()) })
        #expect(budget.streamBytes <= 32 << 20)
        budget.giveStream(from: 12 << 20, to: 0, of: greedy[0])
        #expect(budget.takeStream(from: 0, to: 1 << 20, of: greedy[9]))
    }

    @Test("A stream for which there is room has it, also while another loop asks for more than there is")
    func refusalsElsewhere() {
        let budget = CaptureBudget(limitBytes: 200_000)
        let isOver = Mutex(false)
        let wrongCount = Mutex(0)
        // One loop holds for a moment what fits; the other is refused again and again, and so never holds anything.
        DispatchQueue.concurrentPerform(iterations: 2) { loop in
            let client = ClientHoldings()
            if loop == 0 {
                for _ in 1...100_000 {
                    if budget.takeStream(from: 0, to: 60_000, of: client) {
                        budget.giveStream(from: 60_000, to: 0, of: client)
                    } else {
                        wrongCount.withLock { $0 += 1 }
                    }
                }
                isOver.withLock { $0 = true }
            } else {
                while !isOver.withLock({ $0 }) {
                    if budget.takeStream(from: 0, to: 110_000, of: client) { wrongCount.withLock { $0 += 1 } }
                }
            }
        }
        let wrong = wrongCount.withLock { $0 }
        #expect(wrong == 0 && budget.streamBytes == 0)
    }

    @Test("A record weighs what its heads, its trailers and its fields do")
    func weight() {
        var exchange = Self.exchange()
        let least = exchange.weightBytes
        #expect(least >= 2_000)
        let piece = ByteBuffer(repeating: 0x61, count: 10)
        exchange.request.sentHead = piece
        exchange.request.trailers = piece
        exchange.response = Message(head: piece, sentHead: piece, trailers: piece)
        exchange.interim = [piece, piece]
        exchange.ownResponse = piece
        #expect(exchange.weightBytes == least + 80)
        exchange.rules = [RuleUse(rule: "staging", phase: .requestHead, action: "send", what: "host", note: "said")]
        #expect(exchange.weightBytes == least + 80 + MemoryLayout<RuleUse>.stride + 19)
    }

    @Test("While refusals are not committed no further client is let in, and then it is")
    func refusals() async throws {
        try await RunningProxy.run(
            RecordingSink(.whenAsked),
            clock: TestClock(),
            configure: {
                WaysInTests.listening(.socks5(nil))(&$0)
                $0.captureLimitBytes = 2_000
            }
        ) { proxy in
            var clients: [RawClient] = []
            for count in 1...2 {
                let client = try await proxy.connect()
                try await client.send([5, 1, 2])
                clients.append(client)
                _ = try await proxy.sink.ended(count)
            }
            #expect(proxy.server.budget.isExhausted)
            let late = try await proxy.connect()
            try await late.send([5, 1, 2])
            try await proxy.sink.stays("without a third row", for: .milliseconds(100)) { $0.ended.count == 2 }
            proxy.sink.commit()
            for client in clients + [late] { #expect(try await client.readToEnd() == [5, 0xFF]) }
            #expect(try await proxy.sink.ended(3).count == 3)
        }
    }

    @Test("What is not read for want of room is not the client's silence, and its request is served once there is some")
    func unread() async throws {
        let gone = try RefusingPort()
        try await RunningProxy.run(clock: TestClock(), configure: { $0.captureLimitBytes = 100_000 }) { proxy in
            let client = try await proxy.connect()
            let request = "GET http://127.0.0.1:\(gone.port)/ HTTP/1.1\r\nHost: 127.0.0.1:\(gone.port)\r\n\r\n"
            try await client.send(request)
            #expect(try await client.response().code == 502)
            proxy.server.budget.take(100_000)
            // The first half is read by what waited already, the second is not.
            try await client.send(String(request.prefix(30)))
            try await proxy.sink.stays("one row", for: .milliseconds(50)) { $0.ended.count == 1 }
            try await client.send(String(request.dropFirst(30)))
            for _ in 1...30 { try await proxy.pass(.seconds(15)) }
            try await proxy.sink.stays("one row", for: .milliseconds(50)) { $0.ended.count == 1 }
            proxy.server.budget.give(100_000)
            #expect(try await client.response().code == 502)
            #expect(try await proxy.sink.ended(2).map(\.exchange.failure?.cause) == [.refused, .refused])
        }
        withExtendedLifetime(gone) {}
    }

    @Test("A client that still sends after it was refused gets its answer and an end, also where there is no room")
    func lingering() async throws {
        let gone = try RefusingPort()
        try await RunningProxy.run(clock: TestClock(), configure: { $0.captureLimitBytes = 100_000 }) { proxy in
            let client = try await proxy.connect()
            try await client.send("GET http://127.0.0.1:\(gone.port)/ HTTP/1.1\r\nHost: 127.0.0.1:\(gone.port)\r\n\r\n")
            #expect(try await client.response().code == 502)
            // The next request may begin by then, and is answered though there is no room for more.
            try await proxy.server.beat()
            proxy.server.budget.take(100_000)
            try await client.send("POST http://a.test/ HTTP/1.1\r\nNo Field: 1\r\nContent-Length: 50000\r\n\r\n")
            #expect(try await client.response().code == 400)
            for _ in 1...5 {
                try await client.send([UInt8](repeating: 0x61, count: 10_000))
                for _ in 1...2 { try await proxy.server.beat() }
            }
            try await client.stays("without a reset", for: .milliseconds(50)) { $0.error == nil }
            try await proxy.pass(.seconds(2))
            #expect(try await client.readToEnd().isEmpty && client.soFar.error == nil)
            proxy.server.budget.give(100_000)
        }
        withExtendedLifetime(gone) {}
    }

    @Test("What changes in a record that is told again and again weighs no heads")
    func changes() {
        let budget = CaptureBudget(limitBytes: 10_000)
        let loop = EmbeddedEventLoop()
        let lane = CaptureLane(loop: loop, sink: RecordingSink(.whenAsked), budget: budget, clock: ProxyClock())
        var exchange = Self.exchange()
        exchange.request.head = ByteBuffer(repeating: 0x61, count: 4_000)
        var tap = CaptureTap(exchange, token: 1, bodyLimitBytes: 1_000)
        tap.open(lane)
        let opened = budget.heldBytes
        tap.note()
        tap.refresh(lane)
        #expect(budget.heldBytes > opened && budget.heldBytes - opened < 2_000)
        // And nothing is told where there is no room.
        budget.take(10_000)
        let full = budget.heldBytes
        tap.note()
        tap.refresh(lane)
        #expect(budget.heldBytes == full)
        budget.give(10_000)
        tap.refresh(lane)
        #expect(budget.heldBytes > opened)
    }

    @Test("A message weighs the room that it has among the events, whatever is in it")
    func messages() {
        let budget = CaptureBudget(limitBytes: 10_000_000)
        let loop = EmbeddedEventLoop()
        let lane = CaptureLane(loop: loop, sink: RecordingSink(.whenAsked), budget: budget, clock: ProxyClock())
        var tap = CaptureTap(Self.exchange(), token: 1, bodyLimitBytes: 1_000)
        let head = ByteBuffer(string: "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n")
        tap.begin(.response, HeaderList(head: head), lane)
        tap.open(lane)
        let opened = budget.heldBytes
        tap.body(.response, ByteBuffer(string: String(repeating: "data\n\n", count: 1_000)), lane)
        #expect(budget.heldBytes - opened >= 1_000 * MemoryLayout<ExchangeEvent>.stride)
        #expect(tap.exchange.messages.response == 1_000)
    }

    @Test("A head that came after the record was opened does not keep the read that it came in")
    func lateHead() throws {
        let lane = CaptureLane(
            loop: EmbeddedEventLoop(),
            sink: RecordingSink(),
            budget: CaptureBudget(limitBytes: 10_000),
            clock: ProxyClock()
        )
        var tap = CaptureTap(Self.exchange(), token: 1, bodyLimitBytes: 1_000)
        tap.open(lane)
        let read = ByteBuffer(repeating: 0x61, count: 100_000)
        tap.exchange.response = Message(head: try #require(read.getSlice(at: 0, length: 100)))
        tap.note()
        tap.refresh(lane)
        let head = try #require(tap.exchange.response?.head)
        #expect(head.readableBytes == 100 && head.storageCapacity < 10_000)
    }

    @Test("A client whose refusals are not committed is read no further")
    func again() async throws {
        let gone = try RefusingPort()
        try await RunningProxy.run(
            RecordingSink(.whenAsked),
            clock: TestClock(),
            configure: { $0.captureLimitBytes = 1_000 }
        ) { proxy in
            let client = try await proxy.connect()
            let request = "GET http://127.0.0.1:\(gone.port)/ HTTP/1.1\r\nHost: 127.0.0.1:\(gone.port)\r\n\r\n"
            try await client.send(request)
            _ = try await proxy.sink.ended()
            #expect(proxy.server.budget.isExhausted)
            // It is not kept from its answer for longer than the hold takes.
            try await proxy.expire(.seconds(1), client)
            #expect(try await client.response().code == 502)
            try await client.send(request)
            try await proxy.sink.stays("without a second row", for: .milliseconds(100)) { $0.ended.count == 1 }
            proxy.sink.commit()
            #expect(try await client.response().code == 502)
        }
        withExtendedLifetime(gone) {}
    }

    @Test(
        "A request that was sent ahead waits until there is room, and its client may have ended its side by then",
        arguments: [false, true]
    )
    func ahead(isEnded: Bool) async throws {
        let gone = try RefusingPort()
        try await RunningProxy.run(
            RecordingSink(.whenAsked),
            clock: TestClock(),
            configure: { $0.captureLimitBytes = 1_000 }
        ) { proxy in
            let client = try await proxy.connect()
            let request = "GET http://127.0.0.1:\(gone.port)/ HTTP/1.1\r\nHost: 127.0.0.1:\(gone.port)\r\n\r\n"
            try await client.send(request + request)
            _ = try await proxy.sink.ended()
            #expect(proxy.server.budget.isExhausted)
            try await proxy.expire(.seconds(1), client)
            #expect(try await client.response().code == 502)
            if isEnded { try await client.halfClose() }
            try await proxy.sink.stays("without a second row", for: .milliseconds(100)) { $0.ended.count == 1 }
            // What is not begun for want of room is not the client's silence.
            try await proxy.pass(.seconds(600))
            proxy.sink.commit()
            #expect(try await client.response().code == 502)
            #expect(try await proxy.sink.ended(2).count == 2)
        }
        withExtendedLifetime(gone) {}
    }
}
