import NIOCore
import Testing
import Traffic

@testable import Store

@Suite("A deletion in steps", .timeLimit(.minutes(15)))
struct DeletionStepTests {
    /// Held by the suite, so that the directory outlives the test.
    private let home: TemporaryStore

    init() throws { home = try TemporaryStore() }

    /// Records an exchange with messages.
    private func record(_ token: CaptureToken, messages count: Int, in store: TrafficStore) async {
        let message = StreamMessage(
            side: .response,
            time: 1,
            kind: .webSocket,
            opcode: 1,
            wireBytes: 5,
            size: 5,
            payload: ByteBuffer(string: "heron")
        )
        await store.record(
            [.opened(token, .plain(outcome: .pending))] + (0..<count).map { _ in .message(token, message) }
                + [.ended(token, .plain(), request: .init(), response: .init())]
        )
    }

    @Test("An exchange with many messages loses so many in each transaction, and goes with the last of them")
    func messages() async throws {
        let store = try home.open()
        let limit = Int(Deletion.limitMessages)
        await record(1, messages: 2 * limit + 1, in: store)
        await record(2, messages: 3, in: store)
        try store.index()
        let writer = try #require(store.writer)
        var left: [Int] = []
        var deleted: [Int] = []
        while left.last != 3 {
            let outcome = try writer.edit { db, memory in try Deletion.run([1][...], in: db, &memory) }
            left.append(try home.count(.message))
            deleted.append(outcome.deleted)
            #expect(try store.check().problems == [])
            guard left.count < 9 else { break }
        }
        #expect(left == [limit + 4, 4, 3] && deleted == [0, 0, 1])
        await record(3, messages: limit + 1, in: store)
        #expect(try store.delete([2, 3]).deleted == 2)
        #expect(try home.count(.message) == 0 && store.list(ListingQuery(limit: 0)).total == 0)
        try store.index()
        #expect(try store.check().problems == [] && home.count(.searchBlock) == 0)
        try store.close()
    }
}
