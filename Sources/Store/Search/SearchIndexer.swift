import Dispatch
import GRDB
import Synchronization
import Traffic

/// Makes search blocks behind the capture path, some at a time, and a group's filters when its blocks are whole.
///
/// Rows are read on a reader's connection; only finished blocks go through the writer. The begun block and late blocks are made when nothing was
/// written for a while. Many late blocks are made a step at a time also while exchanges come in. Until then such exchanges are found in their rows,
/// so no answer waits for a block.
///
/// While exchanges come in, the indexer rests between steps, so that traffic has the processor. It rests no more when many exchanges wait. Where
/// the exchanges that are held fill up, those blocks are made at once that nothing has to be read for, also in a rest.
final class SearchIndexer: QuietIndexing {
    /// Bytes of text after which a step ends early.
    private static let stepBytes = 4 << 20
    /// How many times as long as a step the rest after it is, while exchanges come in.
    private static let restFactor = 100
    /// The longest rest.
    private static let restLimit = Duration.seconds(2)

    /// One step of work.
    enum Work: Sendable {
        case blocks([Int64])
        /// Blocks of which every exchange is held, while what is held fills up.
        case known([Int64])
        /// Blocks that are made again.
        case late([Int64])
        case group(Int64)

        /// The blocks that are made.
        var blocks: [Int64] {
            switch self {
            case .blocks(let blocks), .known(let blocks), .late(let blocks): blocks
            case .group: []
            }
        }
    }

    /// The result of a step, which waits to be written.
    private enum Made: Sendable {
        case blocks([FreshSearchBlock.Written])
        case group(FreshSearchGroup?)
    }

    private let pool: DatabasePool
    private let wal: WriteAheadLog
    let quiet: DispatchTimeInterval
    private let clock: TimeSource
    private let state: Mutex<State>
    /// What is being made in the background.
    private let running = DispatchGroup()

    /// Looks up which blocks there are.
    init(
        pool: DatabasePool,
        wal: WriteAheadLog,
        last: ExchangeID,
        quiet: DispatchTimeInterval,
        clock: TimeSource
    ) throws {
        self.pool = pool
        self.wal = wal
        self.quiet = quiet
        self.clock = clock
        let groups = try pool.read { try SearchGroup.all(in: $0) }
        let full = Set(groups.lazy.filter(\.isFull).map(\.index))
        let others = try pool.read { db in
            try ExistingBlocks(capacity: FacetBlock.capacity).all(in: 0..<Int64.max, without: full, in: db)
        }
        var next = full.max().map { ($0 + 1) * Int64(SearchBlock.groupCount) } ?? 0
        var missing: [Int64] = []
        for group in others {
            let blocks = try pool.read { try SearchIndexer.blocks(ofGroup: group, in: $0) }
            next = max(next, (blocks.whole.max() ?? -1) + 1)
            missing += blocks.missing
        }
        var state = State(IndexingState(capacity: SearchBlock.capacity, next: next, last: last, missing: missing))
        state.changed = Set(others).subtracting(groups.map(\.index))
        state.settleGroups()
        self.state = Mutex(state)
        if last > 0 { note([]) }
    }

    /// The blocks of a group that have settled all their exchanges, and the other blocks that it should have.
    private static func blocks(
        ofGroup group: Int64,
        in db: Database
    ) throws -> (whole: Set<Int64>, missing: [Int64]) {
        let range = group * Int64(SearchBlock.groupCount)..<(group + 1) * Int64(SearchBlock.groupCount)
        var row = try RawStatement(
            "SELECT id FROM search_block WHERE id >= ? AND id < ? AND layout = ? AND settled = ?",
            on: db
        )
        defer { row.reset() }
        row.bind(range.lowerBound)
        row.bind(range.upperBound)
        row.bind(SearchBlock.layout)
        row.bind(Int64(UInt32.max))
        var whole: Set<Int64> = []
        while try row.step() { whole.insert(row.integer() ?? 0) }
        return (whole, try ExistingBlocks(capacity: SearchBlock.capacity).all(in: range, without: whole, in: db))
    }

    /// Takes note of the exchanges that ended; called on the writer's queue after a commit.
    ///
    /// - Parameters:
    ///   - ids: the exchanges.
    ///   - rows: those of them that were written just now.
    func note(_ ids: [ExchangeID], _ rows: [SearchedRow] = []) {
        noteEnded(ids) { $0.keep(rows) }
    }

    func withState<Result>(_ body: (inout sending State) -> sending Result) -> sending Result { state.withLock(body) }

    /// Makes the blocks that are due, on the writer's connection, the begun block too; at most so many.
    func makeDue(atMost limit: Int, _ db: Database) throws {
        var left = limit
        while left > 0 {
            let work = state.withLock { state -> Work? in
                let wasRunning = state.blocks.isRunning
                state.blocks.isRunning = false
                defer { state.blocks.isRunning = wasRunning }
                return state.takesQuiet()
            }
            guard let work else { return }
            do {
                let made = try made(work, in: db)
                try db.inTransaction {
                    try SearchIndexer.write(made, in: db)
                    return .commit
                }
                left -= note(work, made)
                wal.checkpointIfLarge(db)
            } catch {
                state.withLock { $0.giveBack(work) }
                throw error
            }
        }
    }

    /// Exchanges that wait for their block; at least 1 while blocks are being made.
    var lag: Int64 { state.withLock { max($0.blocks.isRunning ? 1 : 0, $0.backlog) } }

    /// Waits until nothing is being made in the background; never called on the writer's queue, since the work waits for that.
    func waitUntilIdle() { running.wait() }

    /// Takes note that blocks were deleted with exchanges of theirs; called on the writer's queue after the commit.
    ///
    /// Blocks that are being made from the deleted rows must not be written.
    func removed(_ blocks: Set<Int64>) {
        state.withLock { $0.remove(blocks) }
        note([])
    }

    /// Makes nothing from now on.
    func close() {
        state.withLock { $0.blocks.isClosed = true }
    }

    // MARK: steps

    private func made(_ work: Work, in db: Database) throws -> Made {
        switch work {
        case .group(let index):
            let group = try FreshSearchGroup(index: index, in: db)
            return .group(group?.isWorthIt == true ? group : nil)
        case .blocks(let blocks), .known(let blocks), .late(let blocks):
            var made: [FreshSearchBlock.Written] = []
            var bytes = 0
            for index in blocks {
                // One by one: a block that is not made in this step keeps its own.
                let rows = state.withLock { $0.takeRows(index) }
                let block = try FreshSearchBlock(index: index, known: rows, in: db).written
                bytes += block.bytes
                made.append(block)
                if bytes > SearchIndexer.stepBytes { break }
            }
            return .blocks(made)
        }
    }

    private static func write(_ made: Made, in db: Database) throws {
        switch made {
        case .group(let group): try group?.write(in: db)
        case .blocks(let blocks): for block in blocks { try block.write(in: db) }
        }
    }

    /// Takes note of written blocks; returns how many there are.
    private func note(_ work: Work, _ made: Made) -> Int {
        guard case .blocks(let blocks) = made else { return 1 }
        state.withLock { $0.note(blocks.map(\.index), of: work) }
        return blocks.count
    }

    // MARK: in the background

    func make(_ work: Work) {
        let (started, writes) = (
            clock.uptime,
            state.withLock { state in
                state.blocks.start()
                return state.blocks.writes
            }
        )
        running.enter()
        pool.asyncRead { reading in
            let made = Result { try self.made(work, in: try reading.get()) }
            guard !self.state.withLock(\.blocks.isClosed) else { return self.running.leave() }
            self.pool.asyncWriteWithoutTransaction { db in
                defer { self.running.leave() }
                guard !self.state.withLock(\.blocks.isClosed) else { return }
                let written = Result {
                    let made = try made.get()
                    if self.isStale(work) { throw CancellationError() }
                    try db.inTransaction(.immediate) {
                        try SearchIndexer.write(made, in: db)
                        return .commit
                    }
                    return made
                }
                self.wal.checkpointIfLarge(db)
                self.finish(work, try? written.get(), since: started, writes)
            }
        }
    }

    /// Whether exchanges of the step were deleted while it was being made.
    private func isStale(_ work: Work) -> Bool {
        state.withLock { state in
            switch work {
            case .blocks(let blocks), .known(let blocks), .late(let blocks):
                !state.blocks.stale.isDisjoint(with: blocks)
            case .group(let group): state.blocks.stale.contains { SearchBlock.group(of: $0) == group }
            }
        }
    }

    private func finish(_ work: Work, _ made: Made?, since started: Duration, _ writes: Int) {
        if let made { _ = note(work, made) }
        let took = clock.uptime - started
        let (following, rests) = state.withLock { state -> (Work?, Bool) in
            state.blocks.isRunning = false
            guard made != nil else {
                // The exchanges are found in their rows; the step is tried again when it is quiet.
                state.giveBack(work)
                return (nil, false)
            }
            let rests = state.beginRest(after: work, since: writes)
            return (state.takesNext(), rests)
        }
        if let following { make(following) }
        if rests { endRest(after: min(SearchIndexer.restLimit, took * SearchIndexer.restFactor)) }
    }

    /// Ends a rest after a while, and goes on.
    private func endRest(after time: Duration) {
        DispatchQueue.global(qos: .utility).asyncAfter(deadline: .now() + time / .seconds(1)) { [weak self] in
            guard let self else { return }
            if let following = state.withLock({ $0.endRest() }) { make(following) }
        }
    }
}
