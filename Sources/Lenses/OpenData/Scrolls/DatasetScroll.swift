package import Traffic

/// A list that an app read page by page, put together from the exchanges with the pages.
package struct DatasetScroll: Sendable {
    /// The request in words, without the page.
    package let request: String
    /// The pages in the order of their rows.
    package let pages: [ScrollPage]
    /// The rows that are known, each once, in order.
    package private(set) var rows: [Row] = []
    /// The seams, places where pages do not fit together, in order.
    package private(set) var seams: [Seam] = []
    /// The number of the row after the last known row.
    private var position = 0

    /// A row with its place in the list, counted from 1, and the exchange that brought it.
    package struct Row: Sendable, Equatable {
        package let number: Int
        package let item: ScrollPage.Row
        package let exchange: ExchangeID
    }

    /// A place where two pages do not fit together.
    package struct Seam: Sendable, Equatable {
        /// The kind of a seam.
        package enum Kind: String, Sendable, CaseIterable {
            /// Rows that no page brought.
            case gap
            /// Rows that several pages were asked for.
            case overlap
            /// Rows that stand on two pages at different places: the list changed between the requests.
            case moved
        }

        package let kind: Kind
        /// The first and the last row, counted from 1.
        package let rows: ClosedRange<Int>
        package let sentence: String
    }

    /// Puts the pages of a list together.
    init(request: String, pages: [ScrollPage]) {
        self.request = request
        self.pages = pages.sorted { ($0.start, $0.exchange) < ($1.start, $1.exchange) }
        var sweep = ScrollSweep(self.pages)
        var places: [String: Row] = [:]
        for (index, page) in self.pages.enumerated() {
            guard let items = page.rows else { continue }
            join(page, at: index, items, &sweep)
            add(items, of: page, places: &places)
        }
        let end = self.pages.last { $0.rows == nil && $0.start >= position }
        if let end { noteGap(to: end.start &+ max(1, end.limit ?? 1), before: nil, &sweep) }
    }

    /// Whether the last page says that no row comes after it.
    package var isWhole: Bool {
        guard let last = pages.last(where: { $0.rows != nil }), let count = last.rows?.count else { return false }
        if let total = last.total { return position >= total }
        return last.limit.map { count < $0 } ?? false
    }

    /// How many rows are known, and whether there are more.
    package var sentence: String {
        let pages = self.pages.count.counted("page")
        let end = isWhole ? "the end of the list" : "the list goes on"
        return "\(rows.count.counted("row")) from \(pages), then \(end)"
    }

    private mutating func join(
        _ page: ScrollPage,
        at index: Int,
        _ items: [ScrollPage.Row],
        _ sweep: inout ScrollSweep
    ) {
        if page.start > position {
            noteGap(to: page.start, before: page, &sweep)
        } else if page.start < position, !items.isEmpty {
            let end = min(position, page.start + items.count)
            let others = sweep.others(before: index)
            // A page that is asked for many times makes as many seams.
            let numbers = (others.first + [page]).map { "#\($0.exchange)" }
            let rest = others.count - others.first.count
            let more = rest > 0 ? " and \(rest) more" : ""
            add(.overlap, page.start + 1, end, "asked for more than once (\(numbers.joined(separator: ", "))\(more))")
        }
    }

    private mutating func noteGap(to end: Int, before page: ScrollPage?, _ sweep: inout ScrollSweep) {
        guard end > position else { return }
        if let failed = sweep.failedPage(from: position), failed.start < end {
            add(.gap, position + 1, end, "#\(failed.exchange) asked for them and got \(failed.outcome)")
        } else if let short = sweep.answeredPage(before: position), let limit = short.limit,
            let count = short.rows?.count, count < limit, short.start + limit >= end
        {
            add(.gap, position + 1, end, "#\(short.exchange) asked for \(limit.counted("row")) and got \(count)")
        } else {
            add(
                .gap,
                position + 1,
                end,
                page.map { "no page brought them; #\($0.exchange) goes on after them" } ?? "no page brought them"
            )
        }
    }

    private mutating func add(_ items: [ScrollPage.Row], of page: ScrollPage, places: inout [String: Row]) {
        var moved: (first: Row, number: Int, count: Int)?
        for (index, item) in items.enumerated() {
            let row = Row(number: page.start + index + 1, item: item, exchange: page.exchange)
            if let known = places[item.key] {
                // A row that stands twice on one page did not move.
                guard known.number != row.number, known.exchange != row.exchange else { continue }
                moved = (moved?.first ?? known, moved?.number ?? row.number, (moved?.count ?? 0) + 1)
                continue
            }
            places[item.key] = row
            rows.append(row)
        }
        position = max(position, page.start + items.count)
        guard let moved else { return }
        let others = moved.count == 1 ? "" : ", and \(moved.count - 1) more"
        let sentence =
            "“\(moved.first.item.title)” is row \(moved.first.number) in #\(moved.first.exchange) and row \(moved.number) in "
            + "#\(page.exchange)\(others): the list moved in between"
        add(.moved, min(moved.first.number, moved.number), max(moved.first.number, moved.number), sentence)
    }

    private mutating func add(_ kind: Seam.Kind, _ first: Int, _ last: Int, _ words: String) {
        let range = first...max(first, last)
        let rows = range.count == 1 ? "row \(first)" : "rows \(first)–\(range.upperBound)"
        seams.append(Seam(kind: kind, rows: range, sentence: "\(kind.rawValue), \(rows): \(words)"))
    }
}
