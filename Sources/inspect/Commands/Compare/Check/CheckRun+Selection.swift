import Lenses
import Store
import Traffic

extension CheckRun {
    /// A run by the rules that a command names.
    init(rules: RuleOptions, document: OpenAPICheck?, shownLimit: Int, lenses: LensSet = .standard) {
        let selection = rules.selection
        self.init(selects: selection.includes, document: document, shownLimit: shownLimit, lenses: lenses)
    }

    /// Checks every exchange of a selection, oldest first, and shows how far the check is.
    mutating func add(_ selection: CheckSelection, in store: TrafficStore) throws {
        let progress = Progress()
        defer { progress.clear() }
        searchedInPart += try store.eachSummary(selection.filter) { row in
            progress.tell(Int64(count), of: nil, "check")
            guard let exchange = try store.exchange(row.id) else { return }
            let record = ExchangeRecord(exchange: exchange, summary: row)
            try add(capture(record, source: store.body)) { id in
                try store.record(id).map { try Capture($0, source: store.body) }
            }
        }
    }
}
