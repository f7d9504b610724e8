import NIOCore
import Store
import Testing
import Traffic

/// What the writer remembers is what the store holds, also where a transaction was taken back.
@Suite("A transaction that is taken back", .timeLimit(.minutes(15)))
struct RollbackTests {
    private static func ended(_ token: CaptureToken, _ started: Int64) -> ExchangeEvent {
        .ended(token, .plain(started: started), request: ByteBuffer(), response: ByteBuffer())
    }

    @Test("A pause that cannot be written is refused and is none: what passes counts as what could not be recorded")
    func pause() async {
        await #expect(processExitsWith: .success) {
            let home = try TemporaryStore()
            let store = try home.open()
            await store.record([RollbackTests.ended(1, 1_000_000)])
            FullDisk.fill()
            try #require(throws: StoreError.self) { try store.setPaused(true, now: 5_000_000) }
            try #require(!store.isPaused)
            let receipt = await store.record([RollbackTests.ended(2, 6_000_000)])
            try #require(!receipt.isRecorded)
            try #require(try store.gaps().map(\.count) == [1] && store.gaps().allSatisfy { $0.kind == .failure })
            FullDisk.makeRoom()
            let next = await store.record([RollbackTests.ended(3, 7_000_000)])
            try #require(next.isRecorded && next.ids == [2])
            try store.setPaused(true, now: 8_000_000)
            await store.record([RollbackTests.ended(4, 9_000_000)])
            try #require(try store.gaps().map(\.kind) == [.failure, .pause])
            try #require(try store.gaps().map(\.count) == [1, 1])
            try store.close()
            try #require(try home.isIntact())
        }
    }

    @Test("A pause whose end cannot be written goes on, and counts on")
    func resume() async {
        await #expect(processExitsWith: .success) {
            let home = try TemporaryStore()
            let store = try home.open()
            try store.setPaused(true, now: 1_000_000)
            await store.record([RollbackTests.ended(1, 2_000_000)])
            FullDisk.fill()
            try #require(throws: StoreError.self) { try store.setPaused(false, now: 3_000_000) }
            try #require(store.isPaused)
            await store.record([RollbackTests.ended(2, 4_000_000)])
            FullDisk.makeRoom()
            // The row is brought up to date although no batch follows.
            try store.close()
            try #require(try home.open(.reading).gaps().map(\.count) == [2])
        }
    }

    @Test("An exchange that cannot be written costs no other of its batch")
    func ofOne() async throws {
        let home = try TemporaryStore()
        let store = try home.open()
        try StoreDamage.refusedTarget.happen(to: home)
        let receipt = await store.record([
            Self.ended(1, 1_000_000), .opened(2, .plain(target: "/refused", outcome: .pending)),
            .ended(2, .plain(target: "/refused"), request: ByteBuffer(), response: ByteBuffer()),
            .opened(3, .plain(outcome: .pending)), Self.ended(3, 3_000_000), Self.ended(4, 4_000_000),
        ])
        #expect(receipt.isRecorded && receipt.ids == [1, 0, 2, 3] && receipt.lost == 1)
        #expect(try store.list(ListingQuery()).total == 3 && store.gaps().map(\.count) == [1])
        // Where none can be written, the batch is not in the store.
        let none = await store.record(
            (5...6).map { .ended($0, .plain(target: "/refused"), request: ByteBuffer(), response: ByteBuffer()) }
        )
        #expect(!none.isRecorded && none.ids.isEmpty)
        #expect(try store.gaps().map(\.count).reduce(0, +) == 3)
        try store.close()
    }

    @Test("A session whose beginning cannot be written is not the current one")
    func session() async {
        await #expect(processExitsWith: .success) {
            let home = try TemporaryStore()
            let store = try home.open()
            await store.record([.plain()])
            FullDisk.fill()
            try #require(throws: StoreError.self) { try store.beginSession("login", now: 1) }
            FullDisk.makeRoom()
            var changes = store.changes().makeAsyncIterator()
            await store.record([.plain()])
            guard case .changed(let told) = await changes.next() else { throw CancellationError() }
            try #require(told.map(\.session) == [nil])
            try #require(try store.summaries(after: 0, limit: 9).map(\.session) == [nil, nil])
            try store.beginSession("login", now: 2)
            await store.record([.plain()])
            try #require(try store.summaries(after: 0, limit: 9).map(\.session) == [nil, nil, "login"])
            try store.close()
        }
    }

    @Test("After a batch that was taken back, numbers, connections and shared bodies are those that the store has")
    func batch() async {
        await #expect(processExitsWith: .success) {
            let home = try TemporaryStore()
            let store = try home.open()
            let bytes = pattern(3_000)
            let peer = Peer(token: 9, address: "127.0.0.1:9", tls: nil)
            let event = ExchangeEvent.ended(
                1,
                .plain(client: peer).with(responseBody: bytes),
                request: ByteBuffer(),
                response: ByteBuffer(bytes: bytes)
            )
            await store.record([.opened(7, .plain(code: nil, outcome: .pending))])
            FullDisk.fill()
            try #require(await !store.record([event, .changed(7, .plain(outcome: .pending))]).isRecorded)
            FullDisk.makeRoom()
            try #require(await store.record([event, event]).ids == [2, 3])
            try #require(await store.record([RollbackTests.ended(7, 1)]).ids == [1])
            try #require(
                try store.wholeBody(3, .response) == bytes && store.exchange(2)?.client.address == peer.address
            )
            try #require(try store.check().problems == [])
            try store.close()
        }
    }

    @Test("Search blocks that could not be written are made when they can be")
    func searchBlocks() async throws {
        let home = try TemporaryStore()
        let store = try home.open()
        // Fewer than a block holds: none is made meanwhile.
        try StoreDamage.searchBlocksRefused.happen(to: home)
        await store.record((1...20).map { .plain(target: "/\($0)") })
        #expect(throws: (any Error).self) { try store.index() }
        try StoreDamage.searchBlocksTaken.happen(to: home)
        try store.index()
        #expect(try home.count(.searchBlock) == 1)
        try store.close()
    }

    @Test("What a pause counted and could not write is written before the next pause begins")
    func nextPause() async {
        await #expect(processExitsWith: .success) {
            let home = try TemporaryStore()
            let store = try home.open()
            try store.setPaused(true, now: 1_000_000)
            await store.record([.opened(4, .plain(code: nil, started: 2_000_000, outcome: .pending))])
            try store.setPaused(false, now: 3_000_000)
            FullDisk.fill()
            try #require(await !store.record([RollbackTests.ended(4, 2_000_000)]).isRecorded)
            FullDisk.makeRoom()
            try store.setPaused(true, now: 4_000_000)
            try #require(try store.gaps().map(\.count) == [1, 0])
            try store.close()
        }
    }
}
