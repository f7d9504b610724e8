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
