import Traffic

/// The exchanges that a filter selects, each with the value that ranks it: gathered from blocks and rows, and sorted as far as a page needs.
///
/// From time to time the exchanges that the page cannot need are dropped, so that any number of them can be ranked.
struct RankTally {
    /// Exchanges that are held at once at most, 16 bytes each; a page within half as many ranks can be made from any number of exchanges.
    static let heldLimit = 4_000_000

    private struct Entry {
        /// Smaller comes first.
        var key: Int64
        var id: ExchangeID

        /// Equal keys: the newer first.
        static func < (left: Entry, right: Entry) -> Bool {
            left.key != right.key ? left.key < right.key : left.id > right.id
        }
    }

    private let order: ListingOrder
    /// Only exchanges older than this are ranked; `nil` ranks all.
    private let below: ExchangeID?
    /// Ranks that the page needs: one more than it shows, to know whether the listing goes on.
    private let needed: Int
    /// Entries past which those that the page does not need are dropped.
    private let room: Int
    /// Whether keys are inverted, so that the greatest comes first; a facet's values are numbered in the wanted order instead.
    private let turnsKeys: Bool
    private var entries: [Entry] = []
    /// The values of a facet that were seen, numbered as they came.
    private var codes: [String: Int64] = [:]

    /// - Parameters:
    ///   - order: what ranks.
    ///   - below: only exchanges older than this are ranked; `nil` ranks all.
    ///   - skip: how many stand before the page.
    ///   - limit: how many are wanted on it.
    ///   - heldLimit: entries that are held at most.
    init(_ order: ListingOrder, below: ExchangeID?, skip: Int, limit: Int, heldLimit: Int = RankTally.heldLimit) {
        (self.order, self.below) = (order, below)
        needed = min(skip, heldLimit) + min(limit, heldLimit) + 1
        room = needed > heldLimit / 2 ? heldLimit : max(2 * needed, heldLimit / 4)
        if case .facet = order.key { turnsKeys = false } else { turnsKeys = order.isFalling }
    }

    /// Takes one exchange.
    ///
    /// - Throws: `FilterError` past the limit.
    mutating func add(_ exchange: ExchangeSummary) throws {
        try makeRoom(for: 1)
        let key: Int64
        switch order.key {
        case .started: key = exchange.started
        case .duration: key = exchange.duration ?? -1
        case .size: key = exchange.responseBytes
        case .reqsize: key = exchange.requestBytes
        case .facet(let facet): key = code(of: facet.value(exchange))
        }
        append(key, exchange.id)
    }

    /// Takes the selected exchanges of a block.
    ///
    /// - Parameters:
    ///   - block: the block.
    ///   - selected: what the filter selects of it.
    ///   - numbers: reads its numbers; called only when a number ranks.
    /// - Throws: what `numbers` throws; `FilterError` past the limit.
    mutating func add(_ block: FacetBlock, _ selected: FacetTally.Selected, numbers: () throws -> NumberColumns) throws
    {
        let positions: [Int]
        switch selected {
        case .none: return
        case .all: positions = Array(block.offsets.indices)
        case .some(let some): positions = some
        }
        try makeRoom(for: positions.count)
        let column: [Int64]
        switch order.key {
        case .started: column = try numbers().started
        case .duration: column = try numbers().duration
        case .size: column = try numbers().responseBytes
        case .reqsize: column = try numbers().requestBytes
        case .facet(let facet):
            guard let place = Facet.all.firstIndex(of: facet) else { return }
            let known = block.columns[place].values.map { code(of: $0) }
            let read = block.columns[place].codes
            column = read.isEmpty ? Array(repeating: known.first ?? 0, count: block.count) : read.map { known[Int($0)] }
        }
        for position in positions {
            append(column[position], block.firstID + ExchangeID(block.offsets[position]))
        }
    }

    private mutating func append(_ key: Int64, _ id: ExchangeID) {
        if let below, id >= below { return }
        entries.append(Entry(key: turnsKeys ? ~key : key, id: id))
    }

    /// Drops the entries that the page does not need, where so many more have no room.
    private mutating func makeRoom(for count: Int) throws {
        guard entries.count + count > room, entries.count > needed else { return }
        guard needed <= room / 2 else {
            throw FilterError(
                "among more than \(room) exchanges only the first \(room / 2) ranks are known; narrow the filter"
            )
        }
        settleKeys()
        entries.withUnsafeMutableBufferPointer { RankTally.part($0, at: needed, from: 0) }
        entries.removeLast(entries.count - needed)
    }

    private mutating func code(of value: String) -> Int64 {
        if let known = codes[value] { return known }
        let code = Int64(codes.count)
        codes[value] = code
        return code
    }

    // MARK: the page

    /// The exchanges from a rank on.
    ///
    /// - Parameters:
    ///   - skip: how many stand before.
    ///   - limit: how many are wanted.
    /// - Returns: their ids in order, and whether more follow.
    mutating func page(skip: Int, limit: Int) -> (ids: [ExchangeID], goesOn: Bool) {
        guard skip < entries.count, limit > 0 else { return ([], skip < entries.count) }
        settleKeys()
        let end = min(entries.count, skip + limit)
        entries.withUnsafeMutableBufferPointer { entries in
            RankTally.part(entries, at: skip, from: 0)
            if end < entries.count { RankTally.part(entries, at: end, from: skip) }
        }
        return (entries[skip..<end].sorted(by: <).map(\.id), end < entries.count)
    }

    /// Numbers a facet's values in their order, as far as they were seen.
    private mutating func settleKeys() {
        guard case .facet = order.key else { return }
        let rising = codes.keys.sorted { (Int($0) ?? .max, $0) < (Int($1) ?? .max, $1) }
        var ranks = [Int64](repeating: 0, count: codes.count)
        for (rank, value) in (order.isFalling ? rising.reversed() : rising).enumerated() {
            if let code = codes.updateValue(Int64(rank), forKey: value) { ranks[Int(code)] = Int64(rank) }
        }
        for index in entries.indices { entries[index].key = ranks[Int(entries[index].key)] }
    }

    /// Moves entries until each before `place` belongs before each behind it (quickselect; no two entries are equal).
    private static func part(_ entries: UnsafeMutableBufferPointer<Entry>, at place: Int, from first: Int) {
        var (low, high) = (first, entries.count - 1)
        while low < high {
            let middle = low + (high - low) / 2
            if entries[middle] < entries[low] { entries.swapAt(middle, low) }
            if entries[high] < entries[low] { entries.swapAt(high, low) }
            if entries[high] < entries[middle] { entries.swapAt(high, middle) }
            let pivot = entries[middle]
            var (left, right) = (low, high)
            while left <= right {
                while entries[left] < pivot { left += 1 }
                while pivot < entries[right] { right -= 1 }
                guard left <= right else { break }
                entries.swapAt(left, right)
                left += 1
                right -= 1
            }
            if place <= right {
                high = right
            } else if place >= left {
                low = left
            } else {
                return
            }
        }
    }
}
