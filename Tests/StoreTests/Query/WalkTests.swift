import NIOCore
import Store
import Testing
import Traffic

@Suite("A walk over captures", .timeLimit(.minutes(15)))
struct WalkTests {
    /// Held by the suite, so that the directory outlives the test.
    private let home: TemporaryStore

    init() throws { home = try TemporaryStore() }

    private func visited(_ store: TrafficStore, _ selection: CaptureSelection) throws -> [ExchangeID] {
        var ids: [ExchangeID] = []
        try store.walk(selection) { visit in
            ids.append(visit.summary.id)
            return true
        }
        return ids
    }

    @Test(
        "It visits what is selected, the newest first, over pages of rows and in blocks too",
        arguments: [false, true]
    )
    func order(isIndexed: Bool) async throws {
        let store = try home.open()
        await store.record((0..<2_500).map { .plain(code: $0 % 2 == 0 ? 200 : 404) })
        if isIndexed { try store.index() }
        #expect(try visited(store, .matching(Filter())) == Array((1...2_500).reversed()))
        let missing = try FilterParser.parse("code:404", now: 0)
        #expect(try visited(store, .matching(missing)) == Array(stride(from: 2_500, through: 2, by: -2)))
        #expect(try visited(store, .one(7)) == [7])
        #expect(try visited(store, .one(9_999)) == [])
    }

    @Test("It ends where it is told to, and passes on what is thrown")
    func ends() async throws {
        struct Enough: Error {}
        let store = try home.open()
        await store.record((0..<5).map { _ in .plain() })
        var ids: [ExchangeID] = []
        try store.walk(.matching(Filter())) { visit in
            ids.append(visit.summary.id)
            return visit.summary.id > 4
        }
        #expect(ids == [5, 4])
        #expect(throws: Enough.self) { try store.walk(.matching(Filter())) { _ in throw Enough() } }
    }

    @Test(
        "It tells how many exchanges it has looked at, and of how many: never fewer than before, and all at the end",
        arguments: [("", 5_000), ("code:404", 2_500), ("code:500", 0)]
    )
    func tells(query: String, selected: Int) async throws {
        let store = try home.open()
        await store.record((0..<5_000).map { .plain(code: $0 % 2 == 0 ? 200 : 404) })
        try store.index()
        var (told, given): ([Int], Int) = ([], 0)
        _ = try store.eachSummary(
            FilterParser.parse(query, now: 0),
            telling: { looked, total in
                #expect(total == 5_000)
                told.append(looked)
            }
        ) { _ in given += 1 }
        #expect(given == selected && told.count > selected)
        #expect(told.first == 0 && told.last == 5_000 && told == told.sorted())
        if query.isEmpty { #expect(told.starts(with: [0, 1, 2, 3])) }
    }

    @Test("It reads the bodies of an exchange, and nothing of what was deleted meanwhile")
    func bodies() async throws {
        let store = try home.open()
        let heron = Array("a heron".utf8)
        await store.record([
            .ended(1, .plain().with(responseBody: heron), request: .init(), response: ByteBuffer(bytes: heron)),
            .ended(2, .plain(), request: .init(), response: .init()),
        ])
        var isGone = false
        try store.walk(.matching(Filter())) { visit in
            if visit.summary.id == 2 {
                try store.delete([2])
                isGone = try visit.capture() == nil
            } else {
                let capture = try #require(try visit.capture())
                #expect(capture.response.bytes == heron && capture.summary == visit.summary)
            }
            return true
        }
        #expect(isGone)
        // A number that is of nothing any more is passed over.
        #expect(try visited(store, .matching(Filter())) == [1])
    }

    @Test("Nobody waits for the walk of a cancelled task, so it ends before the next exchange")
    func cancelled() async throws {
        let store = try home.open()
        await store.record((0..<3).map { _ in .plain() })
        let ids = try store.ids(Filter())
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                var count = 0
                #expect(throws: CancellationError.self) {
                    try store.walk(.matching(Filter())) { _ in
                        count += 1
                        withUnsafeCurrentTask { $0?.cancel() }
                        return true
                    }
                }
                #expect(count == 1)
            }
        }
        #expect(ids == [1, 2, 3])
    }
}
