import Store
import Testing
import Traffic

@Suite("A read that nobody waits for any more", .timeLimit(.minutes(15)))
struct CancellationTests {
    /// Held by the suite, so that the directory outlives the test.
    private let home: TemporaryStore

    init() throws { home = try TemporaryStore() }

    @Test("A cancelled task's listing, overview and walk end, in blocks and in rows; other reads of it do not")
    func ends() async throws {
        let store = try home.open()
        await store.record((0..<3).map { _ in .plain() })
        for hasBlocks in [false, true] {
            if hasBlocks { try store.index() }
            await withTaskGroup(of: Void.self) { group in
                group.addTask {
                    withUnsafeCurrentTask { $0?.cancel() }
                    #expect(throws: CancellationError.self) { try store.list(ListingQuery()) }
                    #expect(throws: CancellationError.self) { try store.overview(Filter()) }
                    #expect(throws: CancellationError.self) { try store.eachSummary(Filter()) { _ in } }
                    #expect(throws: Never.self) { try store.exchange(1) }
                }
            }
        }
        #expect(try store.list(ListingQuery()).total == 3)
    }
}
