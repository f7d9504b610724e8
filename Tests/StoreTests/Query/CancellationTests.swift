import GRDB
import NIOCore
import Testing
import Traffic

@testable import Store

@Suite("A read that nobody waits for any more", .timeLimit(.minutes(15)))
struct CancellationTests {
    /// Held by the suite, so that the directory outlives the test.
    private let home: TemporaryStore

    init() throws { home = try TemporaryStore() }

    @Test("A cancelled task's listing, overview, walk and check end, in blocks and in rows; other reads of it do not")
    func ends() async throws {
        let store = try home.open()
        try store.beginSession("one", now: 1)
        await store.record((0..<3).map { _ in .plain() })
        for hasBlocks in [false, true] {
            if hasBlocks { try store.index() }
            await withTaskGroup(of: Void.self) { group in
                group.addTask {
                    withUnsafeCurrentTask { $0?.cancel() }
                    #expect(throws: CancellationError.self) { try store.list(ListingQuery()) }
                    #expect(throws: CancellationError.self) { try store.overview(Filter()) }
                    #expect(throws: CancellationError.self) { try store.eachSummary(Filter()) { _ in } }
                    #expect(throws: CancellationError.self) { try store.check() }
                    #expect(throws: CancellationError.self) { try store.sessions() }
                    #expect(throws: Never.self) { try store.exchange(1) }
                }
            }
        }
        #expect(try store.list(ListingQuery()).total == 3)
    }

    @Test("A statement that takes long ends in the midst of it, and the next one of the same connection runs")
    func endsWithinStatement() async throws {
        let store = try home.open()
        let count = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?) SELECT count(*) FROM n"
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                withUnsafeCurrentTask { $0?.cancel() }
                #expect(throws: CancellationError.self) {
                    try store.read { db in
                        try db.cancellable { try Int.fetchOne(db, sql: count, arguments: [1_000_000]) }
                    }
                }
                #expect(throws: Never.self) {
                    try store.read { db in try Int.fetchOne(db, sql: count, arguments: [100_000]) }
                }
            }
        }
        let whole = try store.read { db in
            try db.cancellable { try Int.fetchOne(db, sql: count, arguments: [100_000]) }
        }
        #expect(whole == 100_000)
    }

    @Test("It ends within one exchange too: between the pieces of a body and the pages of its messages")
    func endsWithinOne() async throws {
        let store = try home.open()
        let message = StreamMessage(
            side: .response,
            time: 1,
            kind: .event,
            wireBytes: 1,
            size: 1,
            payload: ByteBuffer(string: "x")
        )
        let body = ByteBuffer(string: "a heron")
        await store.record([
            .opened(1, .plain(outcome: .pending)), .message(1, message), .body(1, .response, body),
            .ended(1, .plain().with(responseBody: Array(body.readableBytesView)), request: .init(), response: .init()),
        ])
        let lines = try store.summaries(after: 0, limit: 1)
        for query in ["body:nothing", "message:nothing"] {
            let filter = try FilterParser.parse(query, now: 0)
            #expect(try store.selected(by: filter, of: lines) == [])
            await withTaskGroup(of: Void.self) { group in
                group.addTask {
                    withUnsafeCurrentTask { $0?.cancel() }
                    #expect(throws: CancellationError.self) { try store.selected(by: filter, of: lines) }
                }
            }
        }
    }

    @Test("A deletion whose asker left says what it did, and owes the look for connections to the next one")
    func owesSweep() async throws {
        let store = try home.open()
        await store.record((0..<3).map { _ in .plain() })
        try await withThrowingTaskGroup(of: TrafficStore.DeletionResult.self) { group in
            group.addTask {
                withUnsafeCurrentTask { $0?.cancel() }
                return try store.delete([1, 2])
            }
            let result = try await group.next()
            #expect(result == TrafficStore.DeletionResult(deleted: 2))
        }
        #expect(try store.list(ListingQuery()).total == 1)
        var looks = 0
        try store.connectionSweep.settle(of: 1, atLeast: 2) { looks += 1 }
        #expect(looks == 1)
    }
}
