import Traffic

/// What an indexer knows of the exchanges that were written, and of the blocks that are to be made of them.
///
/// A block is whole when all its ids are given out, else it is the begun one. A block is late when one of its exchanges ended, or was deleted,
/// after the block was made, when the block cannot be read, and when it is missing although later ones are there. The blocks that are to be made
/// fill `waiting` in the order of their ids; the late blocks are beside that order.
struct IndexingState: Sendable {
    /// Ids that belong to one block.
    let capacity: Int64
    /// One past the last block that was taken on whole in its order.
    private(set) var next: Int64
    /// Blocks that were taken on last, or before others that wait before them.
    private(set) var ahead: Set<Int64> = []
    /// The other blocks from `next` on in which an exchange ended.
    private(set) var waiting = WaitingBlocks()
    /// The greatest id that was written.
    private(set) var last: ExchangeID
    /// The greatest id that was written when the begun block was made last; 0 or an earlier block's where it was not made.
    private(set) var partial: ExchangeID
    /// The late blocks, each with how many of its exchanges wait for it.
    private(set) var late: [Int64: Int64] = [:]
    /// Blocks that were changed while some were being made from what was before.
    private(set) var stale: Set<Int64> = []
    /// Counts the times that something was written.
    private(set) var writes = 0
    /// What `writes` was when it was quiet last.
    private var quietWrites: Int?
    /// Whether blocks are being made.
    var isRunning = false
    /// Whether somebody looks again after a while.
    var isWatching = false
    /// Whether nothing is to be made any more.
    var isClosed = false

    /// - Parameters:
    ///   - capacity: ids of a block.
    ///   - next: one past the last block that there is whole.
    ///   - last: the greatest id that was written.
    ///   - partial: the greatest id that a block tells of, whole or begun; at most `last`.
    ///   - missing: the blocks that have exchanges and are not there whole: those below `next` are late, the others wait.
    init(
        capacity: Int64,
        next: Int64 = 0,
        last: ExchangeID,
        partial: ExchangeID = 0,
        missing: some Sequence<Int64> = EmptyCollection()
    ) {
        (self.capacity, self.next, self.last, self.partial) = (capacity, next, last, partial)
        for index in missing {
            if index < next { delay(index, of: capacity) } else { waiting.insert(index) }
        }
    }

    /// How many whole blocks wait.
    var wholeCount: Int { waiting.count - (waiting.last.map { !isWhole($0) } == true ? 1 : 0) }

    /// The begun block, where something was written since it was made; `nil` too where a whole block waits before it.
    var begun: Int64? { last > partial ? waiting.first.flatMap { isWhole($0) ? nil : $0 } : nil }

    /// Whether nothing was written since it was quiet last.
    var isQuiet: Bool { quietWrites == writes }

    /// Whether blocks may be taken on.
    var isFree: Bool { !isRunning && !isClosed }

    private func isWhole(_ index: Int64) -> Bool { last / capacity > index }

    private func isTaken(_ index: Int64) -> Bool { index < next || ahead.contains(index) }

    // MARK: what happened

    /// Takes note that something was written.
    mutating func noteWrite() { writes += 1 }

    /// Takes note that nothing was written for a while.
    mutating func noteQuiet() { quietWrites = writes }

    /// Takes note of an exchange that ended.
    ///
    /// - Returns: its block where that is late now.
    @discardableResult
    mutating func add(_ id: ExchangeID) -> Int64? {
        last = max(last, id)
        let index = (id - 1) / capacity
        guard isTaken(index) || id <= partial else {
            waiting.insert(index)
            return nil
        }
        delay(index, of: 1)
        return index
    }

    /// Whether nothing of a block was made or is being made.
    func isUntouched(_ index: Int64) -> Bool { !isTaken(index) && index * capacity >= partial }

    /// Takes note that a block is to be made again, for so many of its exchanges.
    mutating func delay(_ index: Int64, of count: Int64) {
        late[index] = min((late[index] ?? 0) + count, capacity)
    }

    /// Takes note that exchanges of a block were deleted: it is late if it was made, or was being made.
    ///
    /// - Returns: whether it is late now.
    mutating func remove(_ index: Int64) -> Bool {
        guard !isUntouched(index) else { return false }
        delay(index, of: capacity)
        return true
    }

    /// Takes note that blocks were changed: what is being made of them must not be written.
    mutating func change(_ indexes: some Sequence<Int64>) {
        if isRunning { stale.formUnion(indexes) }
    }

    // MARK: what is made

    /// Takes a block on: what ends in it from now on is late.
    mutating func take(_ index: Int64) {
        isRunning = true
        late[index] = nil
        guard index >= next else { return }
        guard isWhole(index) else {
            // A block of numbers to come says nothing about the begun one.
            if index * capacity < last { partial = last }
            return
        }
        // Where others wait before it, `next` stays at them. If the block itself is waiting too, it is made once more in its turn.
        guard waiting.first.map({ $0 >= index }) ?? true else { return }
        next = index + 1
        ahead.insert(index)
        waiting.removeAll(below: next)
    }

    /// Takes on the whole blocks that wait longest, at most so many.
    mutating func takeWhole(atMost limit: Int) -> [Int64] {
        settle()
        let blocks = waiting.take(min(wholeCount, limit))
        if let end = blocks.last { next = end + 1 }
        takeOn(blocks)
        return blocks
    }

    /// Takes on those of some blocks that wait and are whole; others that wait before them go on waiting.
    mutating func takeWhole(among indexes: some Sequence<Int64>) -> [Int64] {
        settle()
        let blocks = indexes.filter { isWhole($0) && waiting.remove($0) }
        takeOn(blocks)
        return blocks
    }

    private mutating func takeOn(_ blocks: [Int64]) {
        guard !blocks.isEmpty else { return }
        isRunning = true
        ahead.formUnion(blocks)
        for index in blocks { late[index] = nil }
    }

    /// Moves `next` past the blocks that were taken on before others, as far as none waits before them.
    private mutating func settle() {
        guard !ahead.isEmpty else { return }
        let end = waiting.first ?? .max
        for index in ahead where index < end { next = max(next, index + 1) }
        ahead = ahead.filter { $0 >= next }
    }

    /// Takes on the late blocks of the lowest ids, at most so many.
    mutating func takeLate(atMost limit: Int) -> [Int64] {
        let blocks = Array(late.keys.sorted().prefix(limit))
        for index in blocks { take(index) }
        return blocks
    }

    /// Takes note that what was changed before now is in what is made from now on.
    mutating func start() { stale = [] }

    /// Takes note that what was taken on last was made, but for some blocks: those wait again in their order, or are late where that has moved on.
    mutating func putBack(_ missing: some Sequence<Int64>) {
        for index in missing {
            if ahead.remove(index) != nil {
                next = min(next, index)
                waiting.insert(index)
            } else {
                delay(index, of: capacity)
            }
        }
        settle()
    }
}
