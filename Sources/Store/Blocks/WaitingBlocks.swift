/// The blocks that wait to be made, ascending: those in which an exchange ended, so that nothing is made of numbers that nobody has.
///
/// Eight bytes each; where nothing is behind it is the begun block alone.
struct WaitingBlocks: Sendable {
    private var indexes: ArraySlice<Int64> = []

    var count: Int { indexes.count }
    /// The first and the last of them.
    var first: Int64? { indexes.first }
    var last: Int64? { indexes.last }

    /// All of them.
    var all: [Int64] { Array(indexes) }

    /// Adds a block, unless it is there; most often it is the last, or comes after it.
    mutating func insert(_ index: Int64) {
        guard let last, index <= last else { return indexes.append(index) }
        let place = indexes.lastIndex { $0 <= index }
        if let place, indexes[place] == index { return }
        indexes.insert(index, at: place.map { $0 + 1 } ?? indexes.startIndex)
    }

    /// Takes the first of them away, so many at most.
    mutating func take(_ count: Int) -> [Int64] {
        let taken = Array(indexes.prefix(count))
        indexes = indexes.dropFirst(taken.count)
        return taken
    }

    /// Takes those below a number away.
    mutating func removeAll(below index: Int64) { indexes = indexes.drop { $0 < index } }

    /// Puts back what was taken.
    mutating func putBack(_ taken: some Sequence<Int64>) {
        for index in taken { insert(index) }
    }
}
