import Foundation
import NIOCore
import Store
import Testing
import Traffic

@Suite("Stores of earlier versions", .timeLimit(.minutes(15)))
struct MigrationTests {
    /// Held by the suite, so that the directory outlives the test.
    private let home: TemporaryStore

    init() throws { home = try TemporaryStore() }

    private func backups() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: home.directory).filter { $0.contains("backup") }
    }

    @Test("What a version recorded reads the same", arguments: TemporaryStore.versions)
    func reads(version: Int) async throws {
        try home.place(version: version)
        let capture = StoredCapture(version: version)
        let store = try home.open()
        #expect(try store.check().problems == [])
        let lines = try store.summaries(after: 0, limit: 100)
        #expect(lines.map(\.id) == capture.exchanges.map(\.id))
        for exchange in capture.exchanges {
            let found = try #require(try store.exchange(exchange.id))
            #expect(ExchangeFacts(found) == ExchangeFacts(exchange))
        }
        for body in capture.bodies {
            #expect(try String(decoding: store.wholeBody(body.id, body.side), as: UTF8.self) == body.text)
        }
        #expect(try store.messages(of: 5, limit: 10) == capture.messages)
        #expect(lines.map(\.marks) == [capture.marks] + lines.dropFirst().map { _ in ExchangeMarks() })
        #expect(lines.prefix(2).map(\.lens) == [capture.lens, capture.lens])
        #expect(lines.prefix(2).map(\.clientName) == [capture.clientName, capture.clientName])
        #expect(lines.map(\.rules) == [capture.rules.rules] + lines.dropFirst().map { _ in [] })
        #expect(lines.first?.isModified == (version >= 8))
        let gap = try #require(try store.gaps().first)
        #expect(gap.count == 3 && gap.cause == "database or disk is full")
        let search = SavedSearch(name: "failures", query: "outcome:failed")
        #expect(try store.savedSearches() == (version < 4 ? [] : [search]))
        #expect(try store.sessions().map(\.name) == (version < 4 ? [] : ["morning"]))
        #expect(try store.sessions().map(\.count) == (version < 4 ? [] : [lines.count]))
        #expect(try store.brokenImports().map(\.name) == (version < 5 ? [] : ["large.har"]))
        try store.close()
    }

    @Test(
        "A copy of this user only is left beside it, and everything works",
        arguments: TemporaryStore.versions.dropLast()
    )
    func migrates(version: Int) async throws {
        try home.place(version: version)
        let capture = StoredCapture(version: version)
        #expect(throws: StoreError.older(path: home.path)) { try home.open(.reading) }
        let store = try home.open(classifier: SampleClassifier())
        // What was recorded before there were lenses has none, and what comes now has one.
        let lenses = { try store.list(ListingQuery()).facets.first { $0.facet == .lens }?.values.map(\.value) }
        #expect(try lenses() == (version < 6 ? ["none"] : ["json", "none"]))
        let processes = { try store.list(ListingQuery()).facets.first { $0.facet == .process }?.values.map(\.value) }
        #expect(try processes() == (version < 7 ? ["none"] : ["curl", "none"]))
        let rules = { try store.list(ListingQuery()).facets.first { $0.facet == .rule }?.values.map(\.value) }
        #expect(try rules() == ["none"])
        let curl = Peer(token: 1, address: "127.0.0.1:1", tls: nil, process: LocalProcess(id: 7, name: "curl"))
        var ruled = Exchange.plain(started: 7, client: curl)
        ruled.rules = [RuleUse(rule: "staging", phase: .requestHead, action: "send", what: "host")]
        #expect(await store.record([ruled]).ids == [capture.next])
        #expect(try store.summaries(of: [capture.next]).first?.lens == "json")
        #expect(try store.exchange(capture.next)?.client.process == LocalProcess(id: 7, name: "curl"))
        try store.index()
        #expect(try processes() == ["curl", "none"])
        #expect(try rules() == ["none", "staging"])
        #expect(try store.exchange(capture.next)?.rules == ruled.rules)
        #expect(try lenses() == ["json", "none"])
        #expect(try store.check().problems == [])
        // Exchange 2 has the same body.
        #expect(try store.delete([1]).deleted == 1)
        #expect(try String(decoding: store.wholeBody(2, .response), as: UTF8.self) == capture.bodies[0].text)
        try store.mark([2], .tags(["kept"]))
        #expect(try store.check().problems == [])
        try store.close()
        let names = try backups()
        let name = try #require(names.first)
        #expect(names.count == 1 && name.hasPrefix("captures.db.v\(version)-2"))
        let path = home.directory + "/" + name
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        let copy = try TrafficStore(path: path, access: .writing)
        #expect(try copy.list(ListingQuery()).total == capture.exchanges.count && copy.check().problems == [])
        try copy.close()
        // Once is enough.
        try home.open().close()
        #expect(try backups().filter { !$0.hasPrefix(name) } == [])
    }

    @Test("Messages of a stream are kept in a store of the first version")
    func messages() async throws {
        try home.place(version: 1)
        let store = try home.open()
        var exchange = Exchange.plain()
        exchange.messages.add(.response)
        let message = StreamMessage(
            side: .response,
            time: 1_760_000_000_000_000,
            kind: .webSocket,
            opcode: 1,
            wireBytes: 4,
            size: 4,
            payload: ByteBuffer(string: "text")
        )
        await store.record([
            .opened(1, .plain(outcome: .pending)), .message(1, message),
            .ended(1, exchange, request: .init(), response: .init()),
        ])
        try store.close()
        let reader = try home.open(.reading)
        #expect(try reader.messages(of: 6, limit: 10).map(\.text) == ["text"])
        #expect(try reader.exchange(6)?.messages.total == 1)
    }

    @Test("Without a place for the copy nothing is changed, and the sentence says what to do")
    func noRoom() async throws {
        try home.place(version: 2)
        // A directory in its place stands for what cannot be written.
        let obstacle = home.path + ".backup-partial"
        try FileManager.default.createDirectory(atPath: obstacle, withIntermediateDirectories: false)
        let refusal = try #require(throws: StoreError.self) { try home.open() }
        #expect(refusal.description.contains("nothing was changed") && !refusal.description.contains("\n"))
        #expect(try home.version() == 2 && !home.hasTable(of: .marks))
        try FileManager.default.removeItem(atPath: obstacle)
        let store = try home.open()
        #expect(try store.check().problems == [])
        try store.close()
    }

    @Test("One that was brought up has the tables of a new one", arguments: TemporaryStore.versions)
    func tables(version: Int) async throws {
        try home.place(version: version)
        try home.open().close()
        let new = try TemporaryStore()
        try new.open().close()
        #expect(try home.tables() == new.tables())
        #expect(try home.tables().contains("CREATE TABLE exchange: method TEXT NOT NULL"))
    }

    @Test("A copy goes after a month; what is named otherwise stays")
    func copiesGo() throws {
        func open(_ time: Double) throws {
            try home.open(clock: TimeSource { Date(timeIntervalSince1970: time) }).close()
        }
        let others = [
            "captures.db.v2-mine.backup", "captures.db.v2-20200101T000000Z.backup.txt", "x.v2-20200101T000000Z.backup",
        ]
        for name in others {
            _ = FileManager.default.createFile(atPath: "\(home.directory)/\(name)", contents: Data())
        }
        try home.place(version: 5)
        let day = 86_400.0
        try open(1_000_000_000)
        let copy = "captures.db.v5-20010909T014640Z.backup"
        #expect(try Set(backups()) == Set(others + [copy]))
        try open(1_000_000_000 + 30 * day)
        #expect(try Set(backups()) == Set(others + [copy]))
        try open(1_000_000_000 + 31 * day)
        #expect(try Set(backups()) == Set(others))
    }

    @Test("A copy that is younger than a month goes when another takes its place")
    func replaced() throws {
        let clock = TimeSource { Date(timeIntervalSince1970: 1_000_000_000) }
        for name in ["captures.db.v3-20010908T000000Z.backup", "captures.db.v3-29991231T000000Z.backup"] {
            _ = FileManager.default.createFile(atPath: "\(home.directory)/\(name)", contents: Data())
        }
        try home.place(version: 6)
        try home.open(clock: clock).close()
        #expect(try backups() == ["captures.db.v6-20010909T014640Z.backup"])
    }
}
