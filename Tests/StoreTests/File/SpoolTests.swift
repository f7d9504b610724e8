import Foundation
import NIOCore
import Synchronization
import Testing
import Traffic

@testable import Store

@Suite("What is recorded while the store is written anew", .timeLimit(.minutes(15)))
struct SpoolTests {
    /// Held by the suite, so that the directory outlives the test.
    private let home: TemporaryStore
    private let story: SpooledStory

    init() throws {
        home = try TemporaryStore()
        story = SpooledStory(home: home)
    }

    @Test("Everything that passes is recorded at once, keeps its number, and is in the store when the copy is there")
    func goesOn() async throws {
        let store = try home.open()
        try await story.begin(store)
        try story.aside(store) { _ in
            story.meanwhile(store)
            let before = try store.list(ListingQuery()).total
            #expect(before == 5)
        }
        #expect(try SpooledStory.spools(of: home) == [])
        await story.finish(store)
        try store.index()
        #expect(try store.list(ListingQuery()).total == 9)
        #expect(try store.wholeBody(3, .response) == SpooledStory.long)
        for id in [1, 4, 6] as [ExchangeID] {
            #expect(try store.wholeBody(id, .response) == SpooledStory.shared, "\(id)")
        }
        #expect(try store.exchange(6)?.client.tls?.certificates == [[2], [1, 2]])
        #expect(try store.exchange(9)?.client.tls?.certificates == [[1], [1, 2]])
        #expect(try store.messages(of: 5, after: 0, limit: 9, payloadBytes: 9).map(\.number) == [1, 2, 3])
        #expect(try store.sessions().map(\.count) == [9])
        #expect(try store.ids(FilterParser.parse("path:/new", now: 0)) == [6, 7, 9])
        #expect(try store.check().problems == [])
        // Each of the equal bodies goes with the last that has it.
        #expect(try store.delete([1, 2, 3, 4, 6]).deleted == 5)
        #expect(try home.bodyBytes() == 0 && store.check().problems == [])
        try store.close()
        #expect(try home.isIntact() && home.count(.openExchange) == 0)
    }

    @Test("Recording goes on beside compacting, and nothing that was deleted stays")
    func compacting() async throws {
        let store = try home.open()
        let secret = Array("a very secret word ".utf8)
        for token in 1...40 as ClosedRange<CaptureToken> {
            await store.record([story.ended(token, secret + pattern(100_000, seed: Int(token)), target: "/old")])
        }
        try store.delete(Array(1...40))
        async let result = store.compact()
        var ids: [ExchangeID] = []
        for token in 41...140 as ClosedRange<CaptureToken> {
            ids += await store.record([story.ended(token, pattern(3_000, seed: Int(token)))]).ids
        }
        #expect(try await !result.isLogHeld)
        #expect(ids == Array(41...140))
        #expect(try store.summaries(after: 0, limit: .max).map(\.id) == ids && store.check().problems == [])
        try store.close()
        for file in try FileManager.default.contentsOfDirectory(atPath: home.directory) {
            let bytes = try Data(contentsOf: URL(fileURLWithPath: "\(home.directory)/\(file)"))
            #expect(bytes.range(of: Data("secret word".utf8)) == nil, "\(file)")
        }
    }

    @Test("A process killed in the middle of the copy loses nothing of it")
    func killed() async throws {
        let store = try home.open()
        try await story.begin(store)
        let wreck = try TemporaryStore()
        try story.aside(store) { _ in
            story.meanwhile(store)
            try story.copy(["", "-wal"] + Spool.suffixes, to: wreck)
        }
        // A reader leaves the file where it is, and can say that there is one.
        let reader = try wreck.open(.reading)
        #expect(try TrafficStore.hasSpool(at: wreck.path) && reader.list(ListingQuery()).total == 5)
        try reader.close()
        let reopened = try wreck.open()
        #expect(!TrafficStore.hasSpool(at: wreck.path))
        #expect(try SpooledStory.spools(of: wreck) == [])
        #expect(try reopened.summaries(after: 0, limit: 99).map(\.id) == Array(1...8))
        let outcomes = try (1...8).map { try reopened.exchange($0)?.outcome }
        let failed: [Outcome?] = [
            .completed, .completed, .failed, .completed, .failed, .completed, .completed, .failed,
        ]
        #expect(outcomes == failed)
        #expect(try reopened.wholeBody(3, .response) == Array(SpooledStory.long[..<250_000]))
        #expect(try reopened.wholeBody(4, .response) == SpooledStory.shared)
        #expect(try reopened.messages(of: 5, after: 0, limit: 9, payloadBytes: 9).count == 2)
        #expect(try reopened.check().problems == [])
        #expect(await reopened.record([.plain()]).ids == [9])
        try reopened.close()
        #expect(try wreck.isIntact() && wreck.count(.openExchange) == 0)
    }

    @Test("What was taken over already is taken over once more, and comes to the same")
    func twice() async throws {
        let store = try home.open()
        try await story.begin(store)
        let wreck = try TemporaryStore()
        try story.aside(store) { _ in
            story.meanwhile(store)
            try story.copy(Spool.suffixes, to: wreck)
        }
        // Killed when the store had the rows, and before the file was removed.
        try story.copy(["", "-wal"], to: wreck)
        let reopened = try wreck.open()
        #expect(try SpooledStory.spools(of: wreck) == [])
        #expect(try reopened.list(ListingQuery()).total == 8 && reopened.check().problems == [])
        #expect(try reopened.delete([1, 4, 6]).deleted == 3)
        #expect(try wreck.bodyBytes() == 250_000 && reopened.check().problems == [])
        try reopened.close()
    }

    /// A store in whose place the spool's store was, or none of the kind.
    enum Other: CaseIterable {
        case busy, empty, earlier
    }

    @Test("A file of another store is put aside, said, and can be read as a store", arguments: Other.allCases)
    func foreign(_ kind: Other) async throws {
        let store = try home.open()
        let other = try TemporaryStore()
        if kind == .earlier { try story.copy(["", "-wal"], to: other) }
        if kind == .busy {
            let owner = try other.open()
            await owner.record((0..<9).map { .plain(target: "/other/\($0)", started: 9_000_000 + $0) })
            try owner.close()
        }
        try await story.begin(store)
        try story.aside(store) { _ in
            story.meanwhile(store)
            try story.copy(Spool.suffixes, to: other)
        }
        let news = Mutex<[RecordingNews]>([])
        let reopened = try TrafficStore(
            path: other.path,
            access: .writing,
            tell: { one in news.withLock { $0.append(one) } }
        )
        #expect(try reopened.summaries(after: 0, limit: 99).count == (kind == .busy ? 9 : 0))
        let gap = try #require(try reopened.gaps().first)
        #expect(gap.count == 3 && gap.cause.contains("they belong to another store; they are in "), "\(gap.cause)")
        #expect(try reopened.check().problems == [])
        try reopened.close()
        let names = try SpooledStory.spools(of: other)
        #expect(names.allSatisfy { $0.hasPrefix("captures.db.spool-") })
        let path = "\(other.directory)/\(try #require(names.first))"
        #expect(news.withLock { $0 } == [.setAside(path: path)])
        let aside = try TrafficStore(path: path, access: .reading)
        #expect(try aside.summaries(after: 0, limit: 9).map(\.id) == [4, 6, 7, 8])
        #expect(try aside.wholeBody(6, .response) == SpooledStory.shared)
        try aside.close()
    }

    @Test("A file that is no spool is put aside too, and keeps nobody from the store")
    func unreadable() async throws {
        let store = try home.open()
        await store.record([.plain()])
        try store.close()
        try Data("not a database, but long enough to be taken for one".utf8)
            .write(to: URL(fileURLWithPath: home.path + "-spool"))
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: home.path + "-spool")
        let reader = try home.open(.reading)
        #expect(try reader.list(ListingQuery()).total == 1)
        try reader.close()
        let reopened = try home.open()
        let name = try #require(try SpooledStory.spools(of: home).first)
        let gap = try #require(try reopened.gaps().first)
        #expect(gap.count == 0 && gap.cause.hasSuffix("they are in \(home.directory)/\(name)"), "\(gap.cause)")
        #expect(await reopened.record([.plain()]).ids == [2])
        try reopened.close()
    }

    @Test("A file of a process that was killed before it had a table is removed")
    func empty() async throws {
        let store = try home.open()
        await store.record([.plain()])
        try store.close()
        #expect(
            FileManager.default.createFile(
                atPath: home.path + "-spool",
                contents: nil,
                attributes: [.posixPermissions: 0o600]
            )
        )
        let reopened = try home.open()
        #expect(try SpooledStory.spools(of: home) == [] && reopened.gaps() == [])
        #expect(await reopened.record([.plain()]).ids == [2])
        try reopened.close()
    }

    @Test("A replay is told once the store has it, and what passes beside it keeps its order")
    func replays() async throws {
        let store = try home.open()
        try await story.begin(store)
        let told = Mutex<[CommitReceipt]>([])
        var replay = Exchange.plain(target: "/replay")
        replay.replayOf = 1
        let batch =
            [
                .body(3, .response, ByteBuffer(bytes: SpooledStory.long[1_000..<3_000])), story.opened(20, "/beside"),
                .ended(21, replay, request: ByteBuffer(), response: ByteBuffer()),
            ] as [ExchangeEvent]
        try story.aside(store) { _ in
            store.submit(CaptureBatch(events: batch) { receipt in told.withLock { $0.append(receipt) } })
            let next =
                [
                    .body(3, .response, ByteBuffer(bytes: SpooledStory.long[3_000..<250_000])),
                    story.ended(20, target: "/beside"),
                ] as [ExchangeEvent]
            #expect(story.record(next, in: store).ids == [6] && told.withLock { $0.isEmpty })
        }
        #expect(told.withLock { $0.map(\.ids) } == [[7]])
        await story.finish(store)
        #expect(try store.wholeBody(3, .response) == SpooledStory.long && store.list(ListingQuery()).total == 9)
        #expect(try home.count(.openExchange) == 1 && store.check().problems == [])
        try store.close()
    }

    @Test("A spool beside a store that was empty is taken over after a kill as any other")
    func beginning() async throws {
        let store = try home.open()
        let wreck = try TemporaryStore()
        try story.aside(store) { _ in
            #expect(story.record([story.ended(1, SpooledStory.shared)], in: store).ids == [1])
            try story.copy(["", "-wal"] + Spool.suffixes, to: wreck)
        }
        try store.close()
        let reopened = try wreck.open()
        #expect(try reopened.wholeBody(1, .response) == SpooledStory.shared && reopened.gaps() == [])
        try reopened.close()
    }
}
