import Foundation
import Traffic

/// Rows of a listing as aligned columns: what a person reads on a terminal and `grep` in a pipe.
struct ListingTable {
    /// The columns that a narrow terminal does without, the least needed first.
    private static let spare: [ListingColumn] = [.size, .duration, .method, .clock]
    /// Cells that a method or a response takes on a terminal, at most: as many as the longest outcome.
    private static let wordCells = 9
    /// Rules that a row names.
    private static let namedRules = 2

    private let isTerminal: Bool
    private let zone: TimeZone
    private let form: ListingForm
    private var columns: TextColumns
    /// The day of the last row that was asked for.
    private var lastDay: String?

    /// A table whose columns are at least as wide as their headings.
    init(in layout: Layout, zone: TimeZone = .current) {
        isTerminal = layout.width != nil
        self.zone = zone
        form = isTerminal ? .short : .whole
        columns = TextColumns(
            style: layout.style,
            width: layout.width,
            widths: form.columns.map(\.least),
            isRight: form.columns.map(\.column.isRight),
            gap: form.gap
        )
        makeRoom()
    }

    /// The heading line.
    var heading: String { columns.line(form.columns.map { ($0.column.heading, .dim) }) }

    /// Widens the columns to what rows that are yet to come usually need.
    mutating func fitAnyRows() {
        columns.widen(to: form.columns.map(\.usual))
        makeRoom()
    }

    /// Widens the columns to hold these rows.
    mutating func fit(_ rows: [ExchangeSummary]) {
        for row in rows { columns.fit(cells(row).map(\.text)) }
        makeRoom()
    }

    /// The line of the day on which a row began, where the row before it began on another.
    ///
    /// - Returns: the line; `nil` for another row of the same day, and in a pipe, where each row says its day.
    mutating func day(of row: ExchangeSummary) -> String? {
        let day = String(LocalTime.text(microseconds: row.started, zone: zone).prefix(10))
        guard isTerminal, day != lastDay else { return nil }
        lastDay = day
        return columns.style.paint(TextColumns.cut(day, to: columns.width ?? .max), .bold)
    }

    /// One row as a line.
    func line(_ row: ExchangeSummary) -> String { columns.line(cells(row)) }

    private mutating func makeRoom() {
        columns.makeRoom(
            leavingOut: ListingTable.spare.compactMap { spare in form.columns.firstIndex { $0.column == spare } }
        )
    }

    private func cells(_ row: ExchangeSummary) -> [TextColumns.Cell] { form.columns.map { cell($0.column, row) } }

    private func cell(_ column: ListingColumn, _ row: ExchangeSummary) -> TextColumns.Cell {
        switch column {
        case .id: (String(row.id), nil)
        case .moment: (LocalTime.text(microseconds: row.started, zone: zone), .dim)
        case .clock: (String(LocalTime.text(microseconds: row.started, zone: zone).dropFirst(11)), .dim)
        case .code: (Facet.code.value(row), Style.colour(code: row.code, outcome: row.outcome))
        case .method: (method(row), nil)
        case .type: (row.mediaType.map(VisibleText.line) ?? "-", .dim)
        case .response: (response(row), Style.colour(code: row.code, outcome: row.outcome))
        case .size: (row.code == nil && row.responseBytes == 0 ? "-" : Measure.bytes(row.responseBytes), nil)
        case .duration: (row.duration.map(isTerminal ? Measure.briefDuration : Measure.duration) ?? "-", nil)
        case .url: (([VisibleText.line(row.title)] + notes(row)).joined(separator: "  "), addressColour(row))
        case .address: (ShortAddress.text(row, notes: notes(row), in: columns.lastRoom ?? .max), addressColour(row))
        }
    }

    private func addressColour(_ row: ExchangeSummary) -> Style.Colour? {
        row.failure == nil ? nil : Style.colour(code: row.code, outcome: row.outcome)
    }

    private func method(_ row: ExchangeSummary) -> String {
        let method = row.method.isEmpty ? "-" : VisibleText.line(row.method)
        return isTerminal ? TextColumns.cut(method, to: ListingTable.wordCells) : method
    }

    /// `[rule: staging]`, `[rules: staging, beta and 3 more]`; none where no rule touched it.
    private func rules(_ row: ExchangeSummary) -> [String] {
        guard !row.rules.isEmpty else { return [] }
        let names = row.rules.prefix(ListingTable.namedRules).map(VisibleText.line).joined(separator: ", ")
        let rest = row.rules.count - ListingTable.namedRules
        return ["[rule\(row.rules.count == 1 ? "" : "s"): \(names)\(rest > 0 ? " and \(rest) more" : "")]"]
    }

    /// `200 json`, or `failed`.
    private func response(_ row: ExchangeSummary) -> String {
        let type = row.code == nil ? nil : MediaType(row.mediaType).map { " " + VisibleText.line($0.word) }
        return TextColumns.cut(Facet.code.value(row) + (type ?? ""), to: ListingTable.wordCells)
    }

    /// Why it failed, the rules that touched it, and its marks: `[upstream connect: refused]`, `[rules: staging]`, `★ #slow`.
    private func notes(_ row: ExchangeSummary) -> [String] {
        let failure = row.failure.map {
            "[\($0.side.rawValue) \($0.phase.rawValue): \(VisibleText.line($0.cause.rawValue))]"
        }
        let marks = (row.marks.isFavourite ? ["★"] : []) + row.marks.tags.map { "#\(VisibleText.line($0))" }
        return (failure.map { [$0] } ?? []) + rules(row) + (marks.isEmpty ? [] : [marks.joined(separator: " ")])
    }
}
