import Store
import Testing
import Traffic

@Suite("Where the selected exchanges are, by number and by time", .timeLimit(.minutes(15)))
struct OverviewTests {
    /// Held by the suite, so that the directory outlives the test.
    private let home: TemporaryStore

    init() throws { home = try TemporaryStore() }

    /// Holds an overview to its meaning: every exchange looked at.
    static func expect(
        _ overview: Overview,
        of all: [ExchangeSummary],
        _ filter: Filter,
        isStripWhole: Bool,
        selected: (Filter) throws -> Set<ExchangeID>
    ) throws {
        let ids = try selected(filter)
        #expect(overview.total == all.count && overview.matched == ids.count, "\(filter.text)")
        #expect(overview.counts.count <= 4096 && overview.bucketSize >= 256)
        #expect(overview.bucketSize & (overview.bucketSize - 1) == 0)
        var counts = Array(repeating: 0, count: overview.counts.count)
        for id in ids { counts[Int((id - overview.first) / overview.bucketSize)] += 1 }
        #expect(overview.counts == counts, "\(filter.text)")
        if let oldest = all.map(\.id).min(), let newest = all.map(\.id).max() {
            #expect((overview.first..<overview.first + overview.bucketSize).contains(oldest))
            let last = overview.first + Int64(overview.counts.count - 1) * overview.bucketSize
            #expect((last..<last + overview.bucketSize).contains(newest))
        }
        guard let strip = overview.strip else { return }
        var drawn = filter
        if isStripWhole { (drawn.since, drawn.before) = (nil, nil) }
        let wanted = try selected(drawn)
        for kind in StripKind.allCases {
            var slots = Array(repeating: 0, count: strip.count)
            for row in all where wanted.contains(row.id) && StripKind(row.outcome, code: row.code) == kind {
                slots[Int((row.started - (strip.from ?? 0)) / (strip.slotMs * 1000))] += 1
            }
            #expect(strip[kind] == slots, "\(filter.text)")
        }
    }

    @Test(
        "Blocks and rows give the same; what is deleted at the old end moves the first bucket",
        arguments: [false, true]
    )
    func buckets(isIndexed: Bool) async throws {
        let store = try home.open()
        let start: Int64 = 1_760_000_000_000_000
        await store.record((0..<5000).map { .plain(code: 200 + $0 % 4 * 100, started: start + Int64($0) * 1_000_000) })
        if isIndexed { try store.index() }
        let overview = try store.overview(FilterParser.parse("code:>=400", now: 0), slots: 100)
        #expect(overview.total == 5000 && overview.matched == 2500)
        #expect(overview.first == 1 && overview.bucketSize == 256)
        #expect(overview.counts == Array(repeating: 128, count: 19) + [68])
        let strip = try #require(overview.strip)
        // 5,000 s begin 20 s after a full minute.
        #expect(strip.slotMs == 60_000 && strip.count == 84 && strip.from == start - 20_000_000)
        #expect(strip[.clientError].reduce(0, +) == 1250 && strip[.serverError].reduce(0, +) == 1250)
        #expect(
            strip[.clientError][0] == 10 && strip[.clientError][1] == 15 && strip[.completed].allSatisfy { $0 == 0 }
        )

        #expect(try store.delete(Array(1...600)).deleted == 600)
        let rest = try store.overview(Filter())
        #expect(rest.first == 513 && rest.counts.first == 168 && rest.counts.count == 18 && rest.strip == nil)
    }

    @Test("The strip has the window's bounds, or the whole capture's with the buckets still of the window")
    func window() async throws {
        let store = try home.open()
        await store.record((0..<1000).map { .plain(started: 10_000_000 + Int64($0) * 10_000) })
        var filter = Filter()
        (filter.since, filter.before) = (12_000_000, 13_000_000)
        let cut = try store.overview(filter, slots: 100)
        #expect(cut.strip?.from == 12_000_000 && cut.strip?.to == 13_000_000 && cut.strip?.slotMs == 10)
        #expect(cut.strip?[.completed] == Array(repeating: 1, count: 100))
        let whole = try store.overview(filter, slots: 100, isStripWhole: true)
        #expect(whole.matched == 100 && whole.counts == cut.counts)
        #expect(whole.strip?.from == 10_000_000 && whole.strip?.to == 20_000_000)
        #expect(whole.strip?[.completed] == Array(repeating: 10, count: 100))
    }

    @Test("An empty store has no bucket and no slot")
    func empty() throws {
        let overview = try home.open().overview(Filter(), slots: 10)
        #expect(overview.counts.isEmpty && overview.strip?.from == nil && overview.strip?[.failed] == [])
    }
}
