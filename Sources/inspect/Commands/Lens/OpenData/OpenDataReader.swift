import Lenses
import Store
import Traffic

/// Reads what the exchanges of a store show of the open-data portal.
struct OpenDataReader {
    private static let lenses: Set = ["ckan", "notices"]

    private let store: TrafficStore
    private let reader: ExchangeReader

    init(_ store: TrafficStore) {
        self.store = store
        reader = ExchangeReader(store)
    }

    /// What one exchange shows.
    ///
    /// - Throws: `InputError` when there is none of this number, or it is not with the portal.
    func catalogue(of id: ExchangeID) throws -> DatasetCatalogue {
        var catalogue = DatasetCatalogue()
        guard try add(reader.record(id), to: &catalogue) else {
            throw InputError(
                "exchange \(id) is not with the open-data portal; 'inspect datasets' without --from-capture reads those that are"
            )
        }
        return catalogue
    }

    /// What the exchanges that a filter selects show, oldest first.
    func catalogue(of filter: Filter) throws -> DatasetCatalogue {
        var catalogue = DatasetCatalogue()
        try reader.each(filter) { summary in
            guard OpenDataReader.mayBeOurs(summary), let record = try reader.find(summary.id) else { return }
            _ = try add(record, to: &catalogue)
        }
        return catalogue
    }

    /// Whether an exchange is worth reading: what no lens has named may be older than lenses.
    private static func mayBeOurs(_ summary: ExchangeSummary) -> Bool {
        if let lens = summary.lens { return lenses.contains(lens) }
        return summary.outcome != .tunnelled
            && (summary.mediaType?.contains("json") ?? summary.target.contains("/action/"))
    }

    private func add(_ record: ExchangeRecord, to catalogue: inout DatasetCatalogue) throws -> Bool {
        let capture = try Capture(record, source: store.body)
        guard let lens = LensSet.standard.lens(of: capture)?.name, OpenDataReader.lenses.contains(lens) else {
            return false
        }
        catalogue.add(capture, lens: lens)
        return true
    }
}
