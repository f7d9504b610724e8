import Foundation
import NIOCore
import Store
import Testing
import Traffic

@Suite("A store whose process was killed", .timeLimit(.minutes(15)))
struct CrashTests {
    /// Held by the suite, so that the directory outlives the test.
    private let home: TemporaryStore

    init() throws { home = try TemporaryStore() }

    /// What a killed process leaves: the file and the log as they are at this moment, without a lock.
    private func wreck(of home: TemporaryStore) throws -> TemporaryStore {
        let wreck = try TemporaryStore()
        for suffix in ["", "-wal"] where FileManager.default.fileExists(atPath: home.path + suffix) {
            try FileManager.default.copyItem(atPath: home.path + suffix, toPath: wreck.path + suffix)
        }
        return wreck
    }

    @Test("Everything whose commit returned is there, and open exchanges are closed as failed by the crash")
    func recovery() async throws {
        let store = try home.open()
        let bytes = pattern(300_000)
        await store.record([
            .ended(1, .plain().with(responseBody: bytes), request: .init(), response: ByteBuffer(bytes: bytes))
        ])
        var waiting = Exchange.plain(code: nil, outcome: .pending)
        waiting.timeline.send = 5
        var receiving = Exchange.plain(outcome: .pending)
        receiving.response?.body.length = 70_000
        await store.record([
            .opened(2, waiting), .opened(3, receiving), .opened(4, .plain(code: nil, outcome: .pending)),
        ])
        await store.record([.body(3, .response, ByteBuffer(bytes: bytes[..<60_000]))])
        let wreck = try wreck(of: home)

        // A reader that comes before the next writer sees them as they were.
        #expect(try wreck.open(.reading).summaries(of: [2]).first?.outcome == .pending)

        let reopened = try wreck.open()
        #expect(try reopened.wholeBody(1, .response) == bytes)
        #expect(try reopened.exchange(1)?.outcome == .completed)
        let phases = try (2...4).map { try reopened.exchange($0)?.failure?.phase }
        #expect(phases == [.wait, .receive, .request])
        for id in 2...4 as ClosedRange<ExchangeID> {
            let exchange = try #require(try reopened.exchange(id))
            #expect(
                exchange.outcome == .failed && exchange.failure?.side == .proxy && exchange.failure?.cause == .crash
            )
        }
        let partial = try #require(try reopened.exchange(3)?.response?.body)
        #expect(partial.kept == 60_000 && partial.length == 70_000)
        #expect(try reopened.wholeBody(3, .response) == Array(bytes[..<60_000]))
        #expect(await reopened.record([.plain()]).ids == [5])
        try reopened.close()
        #expect(try wreck.isIntact() && wreck.count(.openExchange) == 0)
    }

    @Test("A log cut anywhere leaves a sound store with whole transactions", arguments: [1, 4_000, 40_000, 100_000])
    func cutLog(bytes: Int) async throws {
        // The last thing in the log is a batch: a block that follows it would be what is cut off.
        let store = try home.open(makesBlocks: false)
        for round in 0..<30 { await store.record((0..<10).map { .plain(target: "/\(round)/\($0)") }) }
        let wreck = try wreck(of: home)
        let log = try FileHandle(forUpdating: URL(fileURLWithPath: wreck.path + "-wal"))
        let size = try log.seekToEnd()
        try log.truncate(atOffset: size > UInt64(bytes) ? size - UInt64(bytes) : 0)
        try log.close()
        let reopened = try wreck.open()
        let total = try reopened.list(ListingQuery()).total
        #expect(total % 10 == 0 && total < 300)
        try reopened.close()
        #expect(try wreck.isIntact())
    }

    @Test("A block whose writing ends half-way is not there, so that the store stays sound")
    func halfABlock() async throws {
        let store = try home.open()
        try StoreDamage.columnRefused.happen(to: home)
        await store.record([.plain(), .plain()])
        #expect(throws: (any Error).self) { try store.index() }
        #expect(try store.check().problems == [])
        try store.close()
    }

    @Test("A process killed while it made the file leaves one that can be written")
    func killedWhileMaking() async throws {
        try home.open().close()
        // The header of a store without its tables: what a rolled back creation leaves.
        try Data().write(to: URL(fileURLWithPath: home.path))
        let store = try home.open()
        #expect(await store.record([.plain()]).ids == [1])
        try store.close()
    }
}
