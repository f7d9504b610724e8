import NIOCore
import Store
import Testing
import Traffic

@Suite("Blocks and rows answer as the filter means")
struct ListingPropertyTests {
    /// Held by the suite, so that the directory outlives the test.
    private let home: TemporaryStore

    init() throws { home = try TemporaryStore() }

    private static let methods = ["GET", "get", "POST", "HEAD", "OPTIONS", ""]
    private static let hosts = ["a.test", "b.a.test", "c.test", "none.test", "", "192.0.2.1"]
    private static let codes: [Int?] = [200, 204, 301, 404, 404, 500, 503, nil]
    private static let types = ["application/json", "text/html", "image/png", nil]
    private static let versions: [HTTPVersion?] = [.http10, .http11, .http11, .http2, nil]
    private static let starts: Range<Int64> = 1000..<9_000_000

    private static func exchange(_ generator: inout SeededGenerator, _ position: Int, manyHosts: Bool) -> Exchange {
        let outcome =
            [Outcome.completed, .completed, .completed, .failed, .tunnelled].randomElement(using: &generator) ?? .failed
        let host =
            manyHosts ? "h\(Int.random(in: 0..<3000, using: &generator)).test" : hosts.randomElement(using: &generator)
        return .plain(
            methods.randomElement(using: &generator) ?? "",
            scheme: ([.http, .https, .ws, nil] as [Scheme?]).randomElement(using: &generator) ?? nil,
            host: host ?? "",
            code: codes.randomElement(using: &generator) ?? nil,
            // Starts follow the ids roughly, as they do in life.
            started: Int64(position * 1000) + Int64.random(in: 0..<5000, using: &generator),
            outcome: outcome,
            mediaType: types.randomElement(using: &generator) ?? nil,
            version: versions.randomElement(using: &generator) ?? nil
        )
    }

    private static func filter(_ generator: inout SeededGenerator) throws -> Filter {
        let words: [(Facet, [String])] = [
            (.code, ["200", "4xx", "404", "pending", "failed", "tunnelled", "none", ">=500", "418"]),
            (.method, ["GET", "post", "PUT", "none"]), (.scheme, ["https", "http", "none", "wss"]),
            (.host, ["a.test", "*.test", "h7.test", "c.test", "none", "nowhere.test"]),
            (.type, ["application/json", "image/png", "none", "text/css"]), (.version, ["1.1", "2", "none"]),
            (.outcome, ["completed", "failed", "pending", "tunnelled"]),
        ]
        var filter = Filter()
        for (facet, values) in words where Int.random(in: 0..<3, using: &generator) == 0 {
            for _ in 0..<Int.random(in: 1...2, using: &generator) {
                filter.select(
                    try FacetSelector(values.randomElement(using: &generator) ?? "none", in: facet),
                    in: facet
                )
            }
        }
        if Bool.random(using: &generator) { filter.since = .random(in: starts, using: &generator) }
        if Bool.random(using: &generator) { filter.before = .random(in: starts, using: &generator) }
        return filter
    }

    /// The listing by the meaning of the filter alone: every row is looked at.
    private static func meaning(_ query: ListingQuery, of all: [ExchangeSummary]) -> Listing {
        let matching = all.filter(query.filter.matches).sorted { $0.id > $1.id }
        let rest = matching.filter { $0.id < query.after ?? .max }
        let facets = Facet.all.map { facet in
            // The filter without this facet says where the facet counts.
            var others = Filter()
            others.since = query.filter.since
            others.before = query.filter.before
            for other in Facet.all where other != facet {
                for selector in query.filter.selections[other.name] ?? [] { others.select(selector, in: other) }
            }
            let hasOthers = !others.isEmpty
            var counts: [String: Int] = [:]
            for exchange in all {
                counts[facet.value(exchange), default: 0] += !hasOthers || others.matches(exchange) ? 1 : 0
            }
            let isSmall = counts.count <= 100
            for selector in query.filter.selections[facet.name] ?? []
            where !counts.keys.contains(where: selector.matches) {
                if let value = selector.namedValue(in: facet) { counts[value] = 0 }
            }
            let values = counts.map {
                FacetCount(value: $0.key, count: $0.value, selected: query.filter.selects($0.key, in: facet))
            }
            return FacetListing(
                facet: facet,
                values: facet.ordered(values.filter { isSmall || $0.count > 0 || $0.selected })
            )
        }
        return Listing(
            total: all.count,
            matched: matching.count,
            next: rest.count > query.limit ? rest.prefix(query.limit).last?.id : nil,
            facets: facets,
            exchanges: Array(rest.prefix(query.limit))
        )
    }

    @Test("Random stores, random filters, at every stage of indexing", arguments: 1...3 as ClosedRange<UInt64>)
    func agreement(seed: UInt64) async throws {
        var generator = SeededGenerator(seed: seed)
        let store = try home.open()
        var open: [CaptureToken] = []
        var token: CaptureToken = 0
        for round in 0..<9 {
            var events: [ExchangeEvent] = []
            for _ in 0..<Int.random(in: 1...1500, using: &generator) {
                token += 1
                let exchange = Self.exchange(&generator, Int(token), manyHosts: seed % 2 == 0)
                if Int.random(in: 0..<100, using: &generator) == 0 {
                    var pending = exchange
                    (pending.outcome, pending.failure, pending.timeline.duration) = (.pending, nil, nil)
                    events.append(.opened(token, pending))
                    open.append(token)
                } else {
                    events.append(.ended(token, exchange, request: .init(), response: .init()))
                }
            }
            // Some that were open end, also in blocks that are made already.
            open.shuffle(using: &generator)
            for _ in 0..<Int.random(in: 0...(open.count / 2), using: &generator) {
                guard let late = open.popLast() else { break }
                let exchange = Self.exchange(&generator, Int(late), manyHosts: false)
                events.append(.ended(late, exchange, request: .init(), response: .init()))
            }
            await store.record(events)
            if round % 3 == 1 { try store.index() }
            let reader = round % 4 == 3 ? try home.open(.reading) : store
            let all = try reader.summaries(after: 0, limit: .max)
            for _ in 0..<4 {
                var query = ListingQuery(
                    filter: try Self.filter(&generator),
                    limit: Int.random(in: 0...50, using: &generator)
                )
                if Bool.random(using: &generator) {
                    query.after = .random(in: 1...Int64(all.count + 5), using: &generator)
                }
                let expected = Self.meaning(query, of: all)
                let listing = try reader.list(query)
                #expect(listing.total == expected.total && listing.matched == expected.matched, "\(query.filter)")
                #expect(listing.exchanges.map(\.id) == expected.exchanges.map(\.id), "\(query.filter)")
                #expect(listing.exchanges == expected.exchanges)
                #expect(listing.next == expected.next)
                for (left, right) in zip(listing.facets, expected.facets) { #expect(left == right, "\(query.filter)") }
            }
        }
    }
}
