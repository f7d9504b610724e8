import NIOCore
import Store
import Testing
import Traffic

@Suite("Listing with counts", .timeLimit(.minutes(15)))
struct ListingTests {
    /// Held by the suite, so that the directory outlives the test.
    private let home: TemporaryStore

    init() throws { home = try TemporaryStore() }

    /// The six requests of the clients' filter, as the reference's vectors have them.
    private func vectors() async throws -> TrafficStore {
        let store = try home.open()
        await store.record([
            .plain(), .plain(scheme: .http), .plain("POST", code: 500), .plain(scheme: nil, code: 404),
        ])
        await store.record([.opened(9, .plain(code: nil, outcome: .pending))])
        await store.record([.plain("HEAD", code: 301)])
        return store
    }

    private func filter(_ terms: [(Facet, String)]) throws -> Filter {
        var filter = Filter()
        for (facet, text) in terms { filter.select(try FacetSelector(text, in: facet), in: facet) }
        return filter
    }

    private func counts(_ listing: Listing, _ facet: Facet) -> [String: Int] {
        let values = listing.facets.first { $0.facet == facet }?.values ?? []
        return Dictionary(values.map { ($0.value, $0.count) }, uniquingKeysWith: +)
    }

    @Test(
        "The vectors: counts under the other selections, selections of a category do not change its own counts",
        arguments: [false, true]
    )
    func vectorCounts(isIndexed: Bool) async throws {
        let store = try await vectors()
        if isIndexed { try store.index() }
        let none = try store.list(ListingQuery())
        #expect(none.exchanges.map(\.id) == [6, 5, 4, 3, 2, 1])
        #expect(none.total == 6 && none.matched == 6 && none.next == nil)
        #expect(counts(none, .scheme) == ["https": 4, "http": 1, "none": 1])

        let get = try store.list(ListingQuery(filter: try filter([(.method, "get")])))
        #expect(get.exchanges.map(\.id) == [5, 4, 2, 1])
        #expect(get.total == 6 && get.matched == 4)
        #expect(counts(get, .code) == ["200": 2, "404": 1, "pending": 1, "500": 0, "301": 0])
        #expect(counts(get, .method) == ["GET": 4, "POST": 1, "HEAD": 1])
        #expect(get.facets.first { $0.facet == .method }?.values.filter(\.selected).map(\.value) == ["GET"])
        #expect(get.facets.first { $0.facet == .code }?.values.map(\.value) == ["200", "301", "404", "500", "pending"])

        #expect(try store.list(ListingQuery(filter: try filter([(.code, "404")]))).exchanges.map(\.id) == [4])
        let both = try store.list(ListingQuery(filter: try filter([(.code, "200"), (.code, "500"), (.method, "GET")])))
        #expect(both.exchanges.map(\.id) == [2, 1])
        #expect(counts(both, .method) == ["GET": 2, "POST": 1, "HEAD": 0])
    }

    @Test("A selected value that no exchange has is listed with count 0; a range or a pattern is not")
    func neverSeen() async throws {
        let store = try await vectors()
        let query = ListingQuery(
            filter: try filter([
                (.method, "put"), (.code, "5xx"), (.code, "418"), (.host, "*.nowhere.test"), (.host, "other.test"),
            ])
        )
        let listing = try store.list(query)
        #expect(listing.matched == 0 && listing.exchanges.isEmpty)
        let methods = try #require(listing.facets.first { $0.facet == .method }).values
        #expect(methods.contains(FacetCount(value: "PUT", count: 0, selected: true)))
        let codes = try #require(listing.facets.first { $0.facet == .code }).values
        #expect(codes.filter(\.selected).map(\.value) == ["418", "500"])
        #expect(codes.map(\.value) == ["200", "301", "404", "418", "500", "pending"])
        let hosts = try #require(listing.facets.first { $0.facet == .host }).values
        #expect(hosts.filter(\.selected).map(\.value) == ["other.test"])
    }

    @Test(
        "A large category lists only what counts or is selected, a small one all that was seen",
        arguments: [false, true]
    )
    func largeCategory(isIndexed: Bool) async throws {
        let store = try home.open()
        await store.record((0..<150).map { .plain($0 < 3 ? "PUT" : "GET", host: "h\($0).test") })
        if isIndexed { try store.index() }
        let listing = try store.list(
            ListingQuery(filter: try filter([(.method, "PUT"), (.host, "h77.test"), (.host, "h1.test")]))
        )
        let hosts = try #require(listing.facets.first { $0.facet == .host }).values
        #expect(Set(hosts.map(\.value)) == ["h0.test", "h1.test", "h2.test", "h77.test"])
        #expect(counts(listing, .method) == ["PUT": 1, "GET": 1])
        #expect(counts(listing, .type) == ["application/json": 1])
    }

    /// Numbers 3,601 to 4,500, across the end of a block, in blocks; each third is a POST.
    private func thirds() async throws -> TrafficStore {
        let store = try home.open()
        try await store.begin(at: 3_601)
        await store.record((0..<900).map { .plain($0 % 3 == 0 ? "POST" : "GET") })
        try store.index()
        return store
    }

    @Test("Pages join without overlap or hole, also when rows are added meanwhile")
    func pages() async throws {
        let store = try await thirds()
        var last: ExchangeID = 4_500
        for limit in [1, 7, 100, 5000] {
            var seen: [ExchangeID] = []
            var query = ListingQuery(filter: try filter([(.method, "POST")]), limit: limit, countsFacets: false)
            query.after = limit == 1 ? 3_700 : nil
            let end: ExchangeID = query.after ?? .max
            let posted = (3_601...last).filter { (id: ExchangeID) in (id - 1) % 3 == 0 || id > 4_500 }
            let expected = posted.filter { $0 < end }.reversed()
            while true {
                let listing = try store.list(query)
                #expect(listing.facets.isEmpty)
                seen += listing.exchanges.map(\.id)
                guard let next = listing.next else { break }
                query.after = next
                guard seen.count < 20 else { continue }
                await store.record([.plain("POST")])
                last += 1
            }
            #expect(seen == Array(expected), "by \(limit)")
        }
    }

    @Test("Pages towards newer ones join as the others do, each newest first")
    func newerPages() async throws {
        let store = try await thirds()
        await store.record((0..<50).map { _ in .plain("POST") })
        for isPage in [false, true] {
            for limit in [1, 7, 100, 5000] { try expectNewerPages(of: store, limit: limit, isPage: isPage) }
        }
    }

    private func expectNewerPages(of store: TrafficStore, limit: Int, isPage: Bool) throws {
        var query = ListingQuery(filter: try filter([(.method, "POST")]), limit: limit, newer: 0, countsFacets: false)
        query.newer = limit == 1 ? 4400 : 0
        let expected = (3601...4550).filter { (($0 - 1) % 3 == 0 || $0 > 4500) && $0 > query.newer ?? 0 }
        var seen: [ExchangeID] = []
        while true {
            let listing = try isPage ? store.page(query) : store.list(query)
            seen += listing.exchanges.map(\.id).reversed()
            guard let next = listing.next else { break }
            #expect(next == listing.exchanges.first?.id && listing.exchanges.count == limit)
            query.newer = next
        }
        #expect(seen == expected)
        query.newer = 4550
        #expect(try store.page(query).exchanges.isEmpty)
    }
}
