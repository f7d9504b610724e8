import NIOCore
import Store
import Testing
import Traffic

@Suite("The numbers that a writer gives out", .timeLimit(.minutes(15)))
struct GivenNumbersTests {
    /// Held by the suite, so that the directory outlives the test.
    private let home: TemporaryStore
    private let bytes = pattern(3_000)

    init() throws { home = try TemporaryStore() }

    /// An exchange with a message and a body.
    private var stream: [ExchangeEvent] {
        let message = StreamMessage(
            side: .response,
            time: 1,
            kind: .event,
            wireBytes: 3,
            size: 3,
            payload: ByteBuffer(string: "new")
        )
        let exchange = Exchange.plain().with(responseBody: bytes)
        return [
            .opened(1, .plain(outcome: .pending)), .message(1, message),
            .ended(1, exchange, request: .init(), response: ByteBuffer(bytes: bytes)),
        ]
    }

    /// A closed store of an exchange and of the exchange with messages and a body.
    private func fill(deleting ids: [ExchangeID] = []) async throws {
        let store = try home.open()
        await store.record([.plain()])
        await store.record(stream)
        try store.delete(ids)
        try store.close()
    }

    @Test("The number of an exchange whose row is gone, but not its body and messages, is not given out again")
    func newestGone() async throws {
        try await fill()
        try StoreDamage.newestGone.happen(to: home)
        let store = try home.open()
        let receipt = await store.record(stream)
        #expect(receipt.isRecorded && receipt.ids == [3])
        #expect(try store.wholeBody(3, .response) == bytes)
        #expect(try store.messages(of: 3, limit: 9).count == 1)
        try store.close()
    }

    @Test("What people wrote about an exchange whose row is gone is not the next one's")
    func marksLeft() async throws {
        let first = try home.open()
        await first.record([.plain(), .plain()])
        _ = try first.mark([2], .tags(["old"]))
        try first.close()
        try StoreDamage.newestGone.happen(to: home)
        let store = try home.open()
        #expect(await store.record([.plain()]).ids == [3])
        #expect(try store.summaries(of: [3]).first?.marks == ExchangeMarks())
        try store.close()
    }

    @Test(
        "An exchange that gets the number of a row that is gone is found at once, although blocks tell of that number",
        arguments: [nil, StoreDamage.groupOfAll]
    )
    func givenAgain(damage: StoreDamage?) async throws {
        let first = try home.open()
        await first.record([.plain(), .plain(), .plain()])
        try first.index()
        try first.close()
        try StoreDamage.newestGone.happen(to: home)
        try damage?.happen(to: home)
        // Without blocks of its own, so that none is made while the questions are asked.
        let store = try home.open(makesBlocks: false)
        #expect(await store.record([.plain(target: "/fresh", code: 500)]).ids == [3])
        for query in ["", "code:500", "fresh", "path:/fresh"] {
            let filter = try FilterParser.parse(query, now: 0)
            #expect(try store.list(ListingQuery(filter: filter)).exchanges.first?.id == 3, "\(query)")
        }
        try store.close()
        let again = try home.open()
        try again.index()
        #expect(try home.count(.facetBlock) == 1 && home.count(.searchBlock) == 1)
        #expect(try again.check().problems == [])
        try again.close()
    }

    @Test(
        "A store that is accepted is accepted the next time too, whatever was recorded in between",
        arguments: ["sequence.last", "connection.id"],
        [((1 << 33) - 1, true), (1 << 33, false)] as [(Int64, Bool)]
    )
    func last(column: String, room: (number: Int64, isEnough: Bool)) async throws {
        // Only what was deleted needs a row that keeps the last number.
        try await fill(deleting: [1])
        let column = try #require(StoredColumn.all.first { $0.testDescription == column })
        try StoreDamage.number(room.number, in: column).happen(to: home)
        let store = try home.open()
        #expect(await store.record([.plain()]).isRecorded == room.isEnough)
        #expect(
            await store.record([.plain(client: Peer(token: 2, address: "127.0.0.1:50001", tls: nil))]).isRecorded
                == false
        )
        #expect(try store.gaps().isEmpty == false)
        try store.close()
        try home.open().close()
    }
}
