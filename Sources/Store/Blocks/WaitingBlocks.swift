/// The blocks that wait to be made, ascending: only blocks in which an exchange ended, so that none is made of unused numbers.
///
/// Each takes eight bytes. Most often only the begun block waits.
struct WaitingBlocks: Sendable {
    private var indexes: ArraySlice<Int64> = []

    var count: Int { indexes.count }
    /// The first and the last of them.
    var first: Int64? { indexes.first }
    var last: Int64? { indexes.last }

    /// All of them.
    var all: [Int64] { Array(indexes) }

    /// Adds a block, unless it is there; most often it is the last block, or a later one.
    mutating func insert(_ index: Int64) {
        guard let last, index <= last else { return indexes.append(index) }
        let place = indexes.lastIndex { $0 <= index }
        if let place, indexes[place] == index { return }
        indexes.insert(index, at: place.map { $0 + 1 } ?? indexes.startIndex)
    }

    /// Removes the first blocks, so many at most, and returns them.
    mutating func take(_ count: Int) -> [Int64] {
        let taken = Array(indexes.prefix(count))
        indexes = indexes.dropFirst(taken.count)
        return taken
    }

    /// Removes a block, most often one of the last.
    ///
    /// - Returns: whether it was there.
    mutating func remove(_ index: Int64) -> Bool {
        guard let place = indexes.lastIndex(where: { $0 <= index }), indexes[place] == index else { return false }
        indexes.remove(at: place)
        return true
    }

    /// Removes the blocks below a number.
    mutating func removeAll(below index: Int64) { indexes = indexes.drop { $0 < index } }
}
