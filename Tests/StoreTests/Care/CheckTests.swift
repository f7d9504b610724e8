import Foundation
import NIOCore
import Store
import Testing
import Traffic

@Suite("Looking through a store for damage", .timeLimit(.minutes(15)))
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
            (StoreDamage.firstPieceGone, "piece"), (.bodyGone, "missing"), (.pieceShort, "said to be kept"),
            (.strayPiece, "belongs to no exchange"), (.shareGone, "counted 1 times"), (.otherCode, "block 0"),
            (.otherDuration, "block 0"), (.otherTags, "block 0"), (.rowGone, "block 0"),
            (.strayMarks, "marks without"), (.connectionGone, "client's connection"), (.falselyOpen, "not open"),
            (.blockUnreadable, "cannot be read"), (.otherTarget, "search block 0"), (.columnGone, "block 0"),
        ]
    )
    func finds(damage: StoreDamage, problem: String) async throws {
        try await fill()
        try damage.happen(to: home)
        let store = try home.open(.reading)
        let problems = try store.check().problems
        #expect(problems.contains { $0.contains(problem) }, "\(problems)")
        #expect(try !store.check().isSound)
    }

    @Test(
        "Where a block's row says what none can, rows answer until the next that writes makes it anew",
        arguments: StoreDamage.blocksNumbers
    )
    func blockNumbers(damage: StoreDamage) async throws {
        try await fill()
        try damage.happen(to: home)
        let reader = try home.open(.reading)
        let listing = try reader.list(ListingQuery())
        #expect(listing.total == 5 && listing.exchanges.map(\.id) == [5, 4, 3, 2, 1])
        #expect(try reader.overview(Filter()).matched == 5)
        #expect(try reader.check().problems == ["1 blocks with numbers that no block can have"])
        try reader.close()
        let store = try home.open()
        try store.index()
        #expect(try store.list(ListingQuery()).total == 5)
        #expect(try store.check().problems == [])
        try store.close()
    }

    @Test(
        "A block that a killed process left without columns is made anew by the next that writes",
        arguments: [StoreDamage.columnGone, .columnsGone]
    )
    func heals(damage: StoreDamage) async throws {
        try await fill()
        try damage.happen(to: home)
        #expect(try !home.open(.reading).check().isSound)
        let store = try home.open()
        try store.index()
        #expect(try store.check().problems == [])
        try store.close()
    }

    @Test("A file whose pages are overwritten is found to be damaged")
    func file() async throws {
        try await fill()
        let size = try home.pages().count
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
