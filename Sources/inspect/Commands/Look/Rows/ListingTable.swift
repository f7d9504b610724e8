import Foundation
import Traffic

/// Rows of a listing as aligned columns: what a person reads on a terminal and `grep` in a pipe.
struct ListingTable {
    /// The columns that a narrow terminal does without, the least needed first.
    private static let spare: [ListingColumn] = [.size, .duration, .method, .clock]
    /// Cells that a method or a response takes on a terminal, at most: as many as the longest outcome.
    private static let wordCells = 9
    /// Cells that a host needs beside a path to say anything.
    private static let leastHost = 8

    private let style: Style
    private let width: Int?
    private let zone: TimeZone
    private let form: ListingForm
    /// The cells that each column of the form takes.
    private var widths: [Int]
    private var shown: [ListingColumn] = []
    private var columns: TextColumns
    /// The day of the last row that was asked for.
    private var lastDay: String?

    /// A table whose columns are at least as wide as their headings.
    init(in layout: Layout, zone: TimeZone = .current) {
        (style, width, self.zone) = (layout.style, layout.width, zone)
        form = width == nil ? .whole : .short
        widths = form.columns.map(\.least)
        columns = TextColumns(style: style, width: width, widths: [])
        arrange()
    }

    /// The heading line.
    var heading: String { columns.line(shown.map { ($0.heading, .dim) }) }

    /// Widens the columns to what rows that are yet to come usually need.
    mutating func fitAnyRows() {
        widths = zip(widths, form.columns).map { max($0, $1.usual) }
        arrange()
    }

    /// Widens the columns to hold these rows.
    mutating func fit(_ rows: [ExchangeSummary]) {
        for row in rows {
            for place in widths.indices.dropLast() {
                widths[place] = max(widths[place], TerminalCells.width(cell(form.columns[place].column, row).text))
            }
        }
        arrange()
    }

    /// The line of the day on which a row began, where the row before it began on another; `nil` else, and in a pipe, where each row says its day.
    mutating func day(of row: ExchangeSummary) -> String? {
        let day = String(LocalTime.text(microseconds: row.started, zone: zone).prefix(10))
        guard let width, day != lastDay else { return nil }
        lastDay = day
        return style.paint(TextColumns.cut(day, to: width), .bold)
    }

    /// One row as a line.
    func line(_ row: ExchangeSummary) -> String { columns.line(shown.map { cell($0, row) }) }

    /// Leaves out what a narrow terminal has no room for beside the address.
    private mutating func arrange() {
        var kept = Array(zip(form.columns.map(\.column), widths))
        var spare = ListingTable.spare[...]
        while true {
            shown = kept.map(\.0)
            columns = TextColumns(
                style: style,
                width: width,
                widths: kept.map(\.1),
                isRight: shown.map(\.isRight),
                gap: form.gap
            )
            guard let width, let room = columns.lastRoom, room * 5 < width * 2, let next = spare.popFirst() else {
                return
            }
            kept.removeAll { $0.0 == next }
        }
    }

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
        case .duration: (row.duration.map(width == nil ? Measure.duration : Measure.briefDuration) ?? "-", nil)
        case .url: (([VisibleText.line(row.title)] + notes(row)).joined(separator: "  "), Self.addressColour(row))
        case .address: (address(row), Self.addressColour(row))
        }
    }

    private static func addressColour(_ row: ExchangeSummary) -> Style.Colour? {
        row.failure == nil ? nil : Style.colour(code: row.code, outcome: row.outcome)
    }

    private func method(_ row: ExchangeSummary) -> String {
        let method = row.method.isEmpty ? "-" : VisibleText.line(row.method)
        return width == nil ? method : TextColumns.cut(method, to: ListingTable.wordCells)
    }

    /// `200 json`, or `failed`.
    private func response(_ row: ExchangeSummary) -> String {
        let type = row.code == nil ? nil : MediaType(row.mediaType).map { " " + VisibleText.line($0.word) }
        return TextColumns.cut(Facet.code.value(row) + (type ?? ""), to: ListingTable.wordCells)
    }

    /// The path, what there is to note, then the host; a long path leaves the rest a third of the room.
    private func address(_ row: ExchangeSummary) -> String {
        guard let origin = row.origin else {
            return ([VisibleText.line(row.title)] + notes(row)).joined(separator: "  ")
        }
        let path = VisibleText.line(row.target)
        let host = origin.hasPrefix("https://") ? String(origin.dropFirst("https://".count)) : origin
        let rest = (notes(row) + [VisibleText.line(host)]).joined(separator: "  ")
        let room = columns.lastRoom ?? .max
        let third = room / 3 < ListingTable.leastHost ? 0 : room / 3 + 2
        let shown = TextColumns.cut(path, to: max(room - TerminalCells.width(rest) - 2, room - third))
        return TextColumns.cut(shown + "  " + rest, to: room)
    }

    /// Why it failed, and its marks: `[upstream connect: refused]`, `★ #slow`.
    private func notes(_ row: ExchangeSummary) -> [String] {
        let failure = row.failure.map {
            "[\($0.side.rawValue) \($0.phase.rawValue): \(VisibleText.line($0.cause.rawValue))]"
        }
        let marks = (row.marks.isFavourite ? ["★"] : []) + row.marks.tags.map { "#\(VisibleText.line($0))" }
        return (failure.map { [$0] } ?? []) + (marks.isEmpty ? [] : [marks.joined(separator: " ")])
    }
}
