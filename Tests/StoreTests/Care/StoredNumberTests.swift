import Archive
import Foundation
import NIOCore
import Store
import Testing
import Traffic

@Suite("A store in which a number is another", .timeLimit(.minutes(15)))
struct StoredNumberTests {
    /// Held by the suite, so that the directory outlives the test.
    private let home: TemporaryStore

    init() throws { home = try TemporaryStore() }

    private static let numbers = [Int64.max, .min, -1, 1 << 43]
    /// When the second of the exchanges began: microseconds since 1970.
    private static let second: Int64 = 1_763_690_001_000_000
    private static let queries = [
        "", "kitchen", "code:200", "path:/v2 or query:x", "url:example.test/v2", "port:443", "size:>1", "reqsize:>1",
        "time:>1ms", "note:kitchen", "session:morning", "tag:campus", "is:favourite", "is:replay or is:truncated",
        "id:2..5", "header:host", "body:Library", "-body:Library", "since:2025-11-21T01:53:21Z",
    ]

    /// A closed store that has a row of every kind.
    private func fill() async throws {
        try home.place(version: 7)
        let store = try home.open()
        try store.index()
        await store.record([.opened(1, .plain(code: nil, outcome: .pending))])
        try store.close()
        try StoreDamage.groupAdded.happen(to: home)
    }

    /// A copy of the store for each of the numbers, with that number in a column.
    private func eachDamaged(_ column: StoredColumn, _ visit: (TemporaryStore) async throws -> Void) async throws {
        try await fill()
        for number in Self.numbers {
            let copy = try TemporaryStore()
            try FileManager.default.copyItem(atPath: home.path, toPath: copy.path)
            try StoreDamage.number(number, in: column).happen(to: copy)
            try await visit(copy)
            withExtendedLifetime(copy) {}
        }
    }

    /// Asks a question, which has to be answered or refused.
    private func ask(_ question: () throws -> Void) throws {
        do { try question() } catch is StoreError {}
    }

    /// Asks everything that can be asked of a store.
    private func askEverything(of store: TrafficStore) throws {
        for query in Self.queries {
            var filter = try FilterParser.parse(query, now: Self.second)
            for before in [nil, Self.second] {
                filter.before = before
                let asked = filter
                try ask { _ = try store.list(ListingQuery(filter: asked)) }
                try ask { _ = try store.page(ListingQuery(filter: asked, limit: 2)) }
                try ask { _ = try store.overview(asked, slots: 100, isStripWhole: true).json }
            }
            try ask {
                var statistics = TrafficStatistics()
                try store.eachSummary(filter) { statistics.add($0) }
                _ = statistics.json
            }
        }
        for name in ListingOrder.names {
            var query = ListingQuery(limit: 3)
            query.order = ListingOrder("-" + name)
            try ask { _ = try store.list(query) }
        }
        try ask { _ = try store.brokenImports().map(\.warning) }
        try ask { _ = try store.completions(of: "code:") }
        try ask {
            var json = JSONWriter()
            try json.object { try store.report(isChecked: true).write(to: &$0) }
        }
        try export(store)
    }

    /// Writes every exchange that can be found, in every format.
    private func export(_ store: TrafficStore) throws {
        var ids: [ExchangeID] = []
        try ask { ids = try store.summaries(after: .min, limit: 100).map(\.id) }
        for format in ExportFormat.allCases {
            for redactor in [nil, Redactor.fresh()] {
                let exporter = Exporter(
                    store: store,
                    scope: .all,
                    creatorVersion: "1",
                    redactor: redactor,
                    remedyWords: nil
                )
                try ask { _ = try exporter.write(ids, as: format) { _ in } }
            }
        }
    }

    @Test("The columns that are tried are all that there are")
    func columns() async throws {
        try await fill()
        let found = try home.tables().compactMap { part -> String? in
            let words = part.split(separator: " ")
            guard words.count > 4, words[..<2] == ["CREATE", "TABLE"], words[4] == "INTEGER" else { return nil }
            return "\(words[2].dropLast()).\(words[3])"
        }
        #expect(Set(found) == Set(StoredColumn.all.map(\.testDescription) + ["sequence.id"]))
    }

    @Test(
        "A store with a number behind which no other has room is refused for writing, in a sentence that names it, and read",
        arguments: StoredColumn.all.filter {
            ["exchange.id", "sequence.last", "open_exchange.id", "connection.id", "certificate.id"]
                .contains($0.testDescription)
        }
    )
    func noRoom(column: StoredColumn) async throws {
        try await fill()
        for number in [1 << 43, -1, Int64.max] {
            let copy = try TemporaryStore()
            try FileManager.default.copyItem(atPath: home.path, toPath: copy.path)
            try StoreDamage.number(number, in: column).happen(to: copy)
            let error = try #require(throws: StoreError.self) { try copy.open() }
            #expect(error.isDamage && error.description.contains("\(number)"), "\(error)")
            let reader = try copy.open(.reading)
            #expect(try reader.list(ListingQuery()).exchanges.contains { $0.id == 1 })
            try reader.close()
            withExtendedLifetime(copy) {}
        }
    }

    @Test("A reader answers every question, or says what is wrong with the store", arguments: StoredColumn.all)
    func reading(column: StoredColumn) async throws {
        try await eachDamaged(column) { copy in
            let store = try copy.open(.reading)
            try askEverything(of: store)
            try store.close()
        }
    }

    @Test("A writer records what comes and finds it again, or refuses the store", arguments: StoredColumn.all)
    func writing(column: StoredColumn) async throws {
        let bytes = pattern(3_000)
        let message = StreamMessage(
            side: .response,
            time: Self.second,
            kind: .event,
            wireBytes: 3,
            size: 3,
            payload: ByteBuffer(string: "new")
        )
        try await eachDamaged(column) { copy in
            let store: TrafficStore
            do { store = try copy.open() } catch let error as StoreError {
                #expect(error.isDamage)
                return
            }
            let receipt = await store.record([
                .opened(9, .plain(outcome: .pending)), .message(9, message),
                .ended(9, .plain().with(responseBody: bytes), request: .init(), response: ByteBuffer(bytes: bytes)),
            ])
            if let id = receipt.ids.first {
                #expect(try store.wholeBody(id, .response) == bytes)
                #expect(try store.messages(of: id, limit: 9).count == 1)
            }
            try ask { try store.index() }
            try ask { try store.mark([1, 5], .tags(["new"])) }
            try ask { try store.beginSession("evening", now: Self.second) }
            try ask { try store.delete([2]) }
            try ask { _ = try store.retain(RetentionPolicy(age: 1, count: 4), now: Self.second) }
            try ask { _ = try store.compact() }
            try askEverything(of: store)
            try ask { _ = try store.clear(Filter()) }
            try ask { try store.close() }
        }
    }
}
