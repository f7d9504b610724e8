import GRDB
import NIOCore
import Testing
import Traffic

@testable import Store

@Suite("Exchanges that were recorded after their clients had the end", .timeLimit(.minutes(15)))
struct LateTests {
    private static func late(_ moments: ClosedRange<Int64>, count: Int = 1) -> LateSpell {
        LateSpell(count: count, from: moments.lowerBound, to: moments.upperBound)
    }

    private static func gap(_ moments: ClosedRange<Int64>, count: Int) -> CaptureGap {
        CaptureGap(count: count, from: moments.lowerBound, to: moments.upperBound, cause: CaptureGap.lateCause)
    }

    private static func ended(_ token: CaptureToken, _ target: String = "/") -> ExchangeEvent {
        .ended(token, .plain(target: target), request: ByteBuffer(), response: ByteBuffer())
    }

    /// Hands over one batch for each, which wait for the writer together.
    private func handOver(_ spells: [LateSpell], to store: TrafficStore) {
        store.pool.writeWithoutTransaction { _ in
            for late in spells { store.submit(CaptureBatch(events: [], late: late) { _ in }) }
        }
    }

    @Test(
        "Spells that follow on each other within ten minutes have one row, in the next run too, and nothing is missing"
    )
    func spells() async throws {
        let home = try TemporaryStore()
        let store = try home.open()
        await store.record([.plain()])
        let first = await store.record([], late: Self.late(5_000_000...5_000_000))
        #expect(first.isRecorded && first.ids.isEmpty)
        #expect(try store.gaps() == [Self.gap(5_000_000...5_000_000, count: 1)])
        let second = await store.record([Self.ended(1)], late: Self.late(6_000_000...7_000_000, count: 2))
        #expect(second.ids == [2])
        #expect(try store.gaps() == [Self.gap(5_000_000...7_000_000, count: 3)])
        await store.record([], late: Self.late(607_000_000...608_000_000, count: 4))
        #expect(try store.gaps() == [Self.gap(5_000_000...608_000_000, count: 7)])
        await store.record([], late: Self.late(1_208_000_001...1_300_000_000))
        let gaps = [Self.gap(5_000_000...608_000_000, count: 7), Self.gap(1_208_000_001...1_300_000_000, count: 1)]
        #expect(try store.gaps() == gaps && gaps.allSatisfy { $0.kind == .late && $0.missingCount == 0 })
        let report = try store.report(isChecked: false)
        #expect(report.missing == 0 && report.late == 8)
        #expect(try !store.list(ListingQuery()).isTruncated && store.check().problems == [])
        try store.close()
        let next = try home.open()
        await next.record([], late: Self.late(1_400_000_000...1_400_000_000))
        #expect(try next.gaps() == [gaps[0], Self.gap(1_208_000_001...1_400_000_000, count: 2)])
        await next.record([], late: Self.late(2_000_000_001...2_000_000_001))
        #expect(try next.gaps().map(\.count) == [7, 2, 1])
        try next.close()
    }

    @Test("A disk that is behind again and again, for hours, has one row")
    func flapping() async throws {
        let home = try TemporaryStore()
        let store = try home.open()
        let moments = (1...10_000).map { Int64($0) * 1_500_000 }
        handOver(moments.map { Self.late($0...$0) }, to: store)
        await store.record([.plain()])
        #expect(try store.gaps() == [Self.gap(1_500_000...15_000_000_000, count: 10_000)])
        try store.close()
    }

    @Test("Two spells with a pause between them have one row")
    func between() async throws {
        let home = try TemporaryStore()
        let store = try home.open()
        await store.record([], late: Self.late(1...2))
        try store.setPaused(true, now: 3)
        try store.setPaused(false, now: 4)
        await store.record([], late: Self.late(5...6))
        let pause = CaptureGap(count: 0, from: 3, to: 4, cause: CaptureGap.pauseCause)
        #expect(try store.gaps() == [Self.gap(1...6, count: 2), pause])
        try store.close()
    }

    @Test("What is told of an earlier spell counts in the last row, which begins earlier only where that is near")
    func earlier() async throws {
        let home = try TemporaryStore()
        let store = try home.open()
        await store.record([], late: Self.late(9_000_000_000...9_001_000_000, count: 4))
        // Another loop tells of it later than of the next.
        await store.record([], late: Self.late(8_999_000_000...8_999_000_000))
        #expect(try store.gaps() == [Self.gap(8_999_000_000...9_001_000_000, count: 5)])
        // An early answer, whose upload took hours.
        await store.record([], late: Self.late(5_000_000...5_000_000))
        #expect(try store.gaps() == [Self.gap(8_999_000_000...9_001_000_000, count: 6)])
        try store.close()
    }

    @Test("Two spells that are told of in one transaction have two rows where they are far apart")
    func together() async throws {
        let home = try TemporaryStore()
        let store = try home.open()
        handOver([Self.late(1...2), Self.late(700_000_000...700_000_001)], to: store)
        await store.record([.plain()])
        #expect(try store.gaps() == [Self.gap(1...2, count: 1), Self.gap(700_000_000...700_000_001, count: 1)])
        try store.close()
    }

    @Test(
        "Late exchanges are nowhere missing, others only in the window in which they passed",
        arguments: [
            (nil, nil, true), (2_000_000, nil, true), (2_000_001, nil, false), (nil, 1_000_001, true),
            (nil, 1_000_000, false), (1_500_000, 1_600_000, true),
        ] as [(Int64?, Int64?, Bool)]
    )
    func window(since: Int64?, before: Int64?, isTruncated: Bool) async throws {
        let home = try TemporaryStore()
        let store = try home.open()
        await store.record([], late: Self.late(0...9_000_000))
        var query = ListingQuery()
        (query.filter.since, query.filter.before) = (since, before)
        #expect(try !store.list(query).isTruncated)
        // A pause in which nothing passed.
        try store.setPaused(true, now: 1_000_000)
        #expect(try !store.list(query).isTruncated)
        await store.record([.plain(started: 1_500_000)])
        try store.setPaused(false, now: 2_000_000)
        #expect(try store.list(query).isTruncated == isTruncated)
        try store.close()
    }

    @Test("A row that cannot be written costs no exchange, and ends no run with an error")
    func refused() async throws {
        let home = try TemporaryStore()
        let store = try home.open()
        try StoreDamage.gapsRefused.happen(to: home)
        let first = await store.record([Self.ended(1), Self.ended(2)], late: Self.late(1_000_000...1_000_000))
        #expect(first.isRecorded && first.ids == [1, 2])
        let second = await store.record([Self.ended(3)], late: Self.late(2_000_000...2_000_000))
        #expect(second.ids == [3])
        #expect(try store.gaps() == [])
        try StoreDamage.gapsTaken.happen(to: home)
        #expect(await store.record([Self.ended(4)]).ids == [4])
        #expect(try store.gaps() == [Self.gap(1_000_000...2_000_000, count: 2)])
        try StoreDamage.gapsRefused.happen(to: home)
        await store.record([], late: Self.late(900_000_000...900_000_000))
        try store.close()
    }

    @Test("A store that is closed while the disk is full lacks none of the late exchanges, and says nothing of them")
    func closedWhileFull() async {
        await #expect(processExitsWith: .success) {
            let home = try TemporaryStore()
            let store = try home.open()
            await store.record([.plain()])
            FullDisk.fill()
            let receipt = await store.record([], late: LateTests.late(1_000_000...1_000_000))
            try #require(!receipt.isRecorded)
            try store.close()
            FullDisk.makeRoom()
            try #require(try home.open(.reading).gaps() == [])
            try #require(try home.isIntact())
        }
    }

    @Test("In a pause it is told too, of what began before")
    func paused() async throws {
        let home = try TemporaryStore()
        let store = try home.open()
        await store.record([.opened(1, .plain(code: nil, outcome: .pending))])
        try store.setPaused(true, now: 5_000_000)
        let receipt = await store.record([Self.ended(2), Self.ended(1)], late: Self.late(6_000_000...6_000_000))
        #expect(receipt.ids == [0, 1])
        let receipts = await store.record([Self.ended(3)], late: Self.late(7_000_000...7_000_000))
        #expect(receipts.ids == [0])
        #expect(try store.gaps().map(\.kind) == [.pause, .late] && store.gaps().map(\.count) == [2, 2])
        #expect(try store.report(isChecked: false).missing == 2)
        try store.close()
    }

    @Test("What cannot be written is told with the next batch, or at the end")
    func takenBack() async {
        await #expect(processExitsWith: .success) {
            let home = try TemporaryStore()
            let store = try home.open()
            await store.record([LateTests.ended(3)], late: LateTests.late(1_000_000...1_000_000))
            FullDisk.fill()
            let lost = await store.record([LateTests.ended(1)], late: LateTests.late(2_000_000...2_000_000))
            try #require(!lost.isRecorded)
            let more = await store.record([], late: LateTests.late(3_000_000...3_000_000))
            try #require(!more.isRecorded)
            try #require(try store.gaps().map(\.kind) == [.late, .failure])
            FullDisk.makeRoom()
            await store.record([.plain()])
            let gaps = try store.gaps()
            try #require(gaps.first == LateTests.gap(1_000_000...3_000_000, count: 3))
            try #require(gaps.map(\.kind) == [.late, .failure] && gaps.map(\.missingCount) == [0, 1])
            FullDisk.fill()
            await store.record([], late: LateTests.late(900_000_000...900_000_000))
            FullDisk.makeRoom()
            try store.close()
            try #require(
                try home.open(.reading).gaps() == gaps + [LateTests.gap(900_000_000...900_000_000, count: 1)]
            )
            try #require(try home.isIntact())
        }
    }

    @Test("A batch of which one exchange cannot be written tells of it once", arguments: [[0], [1], [0, 1]])
    func ofOne(refused: [Int]) async throws {
        let home = try TemporaryStore()
        let store = try home.open()
        try StoreDamage.refusedTarget.happen(to: home)
        let events = (0...1).map { Self.ended(CaptureToken($0 + 1), refused.contains($0) ? "/refused" : "/") }
        let receipt = await store.record(events, late: Self.late(1_000_000...2_000_000, count: 5))
        #expect(receipt.isRecorded == (refused.count == 1))
        await store.record([.plain()])
        let late = try store.gaps().filter { $0.kind == .late }
        #expect(late == [Self.gap(1_000_000...2_000_000, count: 5)])
        try store.close()
    }
}
