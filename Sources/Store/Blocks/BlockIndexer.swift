import Dispatch
import GRDB
import Synchronization
import Traffic

/// Makes blocks behind the capture path: facet blocks itself, search blocks by its `SearchIndexer`.
///
/// Rows are read on a reader's connection; only finished blocks go through the writer. A block is made when all its ids are given out. When nothing
/// was written for a while, the begun block is made too, and late blocks are made again; many late blocks also while exchanges come in. Until then
/// such exchanges are found in their rows, so no answer waits for a block.
final class BlockIndexer: QuietIndexing {
    /// The facet blocks that are to be made, one at a time.
    struct State: QuietIndexingState {
        /// How many late blocks are made again without waiting for a quiet time.
        private static let lateLimit = 16

        var blocks: IndexingState

        /// The blocks that could be made now: the late ones, then those that wait, each oldest first.
        var due: [Int64] {
            let isAny = blocks.last > blocks.partial
            return blocks.late.keys.sorted() + (isAny ? blocks.waiting.all.filter { blocks.late[$0] == nil } : [])
        }

        /// Exchanges that wait for their block; the begun block does not count.
        var lag: Int64 { Int64(blocks.wholeCount) * FacetBlock.capacity + blocks.late.values.reduce(0, +) }

        mutating func add(_ id: ExchangeID) { blocks.add(id) }

        mutating func takesQuiet() -> Int64? {
            guard let index = due.first else { return nil }
            blocks.take(index)
            return index
        }

        mutating func takesWhole() -> Int64? {
            guard blocks.isFree else { return nil }
            if let whole = blocks.takeWhole(atMost: 1).first { return whole }
            return blocks.late.count >= State.lateLimit ? blocks.takeLate(atMost: 1).first : nil
        }
    }

    private let pool: DatabasePool
    private let wal: WriteAheadLog
    let quiet: DispatchTimeInterval
    private let state: Mutex<State>
    /// What is being made in the background.
    private let running = DispatchGroup()
    /// Makes the search blocks.
    private let search: SearchIndexer

    /// Looks up which blocks there are.
    init(
        pool: DatabasePool,
        wal: WriteAheadLog,
        quiet: DispatchTimeInterval = .seconds(1),
        clock: TimeSource = TimeSource()
    ) throws {
        self.pool = pool
        self.wal = wal
        self.quiet = quiet
        let (rows, last, whole) = try pool.read { db in
            (try FacetBlockRow.readAll(in: db), try TrafficStore.lastID(in: db), try LineColumns.wholeBlocks(in: db))
        }
        let made = Set(rows.lazy.filter { $0.through == FacetBlock.lastID(of: $0.index) }.map(\.index))
        let next = (made.max() ?? -1) + 1
        let missing = try pool.read {
            try ExistingBlocks(capacity: FacetBlock.capacity).all(in: 0..<Int64.max, without: made, in: $0)
        }
        var blocks = IndexingState(
            capacity: FacetBlock.capacity,
            next: next,
            last: last,
            partial: rows.last?.through ?? 0,
            missing: missing
        )
        for row in rows where made.contains(row.index) && row.open > 0 { blocks.delay(row.index, of: Int64(row.open)) }
        // Earlier versions wrote a block and its columns one after the other, and may have been killed in between.
        for row in rows where !whole.contains(row.index) {
            blocks.delay(row.index, of: FacetBlock.capacity)
        }
        state = Mutex(State(blocks: blocks))
        search = try SearchIndexer(pool: pool, wal: wal, last: last, quiet: quiet, clock: clock)
        if last > 0 { note([]) }
    }

    /// Exchanges that wait for a block, the greater number of both kinds of blocks; begun blocks do not count.
    var lag: Int64 {
        let facets = state.withLock { max($0.blocks.isRunning ? 1 : 0, $0.lag) }
        return max(facets, search.lag)
    }

    /// Takes note of the exchanges that ended; called on the writer's queue after a commit.
    ///
    /// - Parameters:
    ///   - ids: the exchanges.
    ///   - rows: those of them that were written just now.
    func note(_ ids: [ExchangeID], _ rows: [SearchedRow] = []) {
        noteEnded(ids)
        search.note(ids, rows)
    }

    func withState<Result>(_ body: (inout sending State) -> sending Result) -> sending Result { state.withLock(body) }

    /// Makes the newest of the blocks that are due, on the writer's connection, the begun block too; 16 times as many search blocks.
    func makeDue(atMost limit: Int, _ db: Database) throws {
        try makeFacets(atMost: limit, db)
        try search.makeDue(atMost: limit.multipliedReportingOverflow(by: 16).overflow ? .max : limit * 16, db)
    }

    private func makeFacets(atMost limit: Int, _ db: Database) throws {
        let due = state.withLock { state in
            let due = state.due.suffix(limit)
            let wasRunning = state.blocks.isRunning
            for index in due { state.blocks.take(index) }
            state.blocks.isRunning = wasRunning
            return due
        }
        do {
            for index in due {
                try FreshFacetBlock(index: index, in: db).write(in: db)
                wal.checkpointIfLarge(db)
            }
        } catch {
            state.withLock { state in
                for index in due { state.blocks.delay(index, of: FacetBlock.capacity) }
            }
            throw error
        }
    }

    /// Takes note that an edit has written a block; called on the writer's queue after its commit.
    ///
    /// A block that is being made from the rows before the edit must not take its place.
    func edited(_ index: Int64) {
        state.withLock { $0.blocks.change(CollectionOfOne(index)) }
    }

    /// Takes note that a reader cannot read a block: it is late, and its exchanges are read from their rows until it is made again.
    func unreadable(_ index: Int64) {
        let isNew = state.withLock { state -> Bool in
            guard state.blocks.late[index] == nil else { return false }
            state.blocks.delay(index, of: FacetBlock.capacity)
            return true
        }
        // Looks for a quiet time, in which late blocks are made.
        if isNew { noteEnded([]) }
    }

    /// Waits until nothing is being made in the background; never called on the writer's queue, since the work waits for that.
    func waitUntilIdle() {
        running.wait()
        search.waitUntilIdle()
    }

    /// Takes note that exchanges were deleted, with the search blocks they were in; called on the writer's queue after the commit.
    func deleted(_ ids: some Sequence<ExchangeID>) { search.removed(Set(ids.map(SearchBlock.index))) }

    /// Makes nothing from now on.
    func close() {
        state.withLock { $0.blocks.isClosed = true }
        search.close()
    }

    // MARK: in the background

    /// Makes a block, then the next block that is due.
    func make(_ index: Int64) {
        state.withLock { $0.blocks.start() }
        running.enter()
        pool.asyncRead { reading in
            let block = Result { try FreshFacetBlock(index: index, in: try reading.get()) }
            guard !self.state.withLock(\.blocks.isClosed) else { return self.running.leave() }
            self.pool.asyncWriteWithoutTransaction { db in
                defer { self.running.leave() }
                guard !self.state.withLock(\.blocks.isClosed) else { return }
                let isStale = self.state.withLock { $0.blocks.stale.contains(index) }
                guard !isStale else { return self.finish(index, isWritten: false) }
                let written = Result { try block.get().write(in: db) }
                self.wal.checkpointIfLarge(db)
                self.finish(index, isWritten: (try? written.get()) != nil)
            }
        }
    }

    private func finish(_ index: Int64, isWritten: Bool) {
        let following = state.withLock { state -> Int64? in
            state.blocks.isRunning = false
            guard isWritten else {
                // The exchanges are found in their rows; the block is tried again when it is quiet.
                state.blocks.delay(index, of: FacetBlock.capacity)
                return nil
            }
            return state.takesNext()
        }
        if let following { make(following) }
    }
}
