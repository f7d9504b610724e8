import Archive
import Foundation
import NIOCore
import Store
import Testing
import Traffic

@Suite("A store in which a number is another", .timeLimit(.minutes(15)))
struct StoredNumberTests {
    private static let numbers = [Int64.max, .min, -1, 1 << 43]
    /// When the second of the exchanges began: microseconds since 1970.
    private static let second: Int64 = 1_763_690_001_000_000
    private static let queries = [
        "", "kitchen", "code:200", "path:/v2 or query:x", "url:example.test/v2", "port:443", "size:>1", "reqsize:>1",
        "time:>1ms", "note:kitchen", "session:morning", "tag:campus", "is:favourite", "is:replay or is:truncated",
        "id:2..5", "header:host", "body:Library", "-body:Library", "since:2025-11-21T01:53:21Z",
    ]

    /// The file of a closed store that has a row of every kind: made once, since the tests open hundreds of its copies.
    private static let filled = Result { () throws -> Data in
        let home = try TemporaryStore()
        defer { withExtendedLifetime(home) {} }
        try home.place(version: 8)
        let store = try home.open()
        try store.index()
        store.submit(CaptureBatch(events: [.opened(1, .plain(code: nil, outcome: .pending))]) { _ in })
        try store.close()
        try StoreDamage.groupAdded.happen(to: home)
        return try Data(contentsOf: URL(fileURLWithPath: home.path))
    }

    /// A copy of the store.
    private func copied() throws -> TemporaryStore {
        let copy = try TemporaryStore()
        let isMade = FileManager.default.createFile(
            atPath: copy.path,
            contents: try Self.filled.get(),
            attributes: [.posixPermissions: 0o600]
        )
        try #require(isMade)
        return copy
    }

    /// The numbers that a column is tried with: both ends where it measures something, else one, by turns.
    private static func numbers(for column: StoredColumn) -> [Int64] {
        if column.isMeasure { return [.max, .min] }
        let place = StoredColumn.all.firstIndex { $0.testDescription == column.testDescription } ?? 0
        return [numbers[place % numbers.count]]
    }

    /// A copy of the store for each number of a column, with that number in it.
    private func eachDamaged(
        _ column: StoredColumn,
        _ visit: (TemporaryStore, Int64) async throws -> Void
    ) async throws {
        for number in Self.numbers(for: column) {
            let copy = try copied()
            try StoreDamage.number(number, in: column).happen(to: copy)
            try await visit(copy, number)
            withExtendedLifetime(copy) {}
        }
    }

    /// Asks a question, which has to be answered, or refused where the column's numbers say where something is.
    private func ask(_ column: StoredColumn, _ question: () throws -> Void) throws {
        do { try question() } catch let error as StoreError { #expect(!column.isMeasure, "\(error)") }
    }

    /// Asks everything that can be asked of a store with another number in a column.
    private func askEverything(of store: TrafficStore, _ column: StoredColumn, isRedacted: Bool) throws {
        func ask(_ question: () throws -> Void) throws { try self.ask(column, question) }
        for query in Self.queries {
            var filter = try FilterParser.parse(query, now: Self.second)
            let whole = filter
            try ask { _ = try store.list(ListingQuery(filter: whole)) }
            guard query.isEmpty || query == "kitchen" || query == "size:>1" else { continue }
            for before in [nil, Self.second] {
                filter.before = before
                let asked = filter
                try ask { _ = try store.page(ListingQuery(filter: asked, limit: 2)) }
                try ask { _ = try store.overview(asked, slots: 100, isStripWhole: true).json }
            }
            try ask {
                var statistics = TrafficStatistics()
                try store.eachSummary(whole) { statistics.add($0) }
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
        if column.isExported { try export(store, column, isRedacted: isRedacted) }
    }

    /// Writes every exchange that can be found, in every format, and with its secrets redacted too where that is asked for.
    private func export(_ store: TrafficStore, _ column: StoredColumn, isRedacted: Bool) throws {
        var ids: [ExchangeID] = []
        try ask(column) { ids = try store.summaries(after: .min, limit: 100).map(\.id) }
        for format in ExportFormat.allCases {
            for redactor in isRedacted ? [nil, Redactor.fresh()] : [nil] {
                let exporter = Exporter(
                    store: store,
                    scope: .all,
                    creatorVersion: "1",
                    redactor: redactor,
                    remedyWords: nil
                )
                try ask(column) { _ = try exporter.write(ids, as: format) { _ in } }
            }
        }
    }

    @Test("The columns that are tried are all that there are")
    func columns() throws {
        let home = try copied()
        let found = try home.tables().compactMap { part -> String? in
            let words = part.split(separator: " ")
            guard words.count > 4, words[..<2] == ["CREATE", "TABLE"], words[4] == "INTEGER" else { return nil }
            return "\(words[2].dropLast()).\(words[3])"
        }
        #expect(Set(found) == Set(StoredColumn.all.map(\.testDescription) + ["sequence.id"]))
    }

    @Test(
        "A store with a number behind which no other has room is refused for writing, in a sentence that names it, and read",
        arguments: [
            ("exchange.id", 0), ("sequence.last", 0), ("open_exchange.id", 0), ("body_chunk.id", 21),
            ("message.id", 28), ("connection.id", 0), ("certificate.id", 0),
        ]
    )
    func noRoom(column: String, bitsBehind: Int64) throws {
        let column = try #require(StoredColumn.all.first { $0.testDescription == column })
        for number in [-1, Int64.max] + (bitsBehind == 0 ? [1 << 43] : []) {
            let copy = try copied()
            try StoreDamage.number(number, in: column).happen(to: copy)
            let error = try #require(throws: StoreError.self) { try copy.open() }
            guard case .unwritable(_, let problem) = error else {
                Issue.record("\(error)")
                continue
            }
            #expect(problem.contains("\(number >> bitsBehind)"), "\(problem)")
            let reader = try copy.open(.reading)
            #expect(try reader.list(ListingQuery()).exchanges.contains { $0.id == 1 })
            try reader.close()
            withExtendedLifetime(copy) {}
        }
    }

    @Test("A reader answers every question, or says what is wrong with the store", arguments: StoredColumn.all)
    func reading(column: StoredColumn) async throws {
        try await eachDamaged(column) { copy, number in
            let store = try copy.open(.reading)
            try askEverything(of: store, column, isRedacted: number != .min)
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
        func ask(_ question: () throws -> Void) throws { try self.ask(column, question) }
        try await eachDamaged(column) { copy, number in
            let store: TrafficStore
            do { store = try copy.open() } catch StoreError.unwritable {
                #expect(!column.isMeasure)
                return
            }
            let receipt = await store.record([
                .opened(9, .plain(outcome: .pending)), .message(9, message),
                .ended(9, .plain().with(responseBody: bytes), request: .init(), response: ByteBuffer(bytes: bytes)),
            ])
            #expect(receipt.isRecorded && receipt.ids.count == 1, "\(number)")
            let id = try #require(receipt.ids.first)
            #expect(try store.wholeBody(id, .response) == bytes)
            #expect(try store.messages(of: id, limit: 9).count == 1)
            try ask { try store.index() }
            try ask { try store.mark([1, 5], .tags(["new"])) }
            try ask { try store.beginSession("evening", now: Self.second) }
            try ask { try store.delete([2]) }
            try ask { _ = try store.retain(RetentionPolicy(age: 1, count: 4), now: Self.second) }
            try ask { _ = try store.compact() }
            try ask { _ = try store.overview(Filter(), slots: 100, isStripWhole: true).json }
            try ask { _ = try store.clear(Filter()) }
            try ask { try store.close() }
        }
    }
}
