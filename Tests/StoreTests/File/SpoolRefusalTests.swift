import Foundation
import GRDB
import NIOCore
import Support
import Synchronization
import Testing
import Traffic

@testable import Store

@Suite("A spool that cannot be made, written or taken over", .timeLimit(.minutes(15)))
struct SpoolRefusalTests {
    /// Held by the suite, so that the directory outlives the test.
    private let home: TemporaryStore
    private let story: SpooledStory

    init() throws {
        home = try TemporaryStore()
        story = SpooledStory(home: home)
    }

    /// Refuses rows of exchanges from now on.
    private static let refusal =
        "CREATE TRIGGER refusal BEFORE INSERT ON exchange BEGIN SELECT RAISE(ABORT, 'refused by the test'); END"

    /// Hands an exchange over and does not wait; the receipt comes to `told`.
    private func submit(
        _ event: ExchangeEvent,
        to store: TrafficStore,
        _ told: @escaping @Sendable (CommitReceipt) -> Void
    ) {
        store.submit(CaptureBatch(events: [event], onCommit: told))
    }

    @Test("Where there is no room for a spool, what passes waits and is recorded afterwards")
    func noRoom() async throws {
        let store = try home.open()
        try await story.begin(store)
        try FileManager.default.createDirectory(atPath: home.path + "-spool", withIntermediateDirectories: false)
        let told = Mutex<[CommitReceipt]>([])
        try story.aside(store) { _ in
            submit(story.ended(6), to: store) { receipt in told.withLock { $0.append(receipt) } }
            #expect(told.withLock { $0.isEmpty })
        }
        #expect(await store.record([story.ended(7)]).ids == [7])
        #expect(told.withLock { $0.map(\.ids) } == [[6]])
        #expect(try store.check().problems == [])
        try FileManager.default.removeItem(atPath: home.path + "-spool")
        try store.close()
    }

    @Test("What a spool does not take waits too, with all that comes behind it, and nothing is lost or counted twice")
    func refused() async throws {
        let store = try home.open()
        try await story.begin(store)
        let told = Mutex<[CommitReceipt]>([])
        try story.aside(store) { _ in
            #expect(story.record([story.ended(6)], in: store).ids == [6])
            let spool = try DatabaseQueue(path: home.path + "-spool")
            try spool.write { try $0.execute(sql: Self.refusal) }
            try spool.close()
            for token in 7...9 as ClosedRange<CaptureToken> {
                submit(story.ended(token), to: store) { receipt in told.withLock { $0.append(receipt) } }
            }
        }
        await story.finish(store, next: 10)
        #expect(told.withLock { $0.map(\.ids) } == [[7], [8], [9]])
        #expect(try store.gaps() == [] && store.list(ListingQuery()).total == 11)
        #expect(try store.check().problems == [])
        try store.close()
    }

    @Test(
        "A spool that the store does not take over is put aside as a store, and its exchanges are a gap that names it"
    )
    func untaken() async throws {
        let news = Mutex<[RecordingNews]>([])
        let store = try TrafficStore(
            path: home.path,
            access: .writing,
            tell: { one in news.withLock { if case .setAside = one { $0.append(one) } } }
        )
        try await story.begin(store)
        try story.aside(store) { db in
            story.meanwhile(store)
            try db.execute(sql: Self.refusal)
        }
        let path = "\(home.directory)/\(try #require(try SpooledStory.spools(of: home).first))"
        let gap = try #require(try store.gaps().first)
        #expect(gap.count == 3 && gap.kind == .failure)
        #expect(gap.cause == "refused by the test; they are in \(path)")
        #expect(news.withLock { $0 } == [.setAside(path: path)])
        // Another loss does not hide where those are.
        #expect(await !store.record([story.ended(10)]).isRecorded)
        try StoreDamage.gapsTaken.happen(to: home)
        for id in 3...5 as ClosedRange<ExchangeID> {
            #expect(try store.exchange(id)?.failure?.cause == .unrecorded, "\(id)")
        }
        // What goes on is recorded under other numbers, and its row says what it lacks.
        let events = [
            story.ended(3, SpooledStory.long, target: "/long", tail: SpooledStory.long[500_000...]),
            story.ended(5, target: "/stream"), story.ended(8, SpooledStory.shared, target: "/later"),
            story.ended(11, SpooledStory.shared),
        ]
        let ids = await store.record(events).ids
        #expect(ids == [9, 10, 11, 12])
        #expect(try store.exchange(9)?.warnings.first?.contains("bytes of its response were not kept") == true)
        #expect(try store.exchange(10)?.warnings.first?.hasPrefix("2 messages") == true)
        for id in [11, 12] as [ExchangeID] { #expect(try store.wholeBody(id, .response) == SpooledStory.shared) }
        #expect(try store.gaps().map(\.count) == [3, 1] && store.gaps().first == gap)
        #expect(try store.sessions().map(\.count) == [9] && store.check().problems == [])
        try store.close()
        #expect(try home.isIntact() && home.count(.openExchange) == 0)
        let aside = try TrafficStore(path: path, access: .reading)
        #expect(try aside.wholeBody(6, .response) == SpooledStory.shared)
        #expect(try aside.summaries(after: 0, limit: 9).map(\.id) == [4, 6, 7, 8])
        try aside.close()
    }

    @Test("A spool that was moved away meanwhile is not looked for elsewhere, and its gap says so")
    func moved() async throws {
        let store = try home.open()
        try await story.begin(store)
        try story.aside(store) { _ in
            story.meanwhile(store)
            try FileManager.default.moveItem(atPath: home.path + "-spool", toPath: home.path + ".elsewhere")
        }
        #expect(try store.gaps().map(\.count) == [3])
        #expect(try store.gaps().first?.cause.contains("moved or replaced") == true)
        #expect(await store.record([.plain()]).ids == [9])
        #expect(try store.check().problems == [])
        try store.close()
        let elsewhere = try TrafficStore(path: home.path + ".elsewhere", access: .reading)
        #expect(try elsewhere.wholeBody(6, .response) == SpooledStory.shared)
        try elsewhere.close()
    }

    @Test("No log that another user laid is written to: it is replaced, or what passes waits")
    func foreignLog() async throws {
        let store = try home.open()
        try await story.begin(store)
        for suffix in ["-spool-wal", "-spool-shm", "-spool-journal"] {
            try Data().write(to: URL(filePath: home.path + suffix))
            _ = try ForeignOwner.give(home.path + suffix)
        }
        // Only root can give files away.
        guard geteuid() == 0 else { return try store.close() }
        let told = Mutex<[CommitReceipt]>([])
        try story.aside(store) { _ in
            for suffix in Spool.suffixes {
                var status = stat()
                if lstat(home.path + suffix, &status) == 0 { #expect(status.st_uid == geteuid(), "\(suffix)") }
            }
            submit(story.ended(6), to: store) { receipt in told.withLock { $0.append(receipt) } }
        }
        #expect(await store.record([story.ended(7)]).ids == [7])
        #expect(told.withLock { $0.map(\.ids) } == [[6]] && !TrafficStore.hasSpool(at: home.path))
        try store.close()
    }

    @Test("An import and a replay wait for the store, and a pause passes over what begins in it")
    func waiting() async throws {
        let store = try home.open()
        try await story.begin(store)
        let imported = ImportedExchange(.plain(target: "/imported"))
        let importer = try #require(store.writer)
        let number = try importer.begin(importOf: "a.har", started: 1)
        let told = Mutex<[CommitReceipt]>([])
        try store.setPaused(true, now: 5_000_000)
        try story.aside(store) { _ in
            submit(.imported(number, imported), to: store) { receipt in told.withLock { $0.append(receipt) } }
            var replay = Exchange.plain(target: "/replay")
            replay.replayOf = 1
            let end = ExchangeEvent.ended(4, replay, request: ByteBuffer(), response: ByteBuffer())
            submit(end, to: store) { receipt in told.withLock { $0.append(receipt) } }
            #expect(story.record([story.ended(6)], in: store).ids == [0])
            #expect(told.withLock { $0.isEmpty })
        }
        try store.setPaused(false, now: 2_000_000_000_000_000)
        #expect(told.withLock { $0.map(\.ids) } == [[4], [6]])
        #expect(try importer.end(import: number, as: .done)?.count == 1)
        #expect(try store.gaps().map(\.count) == [1] && store.check().problems == [])
        try store.close()
    }
}
