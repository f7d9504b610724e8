import Traffic

extension SearchIndexer {
    /// The search blocks that are to be made, a step at a time, and the groups.
    struct State: QuietIndexingState {
        /// Blocks made in one go: 512 exchanges.
        private static let stepBlocks = 16
        /// Exchanges without a block past which there is no rest: a search through so many rows is slow.
        private static let restlessLag: Int64 = 65_536

        var blocks: IndexingState
        /// Exchanges of blocks that are to be made.
        private(set) var recent = RecentRows()
        /// Groups with a block that is newer than their filters, or that have no filters.
        var changed: Set<Int64> = []
        /// Groups whose filters are to be made: no block of theirs is late, and none lies beyond `blocks.next`.
        private(set) var groups: Set<Int64> = []
        /// Whether the blocks that were taken on last were late; known blocks do not count.
        private var wasLate = false
        /// Whether known blocks had the last turn.
        private var wasKnown = false
        /// Whether the indexer rests: it makes known blocks alone.
        private(set) var isResting = false

        init(_ blocks: IndexingState) { self.blocks = blocks }

        mutating func add(_ id: ExchangeID) {
            if let late = blocks.add(id) { groups.remove(SearchBlock.group(of: late)) }
        }

        /// Takes note that exchanges of some blocks were deleted, and the blocks with them.
        mutating func remove(_ indexes: Set<Int64>) {
            for index in indexes { _ = recent.take(index) }
            for index in indexes where blocks.remove(index) { groups.remove(SearchBlock.group(of: index)) }
            blocks.change(indexes)
        }

        /// Exchanges that ended and wait for their block: a late block counts with all its exchanges, the begun block does not count.
        var backlog: Int64 { Int64(blocks.wholeCount + blocks.late.count) * SearchBlock.capacity }

        /// Keeps exchanges that end now until their blocks are made, where there is room.
        mutating func keep(_ rows: [SearchedRow]) {
            for row in rows where blocks.isUntouched(SearchBlock.index(of: row.line.id)) { recent.add(row) }
            recent.dropHoles()
        }

        /// The exchanges of a block that need not be read.
        mutating func takeRows(_ index: Int64) -> [SearchedRow] { recent.take(index) }

        /// Begins a rest after a step, where one is due; a step of known blocks needs none, since nothing was read for it.
        ///
        /// - Parameters:
        ///   - work: the step.
        ///   - writes: what `blocks.writes` was when the step began.
        /// - Returns: whether a rest has begun, which somebody has to end.
        mutating func beginRest(after work: Work, since writes: Int) -> Bool {
            if case .known = work { return false }
            guard !isResting, mayRest(since: writes) else { return false }
            isResting = true
            return true
        }

        /// Ends a rest, and takes on the next step.
        mutating func endRest() -> Work? {
            isResting = false
            return takesWhole()
        }

        /// Whether to rest after a step: exchanges have come in since it began, and not too many wait.
        func mayRest(since writes: Int) -> Bool { blocks.writes != writes && backlog < State.restlessLag }

        /// Takes on a step where one is due: known blocks first, which are all that is made in a rest.
        ///
        /// Without a rest they take turns with all other work, which would never be done where exchanges come in faster than blocks are made.
        mutating func takesWhole() -> Work? {
            guard blocks.isFree else { return nil }
            if isResting { return takesKnown() }
            if !wasKnown, let known = takesKnown() { return known }
            return takes(isQuiet: false) ?? takesKnown()
        }

        /// Takes on a step in a quiet time; no rest puts that off, since there is no traffic to leave the processor to.
        mutating func takesQuiet() -> Work? { blocks.isFree ? takes(isQuiet: true) : nil }

        /// Takes on a step of blocks that are made of what is held, where that fills up.
        private mutating func takesKnown() -> Work? {
            guard recent.isFilling else { return nil }
            let known = blocks.takeWhole(among: recent.whole.sorted().prefix(State.stepBlocks))
            guard !known.isEmpty else { return nil }
            wasKnown = true
            return .known(known)
        }

        /// Takes on a step of any other work: filters first, since they make many blocks faster to search.
        ///
        /// Many late blocks take turns with new blocks, of which a step always waits where exchanges come in as fast as blocks are made.
        private mutating func takes(isQuiet: Bool) -> Work? {
            wasKnown = false
            if isQuiet || !wasLate, let late = takesLate(atLeast: isQuiet ? 1 : State.stepBlocks) { return late }
            if let group = groups.min() {
                groups.remove(group)
                blocks.isRunning = true
                return .group(group)
            }
            if blocks.wholeCount >= (isQuiet || isHeldUp ? 1 : State.stepBlocks) {
                wasLate = false
                return .blocks(blocks.takeWhole(atMost: State.stepBlocks))
            }
            guard isQuiet else { return takesLate(atLeast: State.stepBlocks) }
            guard let begun = blocks.begun else { return nil }
            blocks.take(begun)
            return .blocks([begun])
        }

        /// Whether so many blocks were made before one that waits that it waits no longer: until it is made, no filters of theirs are.
        private var isHeldUp: Bool { Int64(blocks.ahead.count) * SearchBlock.capacity >= State.restlessLag }

        /// Takes on a step of late blocks, the oldest first.
        private mutating func takesLate(atLeast least: Int) -> Work? {
            guard blocks.late.count >= least else { return nil }
            wasLate = true
            return .late(blocks.takeLate(atMost: State.stepBlocks))
        }

        /// Takes note that a step failed.
        mutating func giveBack(_ work: Work) {
            if case .group(let group) = work {
                changed.insert(group)
                settleGroups()
            } else {
                note([], of: work)
            }
        }

        /// Takes note of the blocks of a step that are in the store now.
        mutating func note(_ made: [Int64], of work: Work) {
            let missing = work.blocks.dropFirst(made.count)
            switch work {
            case .blocks, .known: blocks.putBack(missing)
            case .late, .group: for index in missing { blocks.delay(index, of: SearchBlock.capacity) }
            }
            // A late block is read.
            for index in missing where !blocks.isUntouched(index) { _ = recent.take(index) }
            groups.subtract(missing.map(SearchBlock.group))
            changed.formUnion(made.map(SearchBlock.group))
            settleGroups()
        }

        /// Moves the groups whose filters can be made from `changed` to `groups`.
        mutating func settleGroups() {
            let whole = changed.filter { ($0 + 1) * Int64(SearchBlock.groupCount) <= blocks.next }
            guard !whole.isEmpty else { return }
            let ready = whole.subtracting(blocks.late.keys.map(SearchBlock.group))
            changed.subtract(ready)
            groups.formUnion(ready)
        }
    }
}
