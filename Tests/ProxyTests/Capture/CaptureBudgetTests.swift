import NIOCore
import NIOEmbedded
import Support
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
        let lanes = loops.map { CaptureLane(loop: $0, sink: sink, budget: budget) }
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
        let lane = CaptureLane(loop: loop, sink: RecordingSink(), budget: budget)
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

    @Test("A client whose refusals are not committed is read no further")
    func again() async throws {
        let gone = try RefusingPort()
        try await RunningProxy.run(
            RecordingSink(.whenAsked),
            clock: TestClock(),
            configure: { $0.captureLimitBytes = 1_000 }
        ) { proxy in
            let client = try await proxy.connect()
            let connect = "CONNECT 127.0.0.1:\(gone.port) HTTP/1.1\r\nHost: a\r\n\r\n"
            try await client.send(connect)
            _ = try await proxy.sink.ended()
            #expect(proxy.server.budget.isExhausted)
            // It is not kept from its answer for longer than the hold takes.
            try await proxy.expire(.seconds(1), client)
            #expect(try await client.response().code == 502)
            try await client.send(connect)
            try await proxy.sink.stays("without a second row", for: .milliseconds(100)) { $0.ended.count == 1 }
            proxy.sink.commit()
            #expect(try await client.response().code == 502)
        }
        withExtendedLifetime(gone) {}
    }
}
