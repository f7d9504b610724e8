import Dispatch
import GRDB
import Synchronization
import Traffic

/// Makes search blocks behind the capture path, some at a time, and a group's filters when its blocks are whole.
///
/// Rows are read on a reader's connection, only what is finished goes through the writer. A begun block, and one in which an exchange ended
/// late, is made when nothing was written for a while; until then such exchanges are found in their rows, so no answer waits for a block.
///
/// While exchanges come in it rests between steps, so that traffic has the processor; the more of them wait the less is left to rest for.
final class SearchIndexer: QuietIndexing {
    /// Blocks made in one go: 512 exchanges.
    private static let stepBlocks = 16
    /// Bytes of text after which a step ends early.
    private static let stepBytes = 4 << 20
    /// How many times as long as a step took it rests after it, while exchanges come in.
    private static let restFactor: Int64 = 100
    /// The longest rest, in nanoseconds.
    private static let restLimit: Int64 = 2_000_000_000
    /// Exchanges without a block past which it rests no more: looking through so many rows is felt.
    private static let restlessLag: Int64 = 65_536

    /// What is to be made.
    enum Work: Sendable {
        case blocks([Int64])
        case group(Int64)
    }

    /// What was made and waits to be written.
    private enum Made: Sendable {
        case blocks([FreshSearchBlock.Written])
        case group(FreshSearchGroup?)
    }

    /// What was written, and what is to be made.
    struct State: QuietIndexingState {
        /// The first block that has not been made whole.
        var next: Int64
        /// The greatest id that was written.
        var last: ExchangeID
        /// The greatest id that had ended when the begun block was made.
        var partial: ExchangeID = 0
        /// Blocks to be made again.
        var late: Set<Int64> = []
        /// Blocks of which an exchange was deleted while some were being made from what was before.
        var stale: Set<Int64> = []
        /// Groups whose filters are to be made; all their blocks are below `next`.
        var groups: Set<Int64> = []
        var writes = 0
        var isRunning = false
        var isWatching = false
        var isClosed = false

        mutating func add(_ id: ExchangeID) {
            last = max(last, id)
            let index = SearchBlock.index(of: id)
            if index < next || id <= partial { late.insert(index) }
        }

        mutating func takesWhole() -> Work? { takes(isQuiet: false) }

        mutating func takesQuiet() -> Work? { takes(isQuiet: true) }

        /// Takes on what is whole: filters first, since they make the most of what there is.
        private mutating func takes(isQuiet: Bool) -> Work? {
            guard !isRunning, !isClosed else { return nil }
            let whole = last / SearchBlock.capacity
            if isQuiet, let first = late.min() {
                late.remove(first)
                isRunning = true
                return .blocks([first])
            }
            if let group = groups.min() {
                groups.remove(group)
                isRunning = true
                return .group(group)
            }
            if whole - next >= Int64(isQuiet ? 1 : SearchIndexer.stepBlocks) {
                let blocks = Array(next..<min(whole, next + Int64(SearchIndexer.stepBlocks)))
                isRunning = true
                // What ends in them from now on is late.
                next += Int64(blocks.count)
                late.subtract(blocks)
                return .blocks(blocks)
            }
            guard isQuiet, last > partial, last > next * SearchBlock.capacity else { return nil }
            isRunning = true
            partial = last
            return .blocks([next])
        }

        /// Takes note that what was taken on could not be made.
        mutating func giveBack(_ work: Work) {
            switch work {
            case .blocks(let blocks): note([], of: blocks)
            case .group(let group): groups.insert(group)
            }
        }

        /// Takes note of blocks that are in the store now, of those that were taken on.
        mutating func note(_ blocks: [Int64], of taken: [Int64]) {
            let missing = taken.dropFirst(blocks.count)
            if let first = missing.first, next == (taken.last ?? 0) + 1 {
                next = first
            } else {
                late.formUnion(missing)
            }
            for index in blocks {
                let group = SearchBlock.group(of: index)
                if (group + 1) * Int64(SearchBlock.groupCount) <= next { groups.insert(group) }
            }
        }
    }

    private let pool: DatabasePool
    let quiet: DispatchTimeInterval
    private let state: Mutex<State>
    /// What is being made in the background.
    private let running = DispatchGroup()

    /// Looks up which blocks there are.
    init(pool: DatabasePool, last: ExchangeID, quiet: DispatchTimeInterval = .seconds(1)) throws {
        self.pool = pool
        self.quiet = quiet
        var state = State(next: 0, last: last)
        let (groups, blocks) = try pool.read { db in
            let groups = try SearchGroup.all(in: db)
            let whole = Set(groups.map(\.index))
            let newest = SearchBlock.group(of: SearchBlock.index(of: max(1, last)))
            let missing = (0...newest).filter { !whole.contains($0) }
            return (groups, try missing.map { ($0, try SearchIndexer.blocks(ofGroup: $0, in: db)) })
        }
        let whole = Int64(last / SearchBlock.capacity)
        state.next = whole
        for (group, made) in blocks {
            let first = group * Int64(SearchBlock.groupCount)
            let end = min(whole, first + Int64(SearchBlock.groupCount))
            let missing = first < end ? (first..<end).filter { made[$0] != .max } : []
            state.late.formUnion(missing)
            if end == first + Int64(SearchBlock.groupCount) { state.groups.insert(group) }
        }
        for group in groups where !group.isFull {
            let open = try pool.read { db in
                try SearchIndexer.blocks(ofGroup: group.index, in: db).filter { $0.value != .max }.map(\.key)
            }
            state.late.formUnion(open)
        }
        // What follows on what there is is made in its order, and not as an afterthought.
        while state.late.remove(state.next - 1) != nil { state.next -= 1 }
        state.groups = state.groups.filter { ($0 + 1) * Int64(SearchBlock.groupCount) <= state.next }
        self.state = Mutex(state)
        if last > 0 { note([]) }
    }

    /// The blocks of a group that there are, each with what it has settled.
    private static func blocks(ofGroup group: Int64, in db: Database) throws -> [Int64: UInt32] {
        var row = try RawStatement(
            "SELECT id, settled FROM search_block WHERE id >= ? AND id < ? AND layout = ?",
            on: db
        )
        defer { row.reset() }
        row.bind(group * Int64(SearchBlock.groupCount))
        row.bind((group + 1) * Int64(SearchBlock.groupCount))
        row.bind(SearchBlock.layout)
        var blocks: [Int64: UInt32] = [:]
        while try row.step() { blocks[row.integer() ?? 0] = UInt32(truncatingIfNeeded: row.integer() ?? 0) }
        return blocks
    }

    /// Takes note of the exchanges that ended; called on the writer's queue after a commit.
    func note(_ ids: [ExchangeID]) { noteEnded(ids) }

    func withState<Result>(_ body: (inout sending State) -> sending Result) -> sending Result { state.withLock(body) }

    /// Makes what is due, on the writer's connection, the begun block too; at most so many blocks.
    func makeDue(atMost limit: Int, _ db: Database) throws {
        var left = limit
        while left > 0 {
            let work = state.withLock { state -> Work? in
                let wasRunning = state.isRunning
                state.isRunning = false
                defer { state.isRunning = wasRunning }
                return state.takesQuiet()
            }
            guard let work else { return }
            do {
                let made = try SearchIndexer.made(work, in: db)
                try db.inTransaction {
                    try SearchIndexer.write(made, in: db)
                    return .commit
                }
                left -= note(work, made)
            } catch {
                state.withLock { $0.giveBack(work) }
                throw error
            }
        }
    }

    /// Exchanges that have ended and wait for their block, a begun one and late ones aside.
    var lag: Int64 {
        state.withLock { state in
            state.isRunning
                ? max(1, state.last - state.next * SearchBlock.capacity)
                : (state.last / SearchBlock.capacity - state.next) * SearchBlock.capacity
        }
    }

    /// Waits until nothing is being made in the background; never called on the writer's queue, which that waits for.
    func waitUntilIdle() { running.wait() }

    /// Takes note that blocks were taken away, since exchanges of theirs were deleted; called on the writer's queue after the commit.
    ///
    /// What is being made of what was there before must not be written.
    func removed(_ blocks: Set<Int64>) {
        state.withLock { state in
            state.late.formUnion(blocks.filter { $0 < state.next || $0 * SearchBlock.capacity < state.partial })
            if state.isRunning { state.stale.formUnion(blocks) }
        }
        note([])
    }

    /// Makes nothing from now on.
    func close() {
        state.withLock { $0.isClosed = true }
    }

    // MARK: steps

    private static func made(_ work: Work, in db: Database) throws -> Made {
        switch work {
        case .group(let index): return .group(try FreshSearchGroup(index: index, in: db))
        case .blocks(let blocks):
            var made: [FreshSearchBlock.Written] = []
            var bytes = 0
            for index in blocks {
                let block = try FreshSearchBlock(index: index, in: db).written
                bytes += block.bytes
                made.append(block)
                if bytes > stepBytes { break }
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

    /// Takes note of what is written; how many blocks it was.
    private func note(_ work: Work, _ made: Made) -> Int {
        guard case .blocks(let blocks) = made, case .blocks(let taken) = work else { return 1 }
        state.withLock { $0.note(blocks.map(\.index), of: taken) }
        return blocks.count
    }

    // MARK: in the background

    func make(_ work: Work) {
        let (started, writes) = (
            DispatchTime.now(),
            state.withLock { state in
                state.stale = []
                return state.writes
            }
        )
        running.enter()
        pool.asyncRead { reading in
            let made = Result { try SearchIndexer.made(work, in: try reading.get()) }
            guard !self.state.withLock(\.isClosed) else { return self.running.leave() }
            self.pool.asyncWriteWithoutTransaction { db in
                defer { self.running.leave() }
                guard !self.state.withLock(\.isClosed) else { return }
                let written = Result {
                    let made = try made.get()
                    if self.isStale(work) { throw CancellationError() }
                    try db.inTransaction(.immediate) {
                        try SearchIndexer.write(made, in: db)
                        return .commit
                    }
                    return made
                }
                self.finish(work, try? written.get(), since: started, writes)
            }
        }
    }

    /// Whether something was deleted of what was being made.
    private func isStale(_ work: Work) -> Bool {
        state.withLock { state in
            switch work {
            case .blocks(let blocks): !state.stale.isDisjoint(with: blocks)
            case .group(let group): state.stale.contains { SearchBlock.group(of: $0) == group }
            }
        }
    }

    private func finish(_ work: Work, _ made: Made?, since started: DispatchTime, _ writes: Int) {
        if let made { _ = note(work, made) }
        let took = Int64(clamping: DispatchTime.now().uptimeNanoseconds &- started.uptimeNanoseconds)
        let (following, rests) = state.withLock { state -> (Work?, Bool) in
            let waiting = state.last - state.next * SearchBlock.capacity
            if made != nil, state.writes != writes, waiting < SearchIndexer.restlessLag { return (nil, true) }
            state.isRunning = false
            guard made != nil else {
                // Its exchanges are found in their rows; it is tried again when it is quiet.
                state.giveBack(work)
                return (nil, false)
            }
            return (state.takesWhole(), false)
        }
        if let following { make(following) }
        if rests { rest(min(SearchIndexer.restLimit, took * SearchIndexer.restFactor)) }
    }

    /// Does nothing for a while, and goes on.
    private func rest(_ nanoseconds: Int64) {
        let end = DispatchTime.now() + .nanoseconds(Int(nanoseconds))
        DispatchQueue.global(qos: .utility).asyncAfter(deadline: end) { [weak self] in
            guard let self else { return }
            let following = state.withLock { state -> Work? in
                state.isRunning = false
                return state.takesWhole()
            }
            if let following { make(following) }
        }
    }
}
