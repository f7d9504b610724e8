import Traffic

/// The exchanges that ended last, as search blocks read them, so that a block of them is made without reading their rows again.
///
/// It is bounded: where there is no room for an exchange, its whole block is read from its rows when it is made.
struct RecentRows: Sendable {
    /// Bytes that are held at most: some 5,000 exchanges of 1 KB.
    static let limitBytes = 16 << 20

    /// By the index of their block.
    private var rows: [Int64: [SearchedRow]] = [:]
    /// Bytes that they take.
    private(set) var bytes = 0
    /// The blocks of which every exchange is held.
    private(set) var whole: Set<Int64> = []
    /// The greatest block of which an exchange was given up for want of room.
    private var lacking: Int64 = -1

    private var isHalfFull: Bool { bytes > RecentRows.limitBytes / 2 }

    /// Whether it is so full that the blocks in `whole` are better made at once.
    var isFilling: Bool { isHalfFull && !whole.isEmpty }

    /// Keeps an exchange where there is room.
    mutating func add(_ row: SearchedRow) {
        let index = SearchBlock.index(of: row.line.id)
        // A block that lacks one is of no use.
        guard index > lacking || rows[index] != nil else { return }
        let count = row.heldBytes
        guard bytes + count <= RecentRows.limitBytes else {
            return drop(index)
        }
        bytes += count
        rows[index, default: []].append(row)
        if rows[index]?.count == Int(SearchBlock.capacity) { whole.insert(index) }
    }

    /// Makes room where half is filled: gives up the blocks that lack an exchange although a later one has begun, since that may be open for long.
    mutating func dropHoles() {
        guard isHalfFull, let newest = rows.keys.max() else { return }
        for index in rows.keys.filter({ $0 < newest && !whole.contains($0) }) { drop(index) }
    }

    private mutating func drop(_ index: Int64) {
        lacking = max(lacking, index)
        _ = take(index)
    }

    /// Gives the exchanges of a block away, ascending; all others of the block have to be read.
    mutating func take(_ index: Int64) -> [SearchedRow] {
        guard let taken = rows.removeValue(forKey: index) else { return [] }
        whole.remove(index)
        bytes -= taken.reduce(0) { $0 + $1.heldBytes }
        return taken.sorted { $0.line.id < $1.line.id }
    }
}
