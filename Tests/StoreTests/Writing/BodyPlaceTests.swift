import NIOCore
import Store
import Testing
import Traffic

@Suite("A body that is read on", .timeLimit(.minutes(15)))
struct BodyPlaceTests {
    /// Held by the suite, so that the directory outlives the test.
    private let home: TemporaryStore

    init() throws { home = try TemporaryStore() }

    /// Records a response whose body came in 23 small pieces, and gives the body.
    private func trickled(into store: TrafficStore) async -> [UInt8] {
        let bytes = pattern(200_000)
        await store.record([.opened(1, .plain(outcome: .pending))])
        for start in stride(from: 0, to: bytes.count, by: 9_000) {
            await store.record([.body(1, .response, ByteBuffer(bytes: bytes[start...].prefix(9_000)))])
        }
        await store.record([.ended(1, .plain().with(responseBody: bytes), request: .init(), response: .init())])
        return bytes
    }

    @Test("It is read on from where it was read last, and not counted through from its beginning")
    func readsOn() async throws {
        let store = try home.open()
        let bytes = await trickled(into: store)
        #expect(try home.count(.bodyPiece) == 22)
        #expect(try store.wholeBody(1, .response, step: 7_001) == bytes)
        #expect(try store.body(1, .response, offset: 100_000, limitBytes: 7_001) == Array(bytes[100_000..<107_001]))
        // Nothing shows so well that what is before is not looked at as that it is gone.
        try StoreDamage.firstPieceGone.happen(to: home)
        var found: [UInt8] = []
        while true {
            let piece = try store.body(1, .response, offset: Int64(107_001 + found.count), limitBytes: 7_001)
            if piece.isEmpty { break }
            found += piece
        }
        #expect(found == Array(bytes[107_001...]))
        #expect(try store.body(1, .response, offset: 500_000, limitBytes: 10).isEmpty)
        try store.close()
    }

    @Test("Two who read the same body on, each at another place, do not send each other back to its beginning")
    func twoReaders() async throws {
        let store = try home.open()
        let bytes = await trickled(into: store)
        var (first, second): ([UInt8], [UInt8]) = ([], [])
        for round in 0..<30 {
            // Nothing shows so well that what is before is not looked at as that it is gone.
            if round == 3 { try StoreDamage.firstPieceGone.happen(to: home) }
            first += try store.body(1, .response, offset: Int64(first.count), limitBytes: 5_003)
            second += try store.body(1, .response, offset: Int64(60_000 + second.count), limitBytes: 4_003)
        }
        #expect(first == Array(bytes[..<150_090]) && second == Array(bytes[60_000..<180_090]))
        try store.close()
    }

    @Test("A body whose first piece is gone has no beginning: what comes later is not given for it")
    func headless() async throws {
        let store = try home.open()
        let bytes = await trickled(into: store)
        try StoreDamage.firstPieceGone.happen(to: home)
        for offset in [0, 1, 20_000] as [Int64] {
            #expect(
                try store.body(1, .response, offset: offset, limitBytes: 7_001).isEmpty,
                "\(offset) of \(bytes.count)"
            )
        }
        try store.close()
    }
}
