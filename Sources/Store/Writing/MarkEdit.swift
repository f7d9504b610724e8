import GRDB
import Traffic

/// The outcome of marking exchanges within one transaction.
struct MarkEdit {
    /// How many of them are there.
    var found = 0
    /// Whether their block was written anew, because it counts tags.
    var hasNewBlock = false
    /// The exchanges that changed, when someone follows.
    var summaries: [ExchangeSummary] = []

    /// Changes the marks of exchanges of one block.
    static func run(
        _ change: MarkChange,
        on ids: ArraySlice<ExchangeID>,
        collectsSummaries: Bool,
        in db: Database
    ) throws -> MarkEdit {
        var edit = MarkEdit()
        var question = try RawStatement("SELECT 1 FROM exchange WHERE id = ?", on: db)
        for id in ids {
            question.bind(id)
            let isThere = try question.step()
            question.reset()
            guard isThere else { continue }
            edit.found += 1
            let before = try MarkRow.read(id, in: db)
            let after = try change.applied(to: before)
            guard after != before else { continue }
            try MarkRow.write(after, of: id, in: db)
            edit.hasNewBlock = edit.hasNewBlock || after.tags != before.tags
            if collectsSummaries, let summary = try ExchangeQuery.summary(id, in: db) { edit.summaries.append(summary) }
        }
        if edit.hasNewBlock, let first = ids.first {
            try FreshFacetBlock.rewrite([FacetBlock.index(of: first)], in: db)
        }
        return edit
    }
}
