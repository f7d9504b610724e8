import Foundation
import NIOCore
import Store
import Testing
import Traffic

@Suite("Opening a store", .timeLimit(.minutes(15)))
struct OpeningTests {
    /// Held by the suite, so that the directory outlives the test.
    private let home: TemporaryStore

    init() throws { home = try TemporaryStore() }

    private func mode(_ path: String) throws -> Int {
        try #require(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int)
    }

    /// The one sentence of a refusal.
    private func refusal(_ body: () throws -> Void) throws -> String {
        let error = try #require(throws: StoreError.self) { try body() }
        #expect(!error.description.contains("\n"))
        return error.description
    }

    @Test("Writing makes the directories and files for this user only")
    func permissions() async throws {
        let path = home.directory + "/a/b/captures.db"
        let store = try TrafficStore(path: path, access: .writing)
        await store.record([.plain()])
        #expect(try mode(home.directory + "/a") == 0o700)
        #expect(try mode(home.directory + "/a/b") == 0o700)
        for suffix in ["", "-wal", "-shm", ".lock"] { #expect(try mode(path + suffix) == 0o600, "\(suffix)") }
        try store.close()
        #expect(!FileManager.default.fileExists(atPath: path + "-wal"))
    }

    @Test("A second writer is told in one sentence which process writes, and may write once that one has closed")
    func secondWriter() async throws {
        let first = try home.open()
        let sentence = try refusal { _ = try home.open() }
        #expect(sentence.contains("process \(getpid())"))
        await first.record([.plain()])
        try first.close()
        let second = try home.open()
        #expect(await second.record([.plain()]).ids == [2])
        try second.close()
    }

    @Test("A reader sees what is committed while the writer writes, and after it has closed")
    func reader() async throws {
        let writer = try home.open()
        await writer.record([.plain()])
        let reader = try home.open(.reading)
        #expect(try reader.list(ListingQuery()).total == 1)
        await writer.record([.plain()])
        #expect(try reader.list(ListingQuery()).total == 2)
        #expect(await reader.record([.plain()]).isRecorded == false)
        try writer.close()
        #expect(try reader.list(ListingQuery()).total == 2)
        try reader.close()
        #expect(try home.open(.reading).list(ListingQuery()).total == 2)
    }

    @Test("After close nothing is taken, closing again does nothing")
    func closed() async throws {
        let store = try home.open()
        await store.record([.plain()])
        try store.close()
        try store.close()
        #expect(await store.record([.plain()]).isRecorded == false)
        #expect(throws: StoreError.self) { try store.list(ListingQuery()) }
        #expect(try home.open(.reading).list(ListingQuery()).total == 1)
    }

    @Test("What was submitted before close is written by it")
    func flush() async throws {
        let store = try home.open()
        for _ in 0..<200 {
            store.submit(CaptureBatch(events: [.ended(1, .plain(), request: .init(), response: .init())]) { _ in })
        }
        try store.close()
        #expect(try home.open(.reading).list(ListingQuery()).total == 200)
    }

    @Test("A missing store cannot be read, and reading does not make it")
    func missing() throws {
        #expect(throws: StoreError.missing(path: home.path)) { try home.open(.reading) }
        #expect(try FileManager.default.contentsOfDirectory(atPath: home.directory).isEmpty)
    }

    @Test(
        "A file that is not a store is refused and left as it is",
        arguments: ["text", "short", "foreign", "newer", "directory"]
    )
    func foreign(kind: String) throws {
        var word = "not a store"
        switch kind {
        case "text": try Data(repeating: 0x41, count: 5000).write(to: URL(fileURLWithPath: home.path))
        case "short": try Data("SQLite".utf8).write(to: URL(fileURLWithPath: home.path))
        case "foreign":
            word = "another program"
            try home.becomeForeign()
        case "newer":
            word = "newer inspect"
            try home.open().close()
            try home.becomeNewer()
            try FileManager.default.removeItem(atPath: home.path + ".lock")
        default:
            word = "not a file"
            try FileManager.default.createDirectory(atPath: home.path, withIntermediateDirectories: false)
        }
        let before = try? Data(contentsOf: URL(fileURLWithPath: home.path))
        let names = try FileManager.default.contentsOfDirectory(atPath: home.directory)
        for access in [TrafficStore.Access.reading, .writing] {
            let sentence = try refusal { _ = try home.open(access) }
            #expect(sentence.contains(home.path) && sentence.contains(word), "\(sentence)")
        }
        #expect((try? Data(contentsOf: URL(fileURLWithPath: home.path))) == before)
        #expect(try FileManager.default.contentsOfDirectory(atPath: home.directory) == names)
    }

    @Test("An empty file becomes a store when written, and is refused when read")
    func empty() async throws {
        #expect(FileManager.default.createFile(atPath: home.path, contents: nil))
        #expect(try refusal { _ = try home.open(.reading) }.contains("empty"))
        let store = try home.open()
        #expect(await store.record([.plain()]).ids == [1])
        try store.close()
    }

    @Test("A directory that cannot be made or written is one clear sentence")
    func unwritable() throws {
        #expect(FileManager.default.createFile(atPath: home.directory + "/file", contents: nil))
        let below = home.directory + "/file/sub/captures.db"
        #expect(try refusal { _ = try TrafficStore(path: below, access: .writing) }.contains("check who owns it"))
        // /proc refuses new files to everyone, root included.
        let sentence = try refusal { _ = try TrafficStore(path: "/proc/captures.db", access: .writing) }
        #expect(sentence.contains("check the directory"), "\(sentence)")
    }

    @Test("A damaged store is refused with a way out")
    func damaged() async throws {
        let store = try home.open()
        await store.record((0..<200).map { _ in .plain() })
        try store.close()
        let handle = try FileHandle(forUpdating: URL(fileURLWithPath: home.path))
        try handle.seek(toOffset: 100)
        try handle.write(contentsOf: Data(repeating: 0xFF, count: 4000))
        try handle.close()
        #expect(try refusal { _ = try home.open() }.contains("damaged"))
        #expect(try refusal { _ = try home.open(.reading).list(ListingQuery()) }.contains("damaged"))
    }
}
