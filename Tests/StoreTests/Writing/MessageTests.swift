import Foundation
import NIOCore
import Store
import Testing
import Traffic

@Suite("Messages of a stream, written and read", .timeLimit(.minutes(15)))
struct MessageTests {
    /// Held by the suite, so that the directory outlives the test.
    private let home: TemporaryStore

    init() throws { home = try TemporaryStore() }

    private static func message(_ number: Int, _ side: MessageSide = .response) -> StreamMessage {
        StreamMessage(
            side: side,
            time: 1_760_000_000_000_000 + Int64(number),
            kind: .webSocket,
            opcode: 1,
            wireBytes: Int64(number),
            size: Int64(number),
            payload: ByteBuffer(bytes: pattern(number))
        )
    }

    @Test("Every part of a message comes back exactly, while the exchange is open and after it ended")
    func roundTrip() async throws {
        let store = try home.open()
        var rich = StreamMessage(
            side: .request,
            time: -5,
            kind: .event,
            opcode: 0x81,
            wireBytes: 1 << 40,
            size: 1 << 41,
            payload: ByteBuffer(bytes: [0, 255, 1])
        )
        rich.isCompressed = true
        rich.status = 4_999
        rich.eventName = "añ\u{0}b"
        rich.eventID = ""
        rich.problem = "Odd."
        await store.record([
            .opened(7, .plain(outcome: .pending)), .message(7, rich), .message(7, Self.message(0, .request)),
        ])
        let reader = try home.open(.reading)
        var expected = [rich, Self.message(0, .request)]
        for index in expected.indices { expected[index].number = Int64(index) + 1 }
        #expect(try reader.messages(of: 1, limit: 10) == expected)
        #expect(try reader.exchange(1)?.outcome == .pending)

        var ended = Exchange.plain()
        ended.messages = MessageCounts(request: 2, response: 0)
        await store.record([.ended(7, ended, request: .init(), response: .init())])
        #expect(try reader.messages(of: 1, limit: 10) == expected)
        #expect(try reader.exchange(1)?.messages == ended.messages)
        #expect(try reader.messages(of: 2, limit: 10) == [])
        #expect(try reader.messages(of: .max, limit: 10) == [] && reader.messages(of: -1, limit: 10) == [])
    }

    @Test("Pages follow one another by number, payloads can be asked for in part, and exchanges do not mix")
    func pages() async throws {
        let store = try home.open()
        await store.record([.opened(1, .plain(outcome: .pending)), .opened(2, .plain(outcome: .pending))])
        for number in 1...25 {
            await store.record([.message(1, Self.message(number)), .message(2, Self.message(1_000 + number, .request))])
        }
        var read: [StreamMessage] = []
        while true {
            let page = try store.messages(of: 1, after: read.last?.number ?? 0, limit: 10)
            read += page
            if page.count < 10 { break }
        }
        #expect(read.map(\.number) == Array(1...25))
        #expect(read.map(\.size) == Array(1...25))
        #expect(try store.messages(of: 2, after: 24, limit: 10).map(\.size) == [1_025])
        let part = try #require(try store.messages(of: 2, limit: 1, payloadBytes: 16).first)
        #expect(part.payload == ByteBuffer(bytes: pattern(1_001).prefix(16)) && part.isTruncated)
        #expect(
            try store.messages(of: 1, after: .max, limit: 10) == []
                && store.messages(of: 1, after: -9, limit: 1).count == 1
        )
    }

    @Test("After a kill, the messages are there and counted, and the exchange is closed as failed")
    func crash() async throws {
        let store = try home.open()
        await store.record([
            .opened(1, .plain(outcome: .pending)), .message(1, Self.message(5)), .message(1, Self.message(6, .request)),
            .message(1, Self.message(7)),
        ])
        let wreck = try TemporaryStore()
        for suffix in ["", "-wal"] {
            try FileManager.default.copyItem(atPath: home.path + suffix, toPath: wreck.path + suffix)
        }
        let reopened = try wreck.open()
        #expect(try reopened.messages(of: 1, limit: 10).map(\.size) == [5, 6, 7])
        let exchange = try #require(try reopened.exchange(1))
        #expect(exchange.outcome == .failed && exchange.messages == MessageCounts(request: 1, response: 2))
    }

    @Test("Messages that cannot be written are counted in a warning; those after them have rows")
    func lost() async throws {
        let store = try home.open()
        await store.record([.opened(1, .plain(outcome: .pending)), .message(1, Self.message(1))])
        try store.limitPages(1)
        let big = await store.record([.message(1, Self.message(900_000))])
        #expect(!big.isRecorded)
        try store.limitPages(1_000_000)
        await store.record([.message(1, Self.message(3))])
        await store.record([.ended(1, .plain(), request: .init(), response: .init())])
        #expect(try store.messages(of: 1, limit: 10).map(\.size) == [1, 3])
        #expect(try store.exchange(1)?.warnings.contains { $0.hasPrefix("1 messages of its stream") } == true)
    }
}
