import Foundation
import Store
import Testing
import Traffic

@Suite("A store whose tables another program changed", .timeLimit(.minutes(15)))
struct AlteredSchemaTests {
    /// Held by the suite, so that the directory outlives the test.
    private let home: TemporaryStore

    init() throws { home = try TemporaryStore() }

    @Test(
        "What SQLite would run with a question or a change is refused for reading and for writing, in a sentence that tells of it",
        arguments: StoreDamage.schemas
    )
    func refused(damage: StoreDamage, word: String) throws {
        try home.open().close()
        try damage.happen(to: home)
        for access in [TrafficStore.Access.reading, .writing] {
            let error = try #require(throws: StoreError.self) { try home.open(access) }
            let sentence = error.description
            #expect(sentence.contains("changed by another program") && sentence.contains(word), "\(sentence)")
            #expect(!sentence.contains("\n"))
        }
    }

    @Test("A store of an earlier version is refused before it is brought up to date", arguments: [1, 7])
    func earlier(version: Int) throws {
        try home.place(version: version)
        try StoreDamage.earlierTrigger.happen(to: home)
        let error = try #require(throws: StoreError.self) { try home.open() }
        #expect(error.description.contains("changed by another program"), "\(error)")
        #expect(try home.version() == version)
        let names = try FileManager.default.contentsOfDirectory(atPath: home.directory)
        #expect(!names.contains { $0.contains("backup") })
    }

    @Test("Plain tables beside those of the store, and plain indices, are passed over")
    func beside() async throws {
        let first = try home.open()
        await first.record([.plain()])
        try first.close()
        try StoreDamage.tablesBeside.happen(to: home)
        let store = try home.open()
        await store.record([.plain()])
        #expect(try home.open(.reading).list(ListingQuery()).total == 2)
        try store.close()
    }
}
