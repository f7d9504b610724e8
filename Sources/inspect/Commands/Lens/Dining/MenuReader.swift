import Lenses
import Store
import Traffic

/// Reads the menus out of captured CloudKit answers, the newest first.
struct MenuReader {
    /// Answers that are read for one book; older ones hold days long past.
    private static let answerLimit = 2000
    /// Rows read at a time.
    private static let pageRows = 1000

    private let store: TrafficStore

    init(_ store: TrafficStore) { self.store = store }

    /// The menus of one exchange.
    ///
    /// - Throws: `InputError` when there is no such exchange, or no menu in it.
    func book(of id: ExchangeID) throws -> MenuBook {
        let capture = try capture(id)
        guard LensSet.standard.lens(of: capture)?.name == DiningMenuLens().name else {
            throw InputError("exchange \(id) is no exchange with CloudKit's web services")
        }
        var book = MenuBook()
        book.add(capture)
        guard !book.isEmpty else {
            let reason = book.problems.first.map { ": \($0)" } ?? ""
            throw InputError("the answer of exchange \(id) holds no menu that can be read\(reason)")
        }
        return book
    }

    /// The newest menu of each day in what a filter selects, and whether every answer was read.
    func book(_ filter: Filter) throws -> (MenuBook, isWhole: Bool) {
        var book = MenuBook()
        var count = 0
        var ids = try store.ids(filter)[...]
        while !ids.isEmpty {
            let page = try store.summaries(of: Array(ids.suffix(Self.pageRows))).sorted { $0.id > $1.id }
            ids = ids.dropLast(Self.pageRows)
            for row in page where Self.mayHoldMenus(row) {
                if count == Self.answerLimit { return (book, false) }
                count += 1
                book.add(try capture(row.id))
            }
        }
        return (book, true)
    }

    /// Whether an exchange is one of CloudKit's; of those recorded before there were lenses, by its path.
    private static func mayHoldMenus(_ row: ExchangeSummary) -> Bool {
        guard let code = row.code, (200..<300).contains(code) else { return false }
        return row.lens.map { $0 == DiningMenuLens().name } ?? row.target.contains("/records/")
    }

    private func capture(_ id: ExchangeID) throws -> Capture {
        try Capture(ExchangeReader(store).record(id)) { try store.body($0, $1, offset: $2, limitBytes: $3) }
    }
}
