import GRDB
import Traffic

/// Decides a filter's conditions from rows, for exchanges where the blocks' columns leave them open.
final class ConditionResolver {
    /// From so many open exchanges on, all rows of a block are read in order instead of each by its id.
    private static let scanFrom = 256

    private let filter: Filter
    private let db: Database
    private let judge: (any FailureJudge)?
    /// The lines of one block's exchanges; at most `FacetBlock.capacity`.
    private var lines: [ExchangeID: ExchangeSummary] = [:]

    /// Exchanges that are not selected and were searched in part only, since a body has more text than is looked at.
    private(set) var cut: Set<ExchangeID> = []

    init(_ filter: Filter, judge: (any FailureJudge)?, in db: Database) {
        (self.filter, self.judge, self.db) = (filter, judge, db)
    }

    /// What a block's columns say.
    func column(of columns: BlockColumns) throws -> ConditionColumn {
        lines.removeAll(keepingCapacity: true)
        guard !filter.conditions.isEmpty, columns.block.count > 0 else { return .same(.yes) }
        return try ConditionColumn(.allOf(filter.conditions), columns)
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

    /// Takes note of exchanges that a block says were searched in part only.
    func noteCut(_ ids: some Sequence<ExchangeID>) { cut.formUnion(ids) }

    /// Whether the conditions hold for an exchange.
    func holds(_ id: ExchangeID) throws -> Bool {
        guard let line = try lines[id] ?? ExchangeQuery.summary(id, in: db) else { return false }
        return try holds(line)
    }

    /// Whether the conditions hold for an exchange whose line is known.
    func holds(_ line: ExchangeSummary) throws -> Bool {
        if let decision = filter.conditionsDecision(on: line) { return decision }
        try Task.checkCancellation()
        let subject = StoredSubject(line, judge: judge, in: db)
        let holds = try filter.conditionsHold(for: subject)
        if subject.isCut, !holds { cut.insert(line.id) }
        return holds
    }
}
