import Archive
import Dispatch
import NIOCore
import Testing
import Traffic

@testable import Store

@Suite("The log of a store beside somebody who reads for long", .timeLimit(.minutes(15)))
struct LongReadTests {
    /// Held by the suite, so that the directory outlives the test.
    private let home: TemporaryStore

    init() throws { home = try TemporaryStore() }

    /// What the log may have: it begins anew after one checkpoint's worth, and the commits in between are small beside that.
    private static let logLimit = 2 * WriteAheadLog.checkpointBytes

    /// Records bodies that no other has and waits until they are written.
    private func record(_ count: Int, bytes: Int, fill: UInt8, in store: TrafficStore) {
        for number in 0..<count {
            let body = [UInt8](repeating: fill &+ UInt8(truncatingIfNeeded: number), count: bytes)
            var exchange = Exchange.plain(mediaType: "application/octet-stream").with(responseBody: body)
            exchange.response?.head = ByteBuffer(
                string: "HTTP/1.1 200 OK\r\nContent-Type: application/octet-stream\r\n\r\n"
            )
            let event = ExchangeEvent.ended(1, exchange, request: ByteBuffer(), response: ByteBuffer(bytes: body))
            let written = DispatchSemaphore(value: 0)
            store.submit(CaptureBatch(events: [event]) { _ in written.signal() })
            #expect(written.wait(timeout: .now() + .seconds(60)) == .success)
        }
    }

    private var logBytes: Int64 { StoreFile.bytes(home.path).log }

    @Test("While whoever takes an export lets it wait, the log begins anew as ever, and the export is the same")
    func export() async throws {
        let store = try home.open(makesBlocks: false)
        record(20, bytes: 300_000, fill: 1, in: store)
        let ids = try store.ids(Filter())
        let exporter = Exporter(store: store, scope: .ended, creatorVersion: "1", redactor: nil, remedyWords: nil)
        var undisturbed: [UInt8] = []
        _ = try exporter.write(ids, as: .har) { undisturbed += $0 }
        var (written, pauses): ([UInt8], Int) = ([], 0)
        _ = try exporter.write(ids, as: .har) { bytes in
            written += bytes
            // In the midst of a body.
            guard pauses == 0, written.count > 1_000_000 else { return }
            pauses += 1
            record(24, bytes: 2 << 20, fill: 101, in: store)
            #expect(logBytes < Self.logLimit)
        }
        #expect(pauses == 1)
        #expect(written == undisturbed)
        try store.close()
    }

    @Test("A walk through rows holds no snapshot while what it is given to waits, and tells every exchange once")
    func rows() async throws {
        let store = try home.open(makesBlocks: false)
        for _ in 0..<10 { await store.record((0..<1_000).map { _ in .plain() }) }
        var stretches: [[ExchangeID]] = []
        try store.eachStretch(of: Filter()) { ids, _ in
            stretches.append(ids)
            guard stretches.count == 1 else { return }
            record(24, bytes: 2 << 20, fill: 1, in: store)
            #expect(logBytes < Self.logLimit)
            // One was told; of the others one goes and one changes.
            try store.delete([1, 5_000])
            try store.mark([6_000], .tags(["seen"]))
        }
        #expect(stretches.map(\.count) == [4_096, 4_096, 1_807])
        let (told, left): ([ExchangeID], [ExchangeID]) = (Array(1...10_000), Array(2...10_024))
        #expect(stretches.flatMap(\.self) == told.filter { $0 != 5_000 })
        // What came meanwhile is there the next time.
        #expect(try store.ids(Filter()) == left.filter { $0 != 5_000 })
        try store.close()
    }

    @Test("A walk through blocks is in stretches too, whether their columns answer or their rows are opened")
    func blocks() async throws {
        let store = try home.open()
        // One exchange in each of 40 blocks.
        let numbers: [ExchangeID] = (0..<40).map { FacetBlock.firstID(of: $0) + 7 }
        try await store.record(numbered: numbers.map { ImportedExchange(.plain(), number: $0) })
        try store.index()
        for query in ["code:200", "-header:nothing", "code:404"] {
            let filter = try FilterParser.parse(query, now: 0)
            var stretches: [[ExchangeID]] = []
            try store.eachStretch(of: filter) { ids, _ in stretches.append(ids) }
            #expect(stretches.count == 3, "\(query)")
            let listed = try store.list(ListingQuery(filter: filter)).exchanges.map(\.id)
            #expect(stretches.flatMap(\.self) == Array(listed.reversed()), "\(query)")
        }
        var told: [ExchangeID] = []
        try store.eachStretch(of: Filter()) { ids, _ in
            if told.isEmpty { try store.delete([numbers[0], numbers[20]]) }
            told += ids
        }
        #expect(told == numbers.filter { $0 != numbers[20] })
        try store.close()
    }

    @Test("A check lets go of the store between its parts, and finds a sound one sound whatever is written meanwhile")
    func check() async throws {
        var store = try home.open()
        record(3, bytes: 300_000, fill: 1, in: store)
        record(1, bytes: 300_000, fill: 1, in: store)
        await store.record((0..<600).map { _ in .plain() })
        try store.mark([1], .tags(["one"]))
        try store.index()
        try store.close()
        // Nothing else reads.
        store = try home.open(makesBlocks: false)
        var parts = 0
        let check = try StoreCheck(in: store.pool) {
            parts += 1
            record(1, bytes: 8 << 20, fill: 100 + UInt8(parts), in: store)
            // A body that another has in common, then one in each part.
            if parts == 1 { try store.delete([4]) }
            try store.delete([ExchangeID(100 + parts)])
            #expect(logBytes < Self.logLimit)
        }
        #expect(check.problems == [])
        // So much was written that one snapshot would have shown.
        #expect(parts >= 6)
        try store.close()
    }
}
