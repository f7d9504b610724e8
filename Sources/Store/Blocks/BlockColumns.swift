import GRDB
import Traffic

/// The columns of one block's exchanges, each read when a condition asks for it.
final class BlockColumns {
    let block: FacetBlock
    private let row: FacetBlockRow
    private let search: SearchReader
    private let cache: BlockCache
    private let db: Database
    private var knownNumbers: NumberColumns?
    private var knownMarks: BlockMarks?
    private var knownLines: [LineColumn.Kind: LineColumn] = [:]
    /// Positions of exchanges that were searched in part only, since a body is too long.
    private(set) var cut: Set<Int> = []

    init(_ block: FacetBlock, _ row: FacetBlockRow, _ search: SearchReader, cache: BlockCache, in db: Database) {
        (self.block, self.row, self.search, self.cache, self.db) = (block, row, search, cache, db)
    }

    /// The numbers.
    ///
    /// - Throws: `UnreadableBlock`, and what SQLite says.
    func numbers() throws -> NumberColumns {
        if let knownNumbers { return knownNumbers }
        guard let numbers = try row.numbers(in: db), numbers.started.count == block.count else {
            throw UnreadableBlock(index: row.index)
        }
        knownNumbers = numbers
        return numbers
    }

    /// The marks of the exchanges.
    func marks() throws -> BlockMarks {
        if let knownMarks { return knownMarks }
        let marks = try BlockMarks(of: block, in: db)
        knownMarks = marks
        return marks
    }

    /// A text of the lines; `nil` where its column is missing or damaged, and the block is to be made again.
    func lines(_ kind: LineColumn.Kind) throws -> LineColumn? {
        if let known = knownLines[kind] { return known }
        let column = try LineColumns.read(kind, of: block.index, exchanges: block.count, in: db)
        if column == nil { cache.tell(unreadable: block.index) }
        knownLines[kind] = column
        return column
    }

    /// The answer of the search blocks to a test of texts.
    func texts(_ test: FilterTest) throws -> ConditionColumn {
        guard let answer = try search.answer(to: test, group: block.index) else { return .same(.open) }
        // A JSON body that is too long to be read whole is not looked into at all.
        if !answer.cut.isEmpty, !test.isJSON {
            let wanted = Set(answer.cut)
            for (position, offset) in block.offsets.enumerated() where wanted.contains(Int(offset)) {
                cut.insert(position)
            }
        }
        return .each(block.offsets.map { answer.verdicts[Int($0)] })
    }
}

extension FilterTest {
    fileprivate var isJSON: Bool { if case .json = self { true } else { false } }
}
