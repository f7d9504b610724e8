import Foundation
import NIOCore
import Store
import Testing
import Traffic

@Suite("Exchanges that are deleted", .timeLimit(.minutes(15)))
struct DeletionTests {
    /// Held by the suite, so that the directory outlives the test.
    private let home: TemporaryStore

    init() throws { home = try TemporaryStore() }

    private func ended(_ token: CaptureToken, _ bytes: [UInt8], client: Peer = .plainClient) -> ExchangeEvent {
        .ended(
            token,
            .plain(client: client).with(responseBody: bytes),
            request: ByteBuffer(),
            response: ByteBuffer(bytes: bytes)
        )
    }

    @Test("A body stays as long as any message has it, and goes with the last, whichever that is")
    func sharedBodies() async throws {
        let store = try home.open()
        let bytes = pattern(600_000)
        for token in 1...3 as ClosedRange<CaptureToken> { await store.record([ended(token, bytes)]) }
        // The first message is the one the bytes were stored for.
        #expect(try store.delete([1]) == .init(deleted: 1, open: 0))
        #expect(try store.wholeBody(2, .response) == bytes && store.wholeBody(3, .response) == bytes)
        await store.record([ended(4, bytes)])
        #expect(try store.delete([2, 3]).deleted == 2)
        #expect(try store.wholeBody(4, .response) == bytes)
        #expect(try store.check().problems == [])
        #expect(try home.bodyBytes() == bytes.count)
        #expect(try store.delete([4]).deleted == 1)
        #expect(try home.count(.bodyPiece) == 0)
        // What was remembered as kept must not be referred to any more.
        await store.record([ended(5, bytes)])
        #expect(try store.wholeBody(5, .response) == bytes)
        #expect(try store.check().problems == [])
        try store.close()
    }

    @Test("Numbers are never given out again, in this process or the next")
    func numbers() async throws {
        let store = try home.open()
        await store.record((0..<5).map { _ in .plain() })
        #expect(try store.clear(Filter()).deleted == 5)
        #expect(await store.record([.plain()]).ids == [6])
        #expect(try store.clear(Filter()).deleted == 1)
        try store.close()
        let again = try home.open()
        #expect(try again.list(ListingQuery()).total == 0)
        #expect(await again.record([.plain()]).ids == [7])
        try again.close()
    }

    @Test(
        "A number that no exchange can have names nothing to delete or to mark",
        arguments: [1 << 36 | 1, 0, -1, ExchangeID.min, .max]
    )
    func impossible(id: ExchangeID) async throws {
        let store = try home.open()
        let message = StreamMessage(
            side: .response,
            time: 1,
            kind: .event,
            wireBytes: 1,
            size: 1,
            payload: ByteBuffer(string: "a")
        )
        await store.record([.opened(1, .plain(outcome: .pending)), .message(1, message), ended(1, [])])
        #expect(try store.delete([id]) == .init())
        #expect(try store.mark([id], .tags(["seen"])) == 0)
        #expect(try store.messages(of: 1, limit: 9).count == 1)
        try store.close()
    }

    @Test("Open exchanges stay, and end as they would have")
    func open() async throws {
        let store = try home.open()
        await store.record([
            .opened(1, .plain(code: nil, outcome: .pending)), ended(2, pattern(50)), ended(3, pattern(60)),
        ])
        #expect(try store.clear(Filter()) == .init(deleted: 2, open: 1))
        await store.record([ended(1, pattern(70))])
        #expect(try store.summaries(after: 0, limit: 10).map(\.id) == [1])
        #expect(try store.wholeBody(1, .response) == pattern(70))
        #expect(try store.check().problems == [])
        try store.close()
    }

    @Test("Counts are right at once, here and in a reader beside, and followers are told to list again")
    func counts() async throws {
        let store = try home.open()
        for round in 0..<10 { await store.record((0..<500).map { .plain(target: "/\(round)", code: 200 + $0 % 3) }) }
        try store.index()
        let reader = try home.open(.reading)
        #expect(try reader.list(ListingQuery()).total == 5000)
        var changes = store.changes().makeAsyncIterator()
        #expect(try store.clear(Filter(.test(.facet(.code, [.exactly("201")])))).deleted == 1670)
        guard case .resync = await changes.next() else { return #expect(Bool(false), "no resync came") }
        for store in [store, reader] {
            let listing = try store.list(ListingQuery(limit: 1))
            #expect(listing.total == 3330)
            let codes = listing.facets.first { $0.facet == .code }?.values.filter { $0.count > 0 }
            #expect(codes?.map(\.value) == ["200", "202"] && codes?.map(\.count) == [1670, 1660])
        }
        #expect(try store.check().problems == [])
        try store.close()
        // A block with deleted exchanges is whole: opening does not make it again.
        let revision = try home.blockRevisions()
        try home.open().close()
        #expect(try home.blockRevisions() == revision)
    }

    @Test("Connections and certificates go with the last exchange that has them, and those in use stay")
    func connections() async throws {
        let store = try home.open()
        let tls = { (der: UInt8) in
            Peer.TLS(version: "TLSv1.3", serverName: nil, applicationProtocol: nil, certificates: [[1, 2], [der]])
        }
        let kept = Peer(token: 7, address: "127.0.0.1:1", tls: tls(3))
        let lost = Peer(token: 8, address: "127.0.0.1:2", tls: tls(4))
        await store.record([ended(1, [], client: kept), ended(2, [], client: lost), ended(3, [], client: lost)])
        #expect(try store.delete([2, 3]).deleted == 2)
        #expect(try home.count(.connection) == 1)
        #expect(try home.count(.certificate) == 2)
        #expect(try store.exchange(1)?.client.tls?.certificates == [[1, 2], [3]])
        // What the writer remembered of the deleted rows is written again.
        await store.record([ended(4, [], client: lost)])
        #expect(try store.exchange(4)?.client.tls?.certificates == [[1, 2], [4]])
        #expect(try store.check().problems == [])
        try store.close()
    }

    @Test("While thousands are deleted, recording goes on and loses nothing")
    func beside() async throws {
        let store = try home.open()
        for _ in 0..<10 { await store.record((0..<600).map { .plain(target: "/old/\($0)") }) }
        async let cleared = store.clear(Filter(.test(.line(.path, [TextPattern(containing: "/old")]))))
        var recorded: [ExchangeID] = []
        for number in 0..<300 { recorded += await store.record([.plain(target: "/new/\(number)")]).ids }
        #expect(try await cleared.deleted == 6000)
        #expect(recorded.count == 300)
        #expect(try store.summaries(after: 0, limit: .max).map(\.id) == recorded)
        #expect(try store.check().problems == [])
        try store.close()
    }

    @Test("After compacting, nothing of what was deleted is in the file or its log, and the file is small")
    func compact() async throws {
        let store = try home.open()
        for token in 0..<40 as Range<CaptureToken> {
            await store.record([
                ended(token, Array("a very secret word \(token) ".utf8) + pattern(100_000, seed: Int(token)))
            ])
        }
        await store.record([.plain(target: "/kept")])
        #expect(try store.delete(Array(1...40)).deleted == 40)
        let result = try store.compact()
        #expect(result.before > 4_000_000 && result.after < 300_000 && !result.isLogHeld)
        for suffix in ["", "-wal"] {
            let bytes = try Data(contentsOf: URL(fileURLWithPath: home.path + suffix))
            #expect(bytes.range(of: Data("secret word".utf8)) == nil, "\(suffix)")
        }
        #expect(try store.summaries(after: 0, limit: 9).map(\.target) == ["/kept"])
        #expect(await store.record([.plain()]).ids == [42])
        #expect(try store.check().problems == [])
        try store.close()
    }

    @Test("Compacting takes away the filters of no group")
    func strayFilters() async throws {
        let store = try home.open()
        await store.record([.plain()])
        try StoreDamage.strayFilter.happen(to: home)
        #expect(try home.count(.searchFilter) == 1)
        _ = try store.compact()
        #expect(try home.count(.searchFilter) == 0)
        try store.close()
    }

    @Test("Deletions beside each other and beside recording take no connection that is in use")
    func sweepsBeside() async throws {
        let store = try home.open()
        try await withThrowingTaskGroup { group in
            for worker in 0..<4 as Range<UInt64> {
                group.addTask {
                    for round in 0..<60 as Range<UInt64> {
                        let peers = (0..<2).map { place in
                            Peer(token: worker * 1_000 + round * 2 + place, address: "127.0.0.1:\(worker)", tls: nil)
                        }
                        let ids = await store.record(peers.map { .plain(client: $0) }).ids
                        try store.delete([ids[1]])
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(try store.list(ListingQuery(limit: 0)).total == 240)
        #expect(try store.check().problems == [])
        try store.close()
    }

    @Test("In a large store connections are looked for when so many exchanges went that it is worth it, or to compact")
    func largeStore() async throws {
        let store = try home.open()
        let peers = (0..<3).map { Peer(token: 100 + UInt64($0), address: "127.0.0.1:\($0)", tls: nil) }
        await store.record(peers.map { .plain(client: $0) })
        for _ in 0..<12 { await store.record((0..<1000).map { _ in .plain() }) }
        #expect(try store.delete([1]).deleted == 1)
        #expect(try home.count(.connection) == 4)
        #expect(try store.delete(Array(4...1003)).deleted == 1000)
        #expect(try home.count(.connection) == 3)
        #expect(try store.delete([2]).deleted == 1)
        #expect(try home.count(.connection) == 3)
        _ = try store.compact()
        #expect(try home.count(.connection) == 2)
        #expect(try store.exchange(3)?.client.address == "127.0.0.1:2" && store.check().problems == [])
        try store.close()
    }
}
