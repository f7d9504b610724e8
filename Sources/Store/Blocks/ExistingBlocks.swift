import GRDB
import Traffic

/// Finds the blocks, of so many numbers each, that have an exchange, whether the block is written or not.
struct ExistingBlocks {
    /// Numbers of a block.
    let capacity: Int64

    /// The blocks of a range that have an exchange, ascending, but for known ones.
    ///
    /// Each block is found from the block before, so that stretches of unused numbers cost nothing.
    func all(in range: Range<Int64>, without known: Set<Int64>, in db: Database) throws -> [Int64] {
        var question = try RawStatement("SELECT id FROM exchange WHERE id > ? ORDER BY id LIMIT 1", on: db)
        defer { question.reset() }
        var found: [Int64] = []
        var next = range.lowerBound
        while true {
            while known.contains(next) { next += 1 }
            guard next < range.upperBound else { return found }
            question.reset()
            question.bind(next * capacity)
            guard try question.step(), let id = question.integer() else { return found }
            let index = (id - 1) / capacity
            guard index < range.upperBound else { return found }
            if !known.contains(index) { found.append(index) }
            next = index + 1
        }
    }
}
