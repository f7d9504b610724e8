import Store
import Testing
import Traffic

@Suite("A block that disagrees with its row, or with itself", .timeLimit(.minutes(15)))
struct BlockDamageTests {
    /// Held by the suite, so that the directory outlives the test.
    private let home: TemporaryStore
    /// When the first exchange started; the second started a second later.
    private let start: Int64 = 1_760_000_000_000_000

    init() throws { home = try TemporaryStore() }

    /// A closed store with two exchanges in one block.
    private func fill() async throws {
        let store = try home.open()
        await store.record([.plain(started: start), .plain(code: 404, started: start + 1_000_000)])
        try store.index()
        try store.close()
    }

    /// Filters that select both exchanges, and a filter whose window of time cuts their block, each with what it selects.
    private var questions: [(filter: Filter, ids: [ExchangeID])] {
        var late = Filter()
        late.since = start + 500_000
        return [(Filter(), [2, 1]), (late, [2]), (Filter(.test(.number(.time, [1_000...2_000]))), [2, 1])]
    }

    private func expectAnswers(of store: TrafficStore) throws {
        for (filter, ids) in questions {
            let listing = try store.list(ListingQuery(filter: filter))
            #expect(listing.exchanges.map(\.id) == ids && listing.matched == ids.count && listing.total == 2)
            let overview = try store.overview(filter, slots: 10)
            #expect(overview.matched == ids.count && overview.counts == [ids.count])
            let drawn = StripKind.allCases.reduce(0) { sum, kind in sum + (overview.strip?[kind].reduce(0, +) ?? 0) }
            #expect(drawn == ids.count)
            var ranked = ListingQuery(filter: filter)
            ranked.order = ListingOrder(.started, isFalling: true)
            #expect(try store.page(ranked).exchanges.map(\.id) == ids)
        }
    }

    @Test(
        "Its exchanges are read from their rows, and a check names it",
        arguments: StoreDamage.blockOfTwo + [.numbersUnreadable]
    )
    func unreadable(damage: StoreDamage) async throws {
        try await fill()
        try damage.happen(to: home)
        let reader = try home.open(.reading)
        try expectAnswers(of: reader)
        #expect(try reader.check().problems == ["block 0 cannot be read"])
        try reader.close()
    }

    @Test(
        "A store that writes makes it again once it could not be read",
        arguments: StoreDamage.blockOfTwo + [.blockUnreadable, .numbersUnreadable]
    )
    func madeAgain(damage: StoreDamage) async throws {
        try await fill()
        try damage.happen(to: home)
        let store = try home.open()
        try expectAnswers(of: store)
        try store.index()
        #expect(try store.check().problems == [])
        try expectAnswers(of: store)
        try store.close()
    }

    @Test("Starts before the year 1 are read as its beginning, in a block as in its rows")
    func earlyStarts() async throws {
        try await fill()
        try StoreDamage.startsBeforeTime.happen(to: home)
        let reader = try home.open(.reading)
        #expect(try reader.check().problems == [])
        #expect(
            try reader.list(ListingQuery()).exchanges.map(\.started) == [
                -62_135_596_800_000_000, -62_135_596_800_000_000,
            ]
        )
        try reader.close()
    }

    @Test("A search group that says nothing of its blocks does not stand for them")
    func groupOfNothing() async throws {
        try await fill()
        try StoreDamage.groupOfNothing.happen(to: home)
        let store = try home.open()
        try store.index()
        #expect(try home.count(.searchBlock) == 1)
        try store.close()
    }

    @Test("A block that went and came again with other exchanges is read anew")
    func cameAgain() async throws {
        try await fill()
        let reader = try home.open(.reading)
        try expectAnswers(of: reader)
        try StoreDamage.facetBlocksGone.happen(to: home)
        try StoreDamage.serverError.happen(to: home)
        try expectAnswers(of: reader)
        let store = try home.open()
        try store.index()
        try store.close()
        let filter = try FilterParser.parse("code:500", now: start)
        #expect(try reader.list(ListingQuery(filter: filter)).exchanges.map(\.id) == [2])
        try reader.close()
    }

    @Test("A block whose ids cannot be computed is passed over, and a check counts it")
    func beyondIDs() async throws {
        try await fill()
        try StoreDamage.blockBeyondIDs.happen(to: home)
        let reader = try home.open(.reading)
        try expectAnswers(of: reader)
        #expect(try reader.check().problems == ["1 blocks with numbers that no block can have"])
        try reader.close()
    }

    @Test(
        "Blocks at places that none can have are told by a check, and go when the store is opened for writing",
        arguments: StoreDamage.blocksBeyondPlaces
    )
    func beyondPlaces(damage: StoreDamage) async throws {
        try await fill()
        try damage.happen(to: home)
        let reader = try home.open(.reading)
        try expectAnswers(of: reader)
        #expect(try reader.check().problems.count == 3)
        try reader.close()
        let store = try home.open()
        try store.index()
        #expect(try store.check().problems == [])
        try expectAnswers(of: store)
        try store.close()
    }

    @Test(
        "Blocks of numbers that were not given out go when the store is opened for writing, and the others are made in their turn",
        arguments: StoreDamage.blocksOfNoNumbers
    )
    func ofNoNumbers(damage: StoreDamage) async throws {
        try await fill()
        let columns = try home.count(.lineColumn)
        try damage.happen(to: home)
        // Whoever makes no blocks takes them away too.
        try home.open(makesBlocks: false).close()
        #expect(try home.count(.facetBlock) <= 1 && home.count(.lineColumn) <= columns)
        #expect(try home.count(.searchBlock) == 1 && home.count(.searchGroup) == 0 && home.count(.searchFilter) == 0)
        let store = try home.open()
        await store.record([.plain(started: start + 2_000_000)])
        try store.delete([3])
        try store.index()
        #expect(try home.count(.facetBlock) == 1 && home.count(.lineColumn) == columns)
        #expect(try store.check().problems == [])
        try expectAnswers(of: store)
        try store.close()
    }

    @Test("A store that writes makes a block again once its texts could not be read")
    func texts() async throws {
        try await fill()
        try StoreDamage.textsUnreadable.happen(to: home)
        let store = try home.open()
        let filter = try FilterParser.parse("path:/v2", now: start)
        #expect(try store.list(ListingQuery(filter: filter)).exchanges.map(\.id) == [2, 1])
        try store.index()
        #expect(try store.check().problems == [])
        try store.close()
    }

    @Test(
        "A block that is known from before the damage is not used with its row",
        arguments: StoreDamage.blockOfTwo + [.numbersUnreadable]
    )
    func known(damage: StoreDamage) async throws {
        try await fill()
        let reader = try home.open(.reading)
        try expectAnswers(of: reader)
        try damage.happen(to: home)
        try expectAnswers(of: reader)
        try reader.close()
    }
}
