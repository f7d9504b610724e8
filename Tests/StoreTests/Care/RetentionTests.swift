import NIOCore
import Testing
import Traffic

@testable import Store

@Suite("What a store lets go of by itself", .timeLimit(.minutes(15)))
struct RetentionTests {
    /// Held by the suite, so that the directory outlives the test.
    private let home: TemporaryStore

    init() throws { home = try TemporaryStore() }

    /// Lets go of all that a policy does not keep.
    private func settle(_ store: TrafficStore, _ policy: RetentionPolicy, now: Int64 = 0) throws -> [ExchangeID] {
        while try store.retain(policy, now: now) {}
        #expect(try store.check().problems == [])
        return try store.summaries(after: 0, limit: .max).map(\.id)
    }

    @Test("By count: the oldest go, marked and open ones stay unless they are meant too")
    func count() async throws {
        let store = try home.open()
        await store.record([.opened(1 << 40, .plain(code: nil, outcome: .pending))])
        await store.record((0..<2999).map { _ in .plain() })
        try store.mark([2], .tags(["keep"]))
        var favourite = MarkChange()
        favourite.favourite = true
        try store.mark([3], favourite)
        var note = MarkChange()
        note.note = "look at this"
        try store.mark([4], note)
        #expect(try settle(store, RetentionPolicy(count: 100)) == [1, 2, 3, 4] + Array(2905...3000))
        #expect(try settle(store, RetentionPolicy(count: 50, includesMarked: true)) == [1] + Array(2952...3000))
        #expect(try settle(store, RetentionPolicy(count: 0, includesMarked: true)) == [1])
        #expect(try store.check().problems == [])
        try store.close()
    }

    @Test("By age: what began before the time goes")
    func age() async throws {
        let store = try home.open()
        await store.record((1...20).map { .plain(started: Int64($0) * 1_000_000) })
        #expect(try settle(store, RetentionPolicy(age: 10_000_000), now: 16_000_000) == Array(6...20))
        #expect(try settle(store, RetentionPolicy(age: 10_000_000), now: 16_000_000) == Array(6...20))
        #expect(try settle(store, RetentionPolicy(age: 1), now: 90_000_000) == [])
        try store.close()
    }

    @Test(
        "By age: those dated in the future stay and hold nothing back, whether in blocks or not",
        arguments: [false, true]
    )
    func ageBehindFuture(isIndexed: Bool) async throws {
        let store = try home.open()
        let now: Int64 = 1_760_000_000_000_000
        let future = now + 86_400_000_000 * 365
        // More than go at a time, of two blocks; the first of each, and one within, are dated in the future.
        let dated: Set<ExchangeID> = [3_001, 3_700, 4_097]
        try await store.record(
            numbered: (3_001...4_400).map {
                ImportedExchange(.plain(started: dated.contains($0) ? future : now - 10_000_000), number: $0)
            }
        )
        await store.record((1...20).map { _ in .plain(started: now) })
        try store.mark([3_002], .tags(["keep"]))
        if isIndexed { try store.index() }
        let kept = try settle(store, RetentionPolicy(age: 5_000_000), now: now)
        #expect(kept == [3_001, 3_002, 3_700, 4_097] + Array(4_401...4_420))
        #expect(
            try settle(store, RetentionPolicy(age: 5_000_000, includesMarked: true), now: now)
                == kept.filter { $0 != 3_002 }
        )
        try store.close()
    }

    @Test("By bytes: the file stops growing, and the newest are there")
    func bytes() async throws {
        let store = try home.open()
        let policy = RetentionPolicy(bytes: 4 << 20)
        for round in 0..<30 {
            await store.record(
                (0..<10).map { number in
                    // No text, and no other body's.
                    let bytes = [UInt8(round), UInt8(number)] + [UInt8](repeating: 0x81, count: 40_000)
                    return .ended(
                        CaptureToken(number),
                        .plain().with(responseBody: bytes),
                        request: ByteBuffer(),
                        response: ByteBuffer(bytes: bytes)
                    )
                }
            )
            while try store.retain(policy, now: 0) {}
        }
        let report = try store.report(isChecked: true)
        #expect(report.check?.problems == [])
        #expect(report.total > 20 && report.total < 110)
        #expect(try store.summaries(after: 0, limit: .max).last?.id == 300)
        try store.close()
        // Twelve megabytes passed.
        let pages = try home.pages()
        #expect(pages.count * pages.bytes < 8 << 20)
    }

    @Test("In the background it goes on while the store is open, and recording with it")
    func background() async throws {
        let store = try home.open()
        var changes = store.changes().makeAsyncIterator()
        store.keep(RetentionPolicy(count: 10), every: .milliseconds(1)) { 0 }
        for _ in 0..<20 { await store.record((0..<100).map { _ in .plain() }) }
        while try store.list(ListingQuery(limit: 0)).total > 10 { _ = await changes.next() }
        #expect(try store.summaries(after: 0, limit: .max).map(\.id) == Array(1991...2000))
        try store.close()
        let reader = try home.open(.reading)
        #expect(try reader.check().problems == [])
    }

    @Test("By age: what an archive calls pending goes as well, though its block has nothing that ended")
    func archivedPending() async throws {
        let store = try home.open()
        let writer = try #require(store.writer)
        let archive = try writer.begin(importOf: "begun.har", started: 1)
        let pending = Exchange.plain(code: nil, started: 1_000_000, outcome: .pending)
        await store.record([.imported(archive, ImportedExchange(pending))])
        _ = try writer.end(import: archive, as: .done)
        try store.index()
        #expect(try home.count(.facetBlock) == 1 && home.count(.openExchange) == 0)
        #expect(try settle(store, RetentionPolicy(age: 5_000_000), now: 9_000_000) == [])
        try store.close()
    }

    @Test("By age: however many rows without a block are young, the old ones behind them go")
    func behindYoung() async throws {
        let store = try TrafficStore(path: home.path, access: .writing, makesBlocks: false)
        let now: Int64 = 1_760_000_000_000_000
        for _ in 0..<5 { await store.record((0..<1_000).map { _ in .plain(started: now) }) }
        await store.record((0..<3).map { _ in .plain(started: now - 10_000_000) })
        #expect(try settle(store, RetentionPolicy(age: 5_000_000), now: now) == Array(1...5_000))
        try store.close()
    }

    @Test("Connections of what was let go are found after a start too, when it is worth it")
    func leftConnections() async throws {
        var store = try home.open()
        await store.record(
            (0..<200 as Range<UInt64>).map { number in
                .plain(client: Peer(token: 2 + number, address: "127.0.0.1:\(number)", tls: nil))
            }
        )
        await store.record((0..<300).map { _ in .plain() })
        // Retention looks for them when ten thousand went.
        while try store.retain(RetentionPolicy(count: 300), now: 0) {}
        #expect(try home.count(.connection) == 201)
        try store.close()
        store = try home.open()
        #expect(try store.read { try ConnectionSweep.debt(in: $0) } == 200)
        #expect(try store.delete([400]).deleted == 1)
        #expect(try home.count(.connection) == 1)
        #expect(try store.read { try ConnectionSweep.debt(in: $0) } == 0)
        #expect(try store.check().problems == [])
        try store.close()
    }
}
