import Traffic

/// The lines of an article: wrapped, with coloured code, its tables in columns.
struct ArticleLines {
    /// A word of a line: pieces without a blank between them, each with its colour.
    private typealias Word = [(text: String, colour: Style.Colour?)]

    /// Columns of a line, at most: wider lines are hard to read.
    private static let widestLine = 100
    /// Columns that the last cell of a row needs; with fewer, each cell stands on lines of its own.
    private static let narrowestCell = 40

    private let style: Style
    private let width: Int

    init(in layout: Layout) {
        style = layout.style
        width = min(layout.width ?? ArticleLines.widestLine, ArticleLines.widestLine)
    }

    /// The article's lines.
    func lines(_ article: Article) -> [String] {
        article.blocks.flatMap { lines($0) + [""] }
    }

    private func lines(_ block: ArticleBlock) -> [String] {
        switch block {
        case .heading(let level, let spans):
            let title = ArticleSpan.plain(spans)
            return [style.paint(level == 1 ? title.uppercased() : title, .bold)]
        case .paragraph(let spans): return wrapped(spans, first: "", next: "")
        case .list(let items): return items.flatMap { wrapped($0, first: "  - ", next: "    ") }
        case .code(let code): return code.map { "    " + style.paint(VisibleText.line($0), .cyan) }
        case .table(let header, let rows): return table(header, rows)
        }
    }

    /// A table in columns, of which the last is wrapped; where that leaves too little room, each row with its first cell as a heading.
    private func table(_ header: [[ArticleSpan]], _ rows: [[[ArticleSpan]]]) -> [String] {
        let widths = header.indices.dropLast().map { column in
            ([header] + rows).map { column < $0.count ? TerminalCells.width(text($0[column])) : 0 }.max() ?? 0
        }
        let indent = widths.reduce(0) { $0 + $1 + 2 }
        guard width - indent >= ArticleLines.narrowestCell else {
            return rows.flatMap { row in
                wrapped(row.first ?? [], first: "  ", next: "  ")
                    + row.dropFirst().flatMap { $0.isEmpty ? [] : wrapped($0, first: "      ", next: "      ") }
            }
        }
        return ([header] + rows).enumerated().flatMap { index, row in
            let cells = zip(row, widths).map { cell, width in
                painted(cell, index == 0 ? .dim : nil) + blanks(width - TerminalCells.width(text(cell)) + 2)
            }
            let last = row.count > widths.count ? row[widths.count] : []
            return wrapped(last, first: cells.joined(), next: blanks(indent), used: indent, index == 0 ? .dim : nil)
        }
    }

    private func blanks(_ count: Int) -> String { String(repeating: " ", count: max(0, count)) }

    /// The pieces as they are shown, without colours.
    private func text(_ spans: [ArticleSpan]) -> String { spans.map(shown).joined() }

    private func painted(_ spans: [ArticleSpan], _ colour: Style.Colour?) -> String {
        spans.map { style.paint(shown($0), self.colour($0) ?? colour) }.joined()
    }

    /// A piece as it is shown: without colours, code keeps its backticks; a link says how to read its article.
    private func shown(_ span: ArticleSpan) -> String {
        switch span.kind {
        case .plain, .strong: span.text
        case .code: style.isColoured ? span.text : "`\(span.text)`"
        case .article(let name): "\(span.text) (inspect man \(name))"
        }
    }

    private func colour(_ span: ArticleSpan) -> Style.Colour? {
        switch span.kind {
        case .plain: nil
        case .code, .article: .cyan
        case .strong: .bold
        }
    }

    /// Breaks a text into lines of the width.
    ///
    /// - Parameters:
    ///   - spans: the text.
    ///   - first: what stands before it.
    ///   - next: what stands before each further line.
    ///   - used: the columns that `first` takes; its length where it has no colours.
    ///   - colour: the colour of pieces that have none of their own.
    /// - Returns: the lines, one at least.
    private func wrapped(
        _ spans: [ArticleSpan],
        first: String,
        next: String,
        used: Int? = nil,
        _ colour: Style.Colour? = nil
    ) -> [String] {
        var lines: [String] = []
        var line = first
        var column = used ?? TerminalCells.width(first)
        var isStart = true
        for word in words(spans) {
            let length = word.reduce(0) { $0 + TerminalCells.width($1.text) }
            if !isStart, column + 1 + length > width {
                lines.append(line)
                (line, column, isStart) = (next, TerminalCells.width(next), true)
            }
            if !isStart { line += " " }
            line += word.map { style.paint($0.text, $0.colour ?? colour) }.joined()
            column += length + (isStart ? 0 : 1)
            isStart = false
        }
        return lines + [line]
    }

    private func words(_ spans: [ArticleSpan]) -> [Word] {
        var words: [Word] = []
        var word: Word = []
        for span in spans {
            for (index, part) in shown(span).split(separator: " ", omittingEmptySubsequences: false).enumerated() {
                if index > 0, !word.isEmpty {
                    words.append(word)
                    word = []
                }
                if !part.isEmpty { word.append((String(part), colour(span))) }
            }
        }
        return word.isEmpty ? words : words + [word]
    }
}
