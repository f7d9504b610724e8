import NIOCore
import Store
import Testing
import Traffic

@Suite("Following a store", .timeLimit(.minutes(15)))
struct ChangeTests {
    /// Held by the suite, so that the directory outlives the test.
    private let home: TemporaryStore

    init() throws { home = try TemporaryStore() }

    @Test("A follower is told what was written after it came, pending ones twice")
    func follow() async throws {
        let store = try home.open()
        await store.record([.plain()])
        var changes = store.changes().makeAsyncIterator()
        await store.record([.opened(1, .plain(code: nil, outcome: .pending))])
        guard case .changed(let opened) = await changes.next() else { return #expect(Bool(false), "no change came") }
        #expect(opened.map(\.id) == [2] && opened.map(\.outcome) == [.pending])
        await store.record([.ended(1, .plain(), request: .init(), response: .init())])
        guard case .changed(let ended) = await changes.next() else { return #expect(Bool(false), "no change came") }
        #expect(ended.map(\.id) == [2] && ended.map(\.outcome) == [.completed])
        #expect(try store.summaries(of: [2]) == ended)
    }

    @Test("A slow follower gets at most 1,000 exchanges, then is told to list again, then goes on")
    func slow() async throws {
        let store = try home.open()
        var changes = store.changes().makeAsyncIterator()
        for _ in 0..<10 { await store.record((0..<100).map { _ in .plain() }) }
        guard case .changed(let all) = await changes.next() else { return #expect(Bool(false), "no change came") }
        #expect(all.map(\.id) == Array(1...1000))
        for _ in 0..<11 { await store.record((0..<100).map { _ in .plain() }) }
        guard case .resync = await changes.next() else { return #expect(Bool(false), "no resync came") }
        await store.record([.plain()])
        guard case .changed(let next) = await changes.next() else { return #expect(Bool(false), "no change came") }
        #expect(next.map(\.id) == [2101])
    }

    @Test("The stream ends when the store closes")
    func end() async throws {
        let store = try home.open()
        let changes = store.changes()
        await store.record([.plain()])
        try store.close()
        var seen = 0
        for await _ in changes { seen += 1 }
        #expect(seen == 1)
    }
}
