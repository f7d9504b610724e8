import NIOCore
import Support
import Testing
import Traffic

@testable import Store

@Suite("Ranked listings", .timeLimit(.minutes(15)))
struct RankedListingTests {
    /// Held by the suite, so that the directory outlives the test.
    private let home: TemporaryStore

    init() throws { home = try TemporaryStore() }

    /// What ranks an exchange, smaller first: a number, or a text whose numbers come before words.
    private static func key(_ line: ExchangeSummary, _ key: ListingOrder.Key) -> (Int64, String) {
        switch key {
        case .started: return (line.started, "")
        case .duration: return (line.duration ?? -1, "")
        case .size: return (line.responseBytes, "")
        case .reqsize: return (line.requestBytes, "")
        case .facet(let facet):
            let value = facet.value(line)
            return (Int64(value) ?? .max, value)
        }
    }

    private static func ranked(_ lines: [ExchangeSummary], by order: ListingOrder) -> [ExchangeID] {
        let keyed = lines.map { (key: key($0, order.key), id: $0.id) }
        return keyed.sorted { left, right in
            if left.key == right.key { return left.id > right.id }
            return order.isFalling ? left.key > right.key : left.key < right.key
        }.map(\.id)
    }

    private static func exchange(_ generator: inout SeededGenerator) -> Exchange {
        var exchange = Exchange.plain(
            ["GET", "POST", "get"].randomElement(using: &generator) ?? "GET",
            host: "\("abcdefgh".randomElement(using: &generator) ?? "a").test",
            code: [200, 404, 500, 1000].randomElement(using: &generator),
            started: 1_760_000_000_000_000 + .random(in: 0..<5_000_000, using: &generator),
            mediaType: ["text/html", nil, "image/png"].randomElement(using: &generator) ?? nil
        ).with(responseBody: [], length: .random(in: 0..<900, using: &generator))
        exchange.timeline.duration = .random(in: 0..<300, using: &generator)
        return exchange
    }

    @Test(
        "Each order ranks as sorting every line does: from blocks, from rows, under a filter, from a rank, below a number"
    )
    func ranks() async throws {
        let store = try home.open()
        var generator = SeededGenerator(seed: 7)
        await store.record((0..<4_300).map { _ in Self.exchange(&generator) })
        try store.index()
        await store.record((0..<60).map { _ in Self.exchange(&generator) })
        await store.record([.opened(9, .plain(code: nil, outcome: .pending))])
        let lines = try store.summaries(after: 0, limit: .max)
        #expect(lines.count == 4_361)
        var filter = Filter()
        filter.select(try FacetSelector("POST", in: .method), in: .method)
        for name in ListingOrder.names.flatMap({ [$0, "-\($0)"] }) {
            let order = try #require(ListingOrder(name))
            var query = ListingQuery(limit: 50, countsFacets: false)
            query.order = order
            let all = Self.ranked(lines, by: order)
            for skip in [0, 777, 4_340] {
                query.skip = skip
                let page = try store.page(query)
                #expect(page.exchanges.map(\.id) == Array(all.dropFirst(skip).prefix(50)), "\(name) from \(skip)")
                #expect(page.next == (skip == 4_340 ? nil : ExchangeID(skip + 50)) && page.matched == 4_361)
            }
            query.filter = filter
            query.after = 4_200
            query.skip = 20
            let some = Self.ranked(lines.filter { $0.id < 4_200 && $0.method == "POST" }, by: order)
            #expect(try store.page(query).exchanges.map(\.id) == Array(some.dropFirst(20).prefix(50)), "\(name)")
            #expect(try store.list(query).exchanges.map(\.id) == Array(some.dropFirst(20).prefix(50)), "\(name)")
            query.skip = 100_000
            #expect(try store.page(query).exchanges.isEmpty)
        }
    }

    @Test("However many are ranked, only so many are held; ranks that are not held are refused")
    func holdsFew() throws {
        var generator = SeededGenerator(seed: 5)
        let lines = (ExchangeID(1)...900).map { id in
            var exchange = Self.exchange(&generator)
            exchange.id = id
            return exchange.summary
        }
        for name in ListingOrder.names.flatMap({ [$0, "-\($0)"] }) {
            let order = try #require(ListingOrder(name))
            var tally = RankTally(order, below: nil, skip: 20, limit: 20, heldLimit: 100)
            for line in lines { try tally.add(line) }
            let page = tally.page(skip: 20, limit: 20)
            #expect(page.ids == Array(Self.ranked(lines, by: order).dropFirst(20).prefix(20)) && page.goesOn, "\(name)")
            tally = RankTally(order, below: nil, skip: 30, limit: 20, heldLimit: 100)
            for line in lines.prefix(100) { try tally.add(line) }
            #expect(throws: FilterError.self) { try tally.add(lines[100]) }
        }
    }

    @Test("What is gone through again and again is known again, as far as there is room")
    func staying() {
        var map = StayingMap<Int, Int>(limit: 4)
        var known = 0
        for key in (0..<3).flatMap({ _ in 0..<6 }) {
            if map[key] == key { known += 1 }
            map.insert(key, for: key)
        }
        #expect(known >= 6)
        map.keep { $0 > 2 }
        map.insert(7, for: 7)
        #expect(map[7] == 7 && map[0] == nil)
    }

    @Test("What cannot rank is no order", arguments: ["", "-", "path", "tag", "--size", "Size"])
    func refuses(name: String) { #expect(ListingOrder(name) == nil) }
}
