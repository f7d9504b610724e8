import Lenses
import Traffic

/// Sets what a lens reads in an exchange as lines: the messages in words, then each part under its heading.
///
/// Every text is escaped here, since all of it may come from the wire.
struct LensLines {
    private static let indent = "  "

    let layout: Layout
    private var style: Style { layout.style }

    /// Every line of a view.
    ///
    /// - Parameters:
    ///   - view: what the lens reads.
    ///   - lineLimit: lines that a part may take; what is beyond is counted.
    /// - Returns: the lines, without line feeds.
    func lines(_ view: LensView, lineLimit: Int = .max) -> [String] {
        var lines = [
            style.paint("Decoded", .bold)
                + style.paint("  \(VisibleText.line(view.title)) (\(VisibleText.line(view.lens)))", .dim)
        ]
        if let failure = view.failure { lines.append(self.failure(failure)) }
        lines.append("Request   " + VisibleText.line(view.request))
        if let response = view.response { lines.append("Response  " + VisibleText.line(response)) }
        for section in view.sections { lines += [""] + self.lines(section, lineLimit: lineLimit) }
        return lines
    }

    /// The line of an exchange that failed although its status says success.
    func failure(_ sentence: String) -> String {
        style.paint("FAILED    " + VisibleText.line(sentence), .alarm)
    }

    /// A part with its heading.
    func lines(_ section: LensSection, lineLimit: Int = .max) -> [String] {
        let lines: [String] =
            switch section.content {
            case .fields(let fields): self.lines(fields)
            case .table(let table): self.lines(table)
            case .tree(let nodes): nodes.flatMap { self.lines($0) }
            case .text(let text): LensLines.split(text)
            case .advice(let advice): LensLines.split(advice.words)
            }
        let room = max(lineLimit, 1)
        let more = lines.count > room ? ["… \(lines.count - room) more lines"] : []
        return [style.paint(VisibleText.line(section.title), .bold)]
            + (lines.prefix(room) + more).map { $0.isEmpty ? $0 : LensLines.indent + $0 }
    }

    /// A table with its headings; how many rows were left out stands under it, and which columns on the right a narrow terminal has no room for.
    func lines(_ table: LensTable) -> [String] {
        guard !table.rows.isEmpty || table.total > 0 else { return [style.paint("none", .dim)] }
        let rows = table.rows.map { row in row.map { VisibleText.line($0.text) } }
        let headings = table.columns.map { VisibleText.line($0).uppercased() }
        var columns = TextColumns(
            style: style,
            width: layout.width.map { $0 - LensLines.indent.count },
            widths: headings.map(TerminalCells.width),
            isRight: headings.indices.map { LensLines.isNumeric(rows, column: $0) }
        )
        for row in rows { columns.fit(row) }
        let count = columns.fittingCount
        columns.keep(count)
        columns.narrow()
        var lines = rows.isEmpty ? [] : [columns.line(headings.prefix(count).map { ($0, .dim) })]
        for (row, texts) in zip(table.rows, rows) {
            lines.append(columns.line(zip(texts, row).prefix(count).map { ($0, LensLines.colour($1.tone)) }))
        }
        if !rows.isEmpty, count < headings.count {
            let names = headings.dropFirst(count).joined(separator: ", ")
            lines.append(style.paint(TextColumns.cut("… no room for \(names)", to: columns.width ?? .max), .dim))
        }
        if table.total > rows.count {
            lines.append(style.paint("… \(table.total - rows.count) more of \(table.total)", .dim))
        }
        return lines
    }

    /// A text in the colour of its tone, on one line.
    func text(_ text: LensText) -> String {
        style.paint(VisibleText.line(text.text), LensLines.colour(text.tone))
    }

    private func lines(_ fields: [LensField]) -> [String] {
        let names = fields.map { VisibleText.line($0.name) }
        let width = min(28, names.map(TerminalCells.width).max() ?? 0)
        return zip(names, fields).map { name, field in
            style.paint(TextColumns.padded(name, to: width), .dim) + "  " + text(field.value)
        }
    }

    private func lines(_ node: LensNode, depth: Int = 0) -> [String] {
        let blanks = String(repeating: LensLines.indent, count: depth)
        let detail = node.detail.map { "  " + text($0) } ?? ""
        return [blanks + text(node.label) + detail] + node.children.flatMap { lines($0, depth: depth + 1) }
    }

    /// Whether all that stands in a column are numbers.
    private static func isNumeric(_ rows: [[String]], column: Int) -> Bool {
        var isAny = false
        for row in rows where column < row.count && !row[column].isEmpty && row[column] != "-" {
            guard Double(row[column]) != nil else { return false }
            isAny = true
        }
        return isAny
    }

    private static func split(_ text: String) -> [String] {
        var lines = text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false).map {
            VisibleText.lines(String($0.last == "\r" ? $0.dropLast() : $0))
        }
        if lines.last?.isEmpty == true { lines.removeLast() }
        return lines
    }

    /// The colour of a tone.
    static func colour(_ tone: LensText.Tone) -> Style.Colour? {
        switch tone {
        case .plain: nil
        case .good: .green
        case .bad: .red
        case .warning: .yellow
        case .faint: .dim
        }
    }
}
