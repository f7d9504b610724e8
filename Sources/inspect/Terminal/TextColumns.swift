/// Texts set side by side: each padded to its column, and the line cut to the terminal.
///
/// The texts are safe to print already (`VisibleText`).
struct TextColumns {
    /// A text with its colour.
    typealias Cell = (text: String, colour: Style.Colour?)

    let style: Style
    /// Columns of the terminal that a line is cut to; `nil` cuts nothing.
    let width: Int?
    /// The cells that each column takes.
    private(set) var widths: [Int]
    /// Which columns are set flush right: numbers.
    private let isRight: [Bool]
    /// What stands between two columns.
    private let gap: String
    /// The places of the columns that are left out.
    private var leftOut: Set<Int> = []
    /// Whether columns may be narrower than their texts.
    private var isNarrow = false

    /// - Parameters:
    ///   - style: how colours are written.
    ///   - width: columns of the terminal; `nil` in a pipe.
    ///   - widths: what each column takes at least.
    ///   - isRight: which are set flush right; none where it is left out.
    ///   - gap: what stands between two columns.
    init(style: Style, width: Int?, widths: [Int], isRight: [Bool] = [], gap: String = "  ") {
        self.style = style
        self.width = width
        self.widths = widths
        self.isRight = isRight.count == widths.count ? isRight : widths.map { _ in false }
        self.gap = gap
    }

    /// Widens the columns to these.
    mutating func widen(to others: [Int]) { widths = zip(widths, others).map(max) }

    /// Widens the columns to hold these texts.
    mutating func fit(_ texts: some Sequence<String>) { widen(to: texts.map(TerminalCells.width)) }

    /// How many columns, from the left and never fewer than two, fit the terminal with none narrower than 14 cells unless its texts are.
    var fittingCount: Int {
        guard var room = width else { return widths.count }
        var count = 0
        for width in widths {
            room -= min(width, 14) + (count == 0 ? 0 : gap.count)
            guard room >= 0 || count < 2 else { return count }
            count += 1
        }
        return count
    }

    /// The cells that the line leaves to the last column; `nil` where no line is cut.
    var lastRoom: Int? {
        width.map { width in
            let taken = widths.indices.dropLast().filter { !leftOut.contains($0) }.reduce(0) {
                $0 + widths[$1] + gap.count
            }
            return max(0, width - taken)
        }
    }

    /// Whether no line is wider than the terminal, as long as no text is wider than its column.
    var fits: Bool { width.map { widths.reduce(0, +) + gap.count * max(0, widths.count - 1) <= $0 } ?? true }

    /// Leaves out columns, in this order and no more than it takes, until the last has two fifths of the terminal.
    mutating func makeRoom(leavingOut order: [Int]) {
        leftOut = []
        for column in order {
            guard let width, let room = lastRoom, room * 5 < width * 2 else { return }
            leftOut.insert(column)
        }
    }

    /// Leaves out the columns from a place on.
    mutating func keep(_ count: Int) { widths = Array(widths.prefix(count)) }

    /// Narrows the widest columns, none below four characters, until all of them fit the terminal.
    mutating func narrow() {
        guard let width else { return }
        let room = max(0, width - gap.count * max(0, widths.count - 1))
        var limit = widths.max() ?? 0
        while limit > 4, widths.reduce(0, { $0 + min($1, limit) }) > room { limit -= 1 }
        isNarrow = widths.contains { $0 > limit }
        widths = widths.map { min($0, limit) }
    }

    /// The cells as a line; what does not fit its column or the terminal ends in `…`.
    ///
    /// The last cell takes what is left, unless it is set flush right.
    func line(_ cells: [Cell]) -> String {
        var rest = width ?? .max
        var parts: [String] = []
        for (column, cell) in cells.enumerated() where !leftOut.contains(column) {
            var text = cell.text
            if column < widths.count, column < cells.count - 1 || isRight[column] {
                if isNarrow { text = TextColumns.cut(text, to: widths[column]) }
                text = TextColumns.padded(text, to: widths[column], right: isRight[column])
            }
            let shown = TextColumns.cut(text, to: rest)
            rest -= min(rest, TerminalCells.width(shown) + gap.count)
            parts.append(style.paint(shown, cell.colour))
        }
        return parts.joined(separator: gap)
    }

    /// A text of at most so many cells.
    static func cut(_ text: String, to limit: Int) -> String {
        TerminalCells.width(text) <= limit ? text : limit > 1 ? TerminalCells.prefix(text, limit - 1) + "…" : ""
    }

    /// A text of at most so many cells, cut at its beginning.
    static func cutStart(_ text: String, to limit: Int) -> String {
        TerminalCells.width(text) <= limit ? text : limit > 1 ? "…" + TerminalCells.suffix(text, limit - 1) : ""
    }

    /// A text with the blanks that it lacks of a width.
    static func padded(_ text: String, to width: Int, right: Bool = false) -> String {
        let blanks = String(repeating: " ", count: max(0, width - TerminalCells.width(text)))
        return right ? blanks + text : text + blanks
    }
}
