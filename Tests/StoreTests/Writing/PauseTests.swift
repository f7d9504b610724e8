import NIOCore
import Store
import Testing
import Traffic

@Suite("A paused recording", .timeLimit(.minutes(15)))
struct PauseTests {
    /// Held by the suite, so that the directory outlives the test.
    private let home: TemporaryStore

    init() throws { home = try TemporaryStore() }

    private func ended(_ token: CaptureToken, _ started: Int64) -> ExchangeEvent {
        .ended(token, .plain(started: started), request: ByteBuffer(), response: ByteBuffer())
    }

    @Test("What begins in a pause is not recorded but counted; what began before is recorded to its end")
    func passesOver() async throws {
        let store = try home.open()
        await store.record([ended(1, 1_000_000), .opened(2, .plain(code: nil, started: 2_000_000, outcome: .pending))])
        #expect(!store.isPaused)
        try store.setPaused(true, now: 5_000_000)
        try store.setPaused(true, now: 6_000_000)
        #expect(store.isPaused)
        // One of before, one of the pause, and one that outlives it; the receipt keeps the places.
        let receipt = await store.record([
            ended(3, 7_000_000), ended(2, 2_000_000),
            .opened(4, .plain(code: nil, started: 8_000_000, outcome: .pending)),
        ])
        #expect(receipt.isRecorded && receipt.ids == [0, 2])
        let first = try store.gaps()
        #expect(first.map(\.count) == [1] && first.map(\.from) == [5_000_000] && first.map(\.to) == [7_001_234])
        #expect(first.map(\.cause) == [CaptureGap.pauseCause])
        try store.setPaused(false, now: 9_000_000)
        #expect(!store.isPaused)
        #expect(await store.record([ended(5, 10_000_000)]).ids == [3])
        #expect(await store.record([ended(4, 8_000_000)]).ids == [0])
        let gap = try #require(try store.gaps().first)
        #expect(gap.count == 2 && gap.to == 9_000_000 && gap.kind == .pause)
        #expect(try store.summaries(after: 0, limit: 10).map(\.started) == [1_000_000, 2_000_000, 10_000_000])
        #expect(try store.list(ListingQuery()).isTruncated && store.check().problems == [])
        try store.close()
        #expect(try home.open(.reading).gaps() == [gap])
    }

    @Test("A pause in which nothing passed leaves nothing missing")
    func nothingMissed() async throws {
        let store = try home.open()
        try store.setPaused(true, now: 1)
        try store.setPaused(false, now: 2)
        #expect(await store.record([ended(1, 3)]).ids == [1])
        #expect(try !store.list(ListingQuery()).isTruncated)
    }

    @Test("Who only reads cannot pause")
    func needsWriter() async throws {
        try home.open().close()
        #expect(throws: StoreError.self) { try home.open(.reading).setPaused(true, now: 1) }
    }
}
