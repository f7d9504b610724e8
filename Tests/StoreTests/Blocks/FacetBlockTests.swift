import NIOCore
import Support
import Testing
import Traffic

@testable import Store

@Suite("A block of columns as bytes", .timeLimit(.minutes(15)))
struct FacetBlockTests {
    private func exchanges(_ ids: [ExchangeID], hosts: Int) -> [ExchangeSummary] {
        ids.map { id in
            var exchange = Exchange.plain(host: "h\(Int(id) % hosts).test", started: 1_760_000_000_000_000 - id * 7)
            exchange.id = id
            exchange.request.body.length = id % 2 == 0 ? 1 << 40 : 0
            exchange.response?.body.length = id
            exchange.timeline.duration = id % 3 == 0 ? nil : id
            return exchange.summary
        }
    }

    @Test(
        "What is written is read again, dense or with holes, whatever the width of codes",
        arguments: [1, 2, 256, 257, 4096]
    )
    func roundTrip(hosts: Int) throws {
        for ids in [Array(8193...12_288), Array(stride(from: 8193, through: 12_288, by: 3)), [8200], []]
            as [[ExchangeID]]
        {
            let rows = exchanges(ids, hosts: hosts)
            let block = FacetBlock(index: 2, through: 12_288, exchanges: rows)
            #expect(FacetBlock(index: 2, through: 12_288, encoded: block.encoded()) == block)
            let numbers = NumberColumns(exchanges: rows)
            #expect(NumberColumns(encoded: numbers.encoded(), count: rows.count) == numbers)
            #expect(numbers.responseBytes == ids)
            #expect(block.offsets.map { block.firstID + ExchangeID($0) } == ids)
        }
    }

    @Test("A block whose exchanges have no value of a facet is refused")
    func columnWithoutValues() {
        let whole = FacetBlock(index: 0, through: 3, exchanges: exchanges([1, 2, 3], hosts: 2))
        for position in whole.columns.indices {
            var columns = whole.columns
            columns[position] = FacetBlock.Column(values: [], counts: [], codes: [])
            let block = FacetBlock(index: 0, through: 3, offsets: whole.offsets, open: whole.open, columns: columns)
            #expect(FacetBlock(index: 0, through: 3, encoded: block.encoded()) == nil, "\(Facet.all[position].name)")
        }
    }

    @Test(
        "Values that differ in their bytes alone are each held against a pattern by themselves",
        arguments: [false, true]
    )
    func sameToReaders(isTurned: Bool) async throws {
        let home = try TemporaryStore()
        let store = try home.open()
        let names = ["caf\u{E9}", "cafe\u{301}"]
        await store.record(
            (isTurned ? names.reversed() : names).map { name in
                let process = LocalProcess(id: 7, name: name)
                return .plain(
                    client: Peer(token: UInt64(name.utf8.count), address: "127.0.0.1:5", tls: nil, process: process)
                )
            }
        )
        let query = ListingQuery(filter: try FilterParser.parse("process:/^caf.$/", now: 0))
        let fromRows = try store.list(query).matched
        try store.index()
        #expect(try store.list(query).matched == 1 && fromRows == 1)
        try store.close()
    }

    @Test("Bytes that are cut or changed are refused or read as something sound, never a trap")
    func damage() throws {
        let rows = exchanges(Array(1...300), hosts: 20)
        let whole = FacetBlock(index: 0, through: 300, exchanges: rows).encoded()
        for length in 0..<whole.readableBytes {
            #expect(
                FacetBlock(index: 0, through: 300, encoded: whole.getSlice(at: 0, length: length) ?? ByteBuffer())
                    == nil
            )
        }
        var generator = SeededGenerator(seed: 3)
        for _ in 0..<500 {
            var bytes = whole
            let place = Int.random(in: 0..<bytes.readableBytes, using: &generator)
            bytes.setInteger(UInt8.random(in: 0...255, using: &generator), at: place)
            guard let block = FacetBlock(index: 0, through: 300, encoded: bytes) else { continue }
            var tally = FacetTally(Filter(), countsFacets: true)
            _ = try tally.add(block, window: .inside)
        }
    }
}
