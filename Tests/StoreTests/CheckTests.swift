import Foundation
import GRDB
import NIOCore
import Store
import Testing
import Traffic

@Suite("Looking through a store for damage")
struct CheckTests {
    /// Held by the suite, so that the directory outlives the test.
    private let home: TemporaryStore

    init() throws { home = try TemporaryStore() }

    /// A store with bodies, one of them in two messages, messages of a stream, and a block.
    private func fill() async throws {
        let store = try home.open()
        let events = (1...3).map { number in
            let bytes = pattern(300_000, seed: number % 2)
            return ExchangeEvent.ended(
                CaptureToken(number),
                .plain().with(responseBody: bytes),
                request: ByteBuffer(),
                response: ByteBuffer(bytes: bytes)
            )
        }
        await store.record(events)
        await store.record([.plain(), .plain()])
        try store.mark([1], .tags(["one"]))
        try store.index()
        #expect(try store.check().problems == [])
        try store.close()
    }

    @Test(
        "Each kind of disagreement is found",
        arguments: [
            ("DELETE FROM body_chunk WHERE id & 1048575 = 0", "piece"),
            ("DELETE FROM body_chunk WHERE id >> 20 = 3", "missing"),
            ("UPDATE body_chunk SET bytes = x'00' WHERE id & 1048575 = 1", "said to be kept"),
            ("INSERT INTO body_chunk (id, bytes) VALUES (99 << 20, x'00')", "belongs to no exchange"),
            ("DELETE FROM body_share", "counted 1 times"), ("UPDATE exchange SET code = 404 WHERE id = 2", "block 0"),
            ("UPDATE exchange SET duration = 1 WHERE id = 2", "block 0"),
            ("UPDATE mark SET tags = 'two'", "block 0"), ("DELETE FROM exchange WHERE id = 4", "block 0"),
            ("INSERT INTO mark (exchange, favourite) VALUES (77, 1)", "marks without"),
            ("UPDATE exchange SET client = 55 WHERE id = 5", "client's connection"),
            ("INSERT INTO open_exchange (id) VALUES (2)", "not open"),
            ("UPDATE facet_block SET facets = x'FFFF'", "cannot be read"),
            ("UPDATE exchange SET target = '/x' WHERE id = 2", "search block 0"),
            ("DELETE FROM line_column WHERE id & 7 = 1", "block 0"),
        ]
    )
    func finds(damage: String, problem: String) async throws {
        try await fill()
        var configuration = Configuration()
        configuration.foreignKeysEnabled = false
        let queue = try DatabaseQueue(path: home.path, configuration: configuration)
        try await queue.write { try $0.execute(sql: damage) }
        try queue.close()
        let store = try home.open(.reading)
        let problems = try store.check().problems
        #expect(problems.contains { $0.contains(problem) }, "\(problems)")
        #expect(try !store.check().isSound)
    }

    @Test("A file whose pages are overwritten is found to be damaged")
    func file() async throws {
        try await fill()
        let size = try #require(try home.number("PRAGMA page_count"))
        let handle = try FileHandle(forUpdating: URL(fileURLWithPath: home.path))
        try handle.seek(toOffset: 2 * 16384)
        try handle.write(contentsOf: Data(repeating: 0xA5, count: 16384 * (size - 2)))
        try handle.close()
        do {
            #expect(try !home.open(.reading).check().isSound)
        } catch let error as StoreError {
            // Found as early as at the opening.
            #expect(error.isDamage)
        }
    }

    @Test("Beside a writer that records, a sound store is found sound every time")
    func beside() async throws {
        let store = try home.open()
        let reader = try home.open(.reading)
        for round in 0..<20 {
            await store.record([.opened(CaptureToken(round), .plain(code: nil, outcome: .pending))])
            let bytes = pattern(300, seed: round)
            await store.record([.body(CaptureToken(round), .response, ByteBuffer(bytes: bytes[..<100]))])
            #expect(try reader.check().problems == [])
            await store.record([
                .ended(
                    CaptureToken(round),
                    .plain().with(responseBody: bytes),
                    request: ByteBuffer(),
                    response: ByteBuffer(bytes: bytes[100...])
                )
            ])
            if round % 5 == 0 { try store.index() }
            #expect(try reader.check().problems == [])
        }
        try store.close()
    }
}
