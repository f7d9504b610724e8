import Foundation
import Traffic

/// Rows of a listing as aligned columns: what a person reads on a terminal and `grep` in a pipe.
struct ListingTable {
    private static let headings = ["ID", "STARTED", "CODE", "METHOD", "TYPE", "SIZE", "TIME", "URL"]
    /// Columns that are set flush right: numbers.
    private static let isRight = [true, false, false, false, false, true, true, false]

    private let zone: TimeZone
    private var columns: TextColumns

    /// A table whose columns are at least as wide as their headings.
    init(in layout: Layout, zone: TimeZone = .current) {
        self.zone = zone
        columns = TextColumns(
            style: layout.style,
            width: layout.width,
            widths: [4, 19, 4, 6, 12, 7, 8, 3],
            isRight: ListingTable.isRight
        )
    }

    /// The heading line.
    var heading: String { columns.line(ListingTable.headings.map { ($0, .dim) }) }

    /// Widens the columns to what rows that are yet to come usually need.
    mutating func fitAnyRows() { columns.widen(to: [6, 19, 9, 7, 16, 7, 8, 3]) }

    /// Widens the columns to hold these rows.
    mutating func fit(_ rows: [ExchangeSummary]) {
        for row in rows { columns.fit(cells(row).map(\.text)) }
    }

    /// One row as a line.
    func line(_ row: ExchangeSummary) -> String { columns.line(cells(row)) }

    private func cells(_ row: ExchangeSummary) -> [TextColumns.Cell] {
        let colour = Style.colour(code: row.code, outcome: row.outcome)
        let url = VisibleText.line(row.title)
        let failure = row.failure.map {
            "  [\($0.side.rawValue) \($0.phase.rawValue): \(VisibleText.line($0.cause.rawValue))]"
        }
        let tone: Style.Colour? = row.failure == nil ? nil : row.outcome == .cancelled ? .dim : .red
        return [
            (String(row.id), nil),
            (LocalTime.text(microseconds: row.started, zone: zone), .dim),
            (Facet.code.value(row), colour),
            (row.method.isEmpty ? "-" : VisibleText.line(row.method), nil),
            (row.mediaType.map(VisibleText.line) ?? "-", .dim),
            (row.code == nil && row.responseBytes == 0 ? "-" : Measure.bytes(row.responseBytes), nil),
            (row.duration.map(Measure.duration) ?? "-", nil),
            (url + (failure ?? "") + ListingTable.marks(row.marks), tone),
        ]
    }

    /// The marks of a row, after its URL: `  ★ #slow`.
    private static func marks(_ marks: ExchangeMarks) -> String {
        let parts = (marks.isFavourite ? ["★"] : []) + marks.tags.map { "#\(VisibleText.line($0))" }
        return parts.isEmpty ? "" : "  " + parts.joined(separator: " ")
    }
}
