import Foundation
import Support
import Testing
import Traffic

@testable import Store

@Suite("What a search indexer takes on", .timeLimit(.minutes(15)))
struct SearchIndexerTests {
    /// The blocks that work is for; `nil` where there is none, or it is for a group.
    private func blocks(_ work: SearchIndexer.Work?) -> [Int64]? { work.map(\.blocks) }

    @Test("In a quiet time what is late is made a step at a time, one step after the other, until something is written")
    func late() {
        var state = SearchIndexer.State(IndexingState(capacity: SearchBlock.capacity, last: 0))
        for id in 1...3_200 as ClosedRange<ExchangeID> { state.add(id) }
        while let work = state.takesWhole() {
            state.note(work.blocks, of: work)
            state.blocks.isRunning = false
        }
        #expect(state.blocks.waiting.count == 4 && state.blocks.next == 96)
        for index in 0..<40 as Range<ExchangeID> { state.add(index * 32 + 1) }
        state.blocks.noteQuiet()
        var work = state.takesNext()
        #expect(blocks(work) == Array(0..<16))
        state.blocks.isRunning = false
        // One was written too little: it is late again.
        state.note(Array(0..<15), of: .late(Array(0..<16)))
        #expect(state.blocks.next == 96 && state.blocks.late[15] != nil)
        work = state.takesNext()
        #expect(blocks(work) == Array(15..<31))
        state.blocks.isRunning = false
        // Something is written: few that are late wait for the next quiet time.
        state.blocks.noteWrite()
        work = state.takesNext()
        #expect(blocks(work) == nil && state.blocks.late.count == 9)
        state.blocks.noteQuiet()
        work = state.takesNext()
        #expect(blocks(work) == Array(31..<40))
        state.blocks.isRunning = false
        work = state.takesNext()
        #expect(blocks(work) == Array(96..<100))
    }

    @Test("While exchanges come in, many that are late are made too")
    func lateUnderLoad() {
        var state = SearchIndexer.State(IndexingState(capacity: SearchBlock.capacity, last: 0))
        for id in 1...3_200 as ClosedRange<ExchangeID> { state.add(id) }
        while let work = state.takesWhole() {
            state.note(work.blocks, of: work)
            state.blocks.isRunning = false
        }
        for index in 0..<20 as Range<ExchangeID> { state.add(index * 32 + 1) }
        let work = state.takesWhole()
        #expect(blocks(work) == Array(0..<16))
    }

    @Test("While exchanges come in faster than blocks are made, what is late is made in turn with what is new")
    func lateInTurn() {
        var state = SearchIndexer.State(IndexingState(capacity: SearchBlock.capacity, last: 0))
        for id in 1...64_000 as ClosedRange<ExchangeID> { state.add(id) }
        var made: [[Int64]] = []
        for round in 0..<6 {
            guard let work = state.takesWhole() else { break }
            made.append(work.blocks)
            state.note(work.blocks, of: work)
            state.blocks.isRunning = false
            // One ends late in each of the blocks that were made, and once more while they are made again.
            guard round < 2 else { continue }
            for index in work.blocks { state.add(index * SearchBlock.capacity + 1) }
        }
        #expect(made.map(\.first) == [0, 0, 16, 0, 32, 48])
        #expect(state.blocks.late.isEmpty)
    }

    @Test("It rests after a step only while few wait, those that are late among them")
    func rest() {
        var state = SearchIndexer.State(IndexingState(capacity: SearchBlock.capacity, last: 0))
        for id in 1...96_000 as ClosedRange<ExchangeID> { state.add(id) }
        state.blocks.noteWrite()
        #expect(state.backlog == 96_000 && !state.mayRest(since: 0))
        while let work = state.takesWhole() {
            state.note(work.blocks, of: work)
            state.blocks.isRunning = false
        }
        #expect(state.backlog == 8 * SearchBlock.capacity && state.mayRest(since: 0))
        #expect(!state.mayRest(since: state.blocks.writes))
        for index in 0..<2_100 as Range<ExchangeID> { state.add(index * SearchBlock.capacity + 1) }
        #expect(state.backlog == 2_108 * SearchBlock.capacity && !state.mayRest(since: 0))
    }

    /// Waits until nothing waits for a block, without asking for any; false where something still does after a while.
    private func settles(_ indexer: BlockIndexer) -> Bool {
        let end = ContinuousClock.now + Patience.stretched(.seconds(60))
        while indexer.lag > 0, ContinuousClock.now < end {
            _ = DispatchSemaphore(value: 0).wait(timeout: .now() + .milliseconds(5))
        }
        return indexer.lag == 0
    }

    @Test("Where exchanges were deleted here and there, their blocks are made again by and by, until none waits")
    func scattered() async throws {
        let home = try TemporaryStore()
        let store = try home.open(makesBlocks: false)
        for _ in 0..<4 { await store.record((0..<1_000).map { _ in .plain() }) }
        let indexer = try BlockIndexer(pool: store.pool, wal: store.wal, quiet: .milliseconds(10))
        #expect(settles(indexer))
        let before = try home.settledSearchBlocks()
        // One of each block, so that many steps follow on each other.
        let ids = stride(from: 1, to: 3_900, by: Int(SearchBlock.capacity) + 1).map { ExchangeID($0) }
        #expect(try store.delete(ids).deleted == ids.count)
        #expect(try before - home.settledSearchBlocks() > 100)
        indexer.deleted(ids)
        #expect(indexer.lag > 0 && settles(indexer))
        #expect(try home.settledSearchBlocks() == before)
        indexer.close()
        indexer.waitUntilIdle()
        #expect(try store.check().problems == [])
        try store.close()
        withExtendedLifetime(home) {}
    }

    /// Facet blocks that are all made.
    private static func facets(next: Int64) -> BlockIndexer.State {
        let last = next * FacetBlock.capacity
        return BlockIndexer.State(blocks: IndexingState(capacity: FacetBlock.capacity, next: next, last: last))
    }

    @Test("While exchanges come in, many facet blocks in which one ended late are made again too")
    func lateFacets() {
        var state = Self.facets(next: 40)
        for index in 0..<15 as Range<ExchangeID> { state.add(index * FacetBlock.capacity + 1) }
        let few = state.takesWhole()
        #expect(few == nil && state.lag == 15)
        state.add(20 * FacetBlock.capacity + 1)
        let first = state.takesWhole()
        #expect(first == 0)
        state.blocks.isRunning = false
        // What is new goes first.
        for id in state.blocks.last + 1...state.blocks.last + FacetBlock.capacity { state.add(id) }
        state.add(1)
        let next = state.takesWhole()
        #expect(next == 40)
    }

    @Test("An exchange that ended late counts as one that waits, and a block that is missing as all of its own")
    func lag() {
        var state = Self.facets(next: 4)
        state.add(1)
        state.add(2)
        state.add(FacetBlock.capacity + 1)
        #expect(state.lag == 3)
        state.blocks.delay(3, of: FacetBlock.capacity)
        state.add(3 * FacetBlock.capacity + 1)
        #expect(state.lag == 3 + FacetBlock.capacity)
        // A begun block counts when its numbers are given out.
        for id in state.blocks.last + 1..<state.blocks.last + FacetBlock.capacity { state.add(id) }
        #expect(state.lag == 3 + FacetBlock.capacity)
        state.add(state.blocks.last + 1)
        #expect(state.lag == 3 + 2 * FacetBlock.capacity)
        let made = state.takesWhole()
        #expect(made == 4 && state.lag == 3 + FacetBlock.capacity)
        state.blocks.isRunning = false
        for left in [1 + FacetBlock.capacity, FacetBlock.capacity, 0] {
            _ = state.takesQuiet()
            #expect(state.lag == left)
        }
    }
}
