import GRDB
import Traffic

/// Decides a filter's conditions for exchanges about which the blocks' columns leave them open, by their rows.
///
/// Here is where an index of texts will answer first: what it rules out need not be read.
final class ConditionResolver {
    /// From so many open exchanges on, a block's rows are read one after the other instead of each by its id.
    private static let scanFrom = 256

    private let filter: Filter
    private let db: Database
    /// The lines of one block's exchanges; at most `FacetBlock.capacity`.
    private var lines: [ExchangeID: ExchangeSummary] = [:]

    init(_ filter: Filter, in db: Database) {
        self.filter = filter
        self.db = db
    }

    /// What a block's columns say; lines are made ready where they say little.
    func column(of block: FacetBlock, _ row: FacetBlockRow) throws -> ConditionColumn {
        lines.removeAll(keepingCapacity: true)
        guard !filter.conditions.isEmpty, block.count > 0 else { return .same(.yes) }
        var known: NumberColumns?
        var marks: BlockMarks?
        let column = try ConditionColumn(.allOf(filter.conditions), block) {
            if let known { return known }
            guard let numbers = try row.numbers(in: db), numbers.started.count == block.count else {
                throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "block \(row.index) cannot be read")
            }
            known = numbers
            return numbers
        } marks: {
            if let marks { return marks }
            let read = try BlockMarks(of: block, in: db)
            marks = read
            return read
        }
        return column
    }

    /// Reads the lines of a block's exchanges in one go, when so many are asked for.
    func prepare(_ block: FacetBlock, open count: Int) throws {
        guard count >= ConditionResolver.scanFrom else { return }
        var row = try RawStatement(ExchangeRow.summarySelection + "WHERE id >= ? AND id <= ? ORDER BY id", on: db)
        defer { row.reset() }
        row.bind(block.firstID)
        row.bind(block.through)
        while try row.step() {
            let line = ExchangeRow.summary(&row)
            lines[line.id] = line
        }
    }

    /// Whether the conditions hold for an exchange.
    func holds(_ id: ExchangeID) throws -> Bool {
        guard let line = try lines[id] ?? ExchangeQuery.summary(id, in: db) else { return false }
        return try holds(line)
    }

    /// Whether the conditions hold for an exchange whose line is known.
    func holds(_ line: ExchangeSummary) throws -> Bool {
        try filter.conditionsDecision(on: line) ?? filter.conditionsHold(for: StoredSubject(line, in: db))
    }
}
