import NIOCore
import Store
import Testing
import Traffic

@Suite("A store that cannot write", .timeLimit(.minutes(15)))
struct GapTests {
    /// Held by the suite, so that the directory outlives the test.
    private let home: TemporaryStore

    init() throws { home = try TemporaryStore() }

    /// Fills the store until a batch is not recorded.
    private func fill(_ store: TrafficStore) async throws {
        try store.limitPages(60)
        for round in 0..<200 {
            let bytes = pattern(20_000, seed: round)
            let event = ExchangeEvent.ended(
                1,
                .plain(started: 1_000_000).with(responseBody: bytes),
                request: ByteBuffer(),
                response: ByteBuffer(bytes: bytes)
            )
            if await !store.record([event]).isRecorded { return }
        }
        Issue.record("the limit was never reached")
    }

    @Test("The counts of gaps add up, however many gaps of whatever count a store has")
    func sum() throws {
        try home.open().close()
        try StoreDamage.gapsOfMany.happen(to: home)
        let reader = try home.open(.reading)
        let gaps = try reader.gaps()
        let sum: Int? = gaps.reduce(0) { sum, gap in
            sum.flatMap { known in
                let (next, overflows) = known.addingReportingOverflow(gap.count)
                return overflows ? nil : next
            }
        }
        #expect(gaps.count == 1025 && sum != nil)
        try reader.close()
    }

    @Test("What could not be recorded is counted as a gap, traffic goes on, and the gap is written when there is room")
    func gap() async throws {
        let store = try home.open()
        try await fill(store)
        let recorded = try store.list(ListingQuery()).total
        let big = pattern(300_000)
        for second in 2...4 as ClosedRange<Int64> {
            let receipt = await store.record([
                .ended(
                    CaptureToken(second),
                    .plain(started: second * 1_000_000).with(responseBody: big),
                    request: ByteBuffer(),
                    response: ByteBuffer(bytes: big)
                )
            ])
            #expect(!receipt.isRecorded && receipt.ids.isEmpty)
        }
        let open = try #require(try store.gaps().first)
        #expect(try store.gaps().count == 1)
        #expect(open.count == 4 && open.from == 1_000_000 && open.to == 4_001_234)
        #expect(open.cause.contains("full"))

        try store.limitPages(1_000_000)
        let receipt = await store.record([.plain()])
        #expect(receipt.isRecorded)
        #expect(receipt.ids == [ExchangeID(recorded + 1)])
        #expect(try store.gaps() == [open])
        let listing = try store.list(ListingQuery())
        #expect(listing.total == recorded + 1 && listing.isTruncated)
        try store.close()
        #expect(try home.open(.reading).gaps() == [open])
        #expect(try home.isIntact())
    }

    @Test("A gap without a later batch is written at close")
    func gapAtClose() async throws {
        let store = try home.open()
        try await fill(store)
        try store.limitPages(1_000_000)
        try store.close()
        #expect(try home.open(.reading).gaps().map(\.count) == [1])
    }

    @Test("A store that is closed while nothing can be written says that it could not be told of the gap")
    func closedWhileFull() async {
        await #expect(processExitsWith: .success) {
            let home = try TemporaryStore()
            let store = try home.open()
            await store.record([.plain()])
            FullDisk.fill()
            let receipt = await store.record([.plain(), .plain()])
            try #require(!receipt.isRecorded)
            let error = try #require(throws: StoreError.self) { try store.close() }
            try #require(error.description.hasSuffix("exchanges that passed and are not in it: 2"))
            FullDisk.makeRoom()
            // It is closed all the same: another may write it.
            let next = try home.open()
            try #require(await next.record([.plain()]).ids == [2])
            try next.close()
            try #require(try home.isIntact())
        }
    }

    @Test("An exchange that was open when writing failed keeps what it had, and says that bytes are missing")
    func openMeanwhile() async throws {
        let store = try home.open()
        await store.record([.opened(50, .plain(outcome: .pending)), .opened(51, .plain(outcome: .pending))])
        let bytes = pattern(400_000)
        await store.record([.body(50, .response, ByteBuffer(bytes: bytes[..<1000]))])
        try await fill(store)
        #expect(await !store.record([.body(50, .response, ByteBuffer(bytes: bytes[1000..<301_000]))]).isRecorded)
        let lost = pattern(300_000, seed: 5)
        let end = ExchangeEvent.ended(
            51,
            .plain().with(responseBody: lost),
            request: ByteBuffer(),
            response: ByteBuffer(bytes: lost)
        )
        #expect(await !store.record([end]).isRecorded)
        try store.limitPages(1_000_000)
        await store.record([.body(50, .response, ByteBuffer(bytes: bytes[301_000..<350_000]))])
        let receipt = await store.record([
            .ended(
                50,
                .plain().with(responseBody: bytes),
                request: ByteBuffer(),
                response: ByteBuffer(bytes: bytes[350_000...])
            )
        ])
        #expect(receipt.ids == [1])
        let first = try #require(try store.exchange(1))
        #expect(first.outcome == .completed && first.warnings.count == 1)
        #expect(first.response?.body.kept == 1000)
        #expect(try store.wholeBody(1, .response) == Array(bytes[..<1000]))
        let second = try #require(try store.exchange(2))
        #expect(second.outcome == .failed && second.failure?.cause == .unrecorded && second.failure?.phase == .record)
        try store.close()
        #expect(try home.count(.openExchange) == 0)
    }

    @Test(
        "What a lost piece of one side takes along is the rest of that side, not of the other",
        arguments: MessageSide.allCases
    )
    func oneSideBroken(side: MessageSide) async throws {
        let store = try home.open()
        let (lost, kept) = (pattern(300_000, seed: 3), pattern(5_000, seed: 4))
        let other: MessageSide = side == .request ? .response : .request
        await store.record([
            .opened(50, .plain(outcome: .pending)), .body(50, side, ByteBuffer(bytes: lost[..<1000])),
            .body(50, other, ByteBuffer(bytes: kept[..<1000])),
        ])
        try await fill(store)
        #expect(await !store.record([.body(50, side, ByteBuffer(bytes: lost[1000...]))]).isRecorded)
        try store.limitPages(1_000_000)
        await store.record([.body(50, other, ByteBuffer(bytes: kept[1000..<3000]))])
        var exchange = Exchange.plain()
        exchange.request.body = .measured(side == .request ? lost : kept)
        exchange.response?.body = .measured(side == .request ? kept : lost)
        let tails = (rest: ByteBuffer(bytes: kept[3000...]), lost: ByteBuffer(bytes: lost[299_000...]))
        await store.record([
            .ended(
                50,
                exchange,
                request: side == .request ? tails.lost : tails.rest,
                response: side == .request ? tails.rest : tails.lost
            )
        ])
        #expect(try store.wholeBody(1, other) == kept)
        #expect(try store.wholeBody(1, side) == Array(lost[..<1000]))
        let warnings = try #require(try store.exchange(1)?.warnings)
        #expect(
            warnings.count == 1 && warnings[0].contains("\(side.rawValue)") && !warnings[0].contains(other.rawValue)
        )
        #expect(try store.check().problems == [])
        try store.close()
    }

    @Test("What is closed as unrecorded is told to those who follow, and put into its blocks")
    func closedUnrecorded() async throws {
        let store = try home.open()
        await store.record([.opened(50, .plain(code: nil, outcome: .pending))])
        await store.record((0..<40).map { _ in .plain() })
        try store.index()
        #expect(try home.settledSearchBlocks() == 0)
        try await fill(store)
        let bytes = pattern(300_000)
        let end = ExchangeEvent.ended(
            50,
            .plain().with(responseBody: bytes),
            request: ByteBuffer(),
            response: ByteBuffer(bytes: bytes)
        )
        #expect(await !store.record([end]).isRecorded)
        try store.limitPages(1_000_000)
        var changes = store.changes().makeAsyncIterator()
        let last = await store.record([.plain()]).ids
        guard case .changed(let told) = await changes.next() else { return #expect(Bool(false), "no change came") }
        #expect(told.map(\.id) == [1] + last && told.first?.outcome == .failed)
        #expect(try told == store.summaries(of: [1] + last))
        try store.index()
        #expect(try home.settledSearchBlocks() == 1)
        #expect(try store.check().problems == [])
        try store.close()
    }
}
