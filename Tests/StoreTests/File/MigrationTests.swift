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

    private func makeOld(_ version: Int) async throws -> [UInt8] {
        let store = try home.open()
        let bytes = pattern(30_000)
        for token in 0..<5 as Range<CaptureToken> {
            await store.record([
                .ended(token, .plain().with(responseBody: bytes), request: .init(), response: ByteBuffer(bytes: bytes))
            ])
        }
        try store.close()
        try home.takeBack(to: version)
        return bytes
    }

    private func backups() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: home.directory).filter { $0.contains("backup") }
    }

    @Test(
        "A copy of this user only is left beside it, the shared bodies are counted, and everything works",
        arguments: [1, 2, 5, 6]
    )
    func migrates(version: Int) async throws {
        let bytes = try await makeOld(version)
        let sentence = try #require(throws: StoreError.self) { try home.open(.reading) }
        #expect(sentence.description.contains("older inspect") && sentence.description.contains("inspect compact"))
        let store = try home.open(classifier: SampleClassifier())
        #expect(try store.check().problems == [])
        // What was recorded before there were lenses has none, and what comes now has one.
        let lenses = { try store.list(ListingQuery()).facets.first { $0.facet == .lens }?.values ?? [] }
        #expect(try lenses() == [FacetCount(value: "none", count: 5, selected: false)])
        let processes = { try store.list(ListingQuery()).facets.first { $0.facet == .process }?.values.map(\.value) }
        #expect(try processes() == ["none"])
        let curl = Peer(token: 1, address: "127.0.0.1:1", tls: nil, process: LocalProcess(id: 7, name: "curl"))
        await store.record([.plain(started: 7, client: curl)])
        #expect(try store.summaries(of: [6]).first?.lens == "json")
        #expect(try store.exchange(6)?.client.process == LocalProcess(id: 7, name: "curl"))
        try store.index()
        #expect(try processes() == ["none", "curl"])
        #expect(try lenses().map(\.value) == ["none", "json"])
        #expect(try store.check().problems == [])
        #expect(try store.delete([1, 2, 3, 4, 6]).deleted == 5)
        #expect(try store.wholeBody(5, .response) == bytes)
        try store.mark([5], .tags(["kept"]))
        #expect(try store.check().problems == [])
        try store.close()
        let names = try backups()
        let name = try #require(names.first)
        #expect(names.count == 1 && name.hasPrefix("captures.db.v\(version)-2"))
        let path = home.directory + "/" + name
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        let copy = try TrafficStore(path: path, access: .writing)
        #expect(try copy.list(ListingQuery()).total == 5 && copy.check().problems == [])
        try copy.close()
        // Once is enough.
        try home.open().close()
        #expect(try backups().filter { !$0.hasPrefix(name) } == [])
    }

    @Test("Without a place for the copy nothing is changed, and the sentence says what to do")
    func noRoom() async throws {
        _ = try await makeOld(2)
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

    @Test("One that was brought up has the tables of a new one", arguments: 1...6)
    func tables(version: Int) async throws {
        try home.open().close()
        let new = try home.columns()
        try home.takeBack(to: version)
        try home.open().close()
        #expect(try home.columns() == new && !new.isEmpty)
    }

    @Test("Copies go after a month, and when another takes their place; what is named otherwise stays")
    func copiesGo() async throws {
        func place(_ names: [String]) {
            for name in names {
                _ = FileManager.default.createFile(atPath: "\(home.directory)/\(name)", contents: Data())
            }
        }
        _ = try await makeOld(5)
        let tomorrow = "captures.db.v3-29991231T000000Z.backup"
        let others = [
            "captures.db.v2-mine.backup", "captures.db.v2-20200101T000000Z.backup.txt", "x.v2-20200101T000000Z.backup",
        ]
        place(["captures.db.v2-20200101T000000Z.backup", tomorrow] + others)
        try home.open().close()
        let left = try backups().filter { !others.contains($0) }
        #expect(left.count == 1 && left[0].hasPrefix("captures.db.v5-"))
        place(["captures.db.v2-20200101T000000Z.backup", tomorrow])
        try home.open().close()
        #expect(try Set(backups()) == Set(left + others + [tomorrow]))
    }
}
