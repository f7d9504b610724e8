import Foundation

/// A part of an article: what stands between two blank lines, or a table, or code.
enum ArticleBlock: Equatable {
    case heading(level: Int, [ArticleSpan])
    case paragraph([ArticleSpan])
    case list([[ArticleSpan]])
    case table(header: [[ArticleSpan]], rows: [[[ArticleSpan]]])
    case code([String])

    /// The parts of a Markdown text, in order; comments, which hold the markers of tests, are no part.
    static func read(_ text: String) -> [ArticleBlock] {
        var blocks: [ArticleBlock] = []
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false)[...]
        while let line = lines.first {
            if line.isEmpty || line.hasPrefix("<!--") {
                lines.removeFirst()
            } else if line.hasPrefix("```") {
                let code = lines.dropFirst().prefix { !$0.hasPrefix("```") }
                blocks.append(.code(code.map(String.init)))
                lines = lines.dropFirst(code.count + 2)
            } else if line.hasPrefix("#") {
                let level = line.prefix { $0 == "#" }.count
                blocks.append(.heading(level: level, ArticleSpan.read(String(line.dropFirst(level + 1)))))
                lines.removeFirst()
            } else if line.hasPrefix("|") {
                let rows = lines.prefix { $0.hasPrefix("|") }
                blocks.append(table(rows))
                lines = lines.dropFirst(rows.count)
            } else {
                let paragraph = lines.prefix { isText($0, in: line.hasPrefix("- ")) }
                blocks.append(line.hasPrefix("- ") ? list(paragraph) : .paragraph(joined(paragraph)))
                lines = lines.dropFirst(max(1, paragraph.count))
            }
        }
        return blocks
    }

    /// Whether a line goes on with a paragraph or a list; a list may follow a paragraph without a blank line.
    private static func isText(_ line: Substring, in isList: Bool) -> Bool {
        if line.isEmpty || ["```", "#", "|", "<!--"].contains(where: { line.hasPrefix($0) }) { return false }
        return isList ? line.hasPrefix("- ") || line.hasPrefix("  ") : !line.hasPrefix("- ")
    }

    private static func joined(_ lines: some Sequence<Substring>) -> [ArticleSpan] {
        ArticleSpan.read(lines.map { $0.trimmingCharacters(in: .whitespaces) }.joined(separator: " "))
    }

    private static func list(_ lines: ArraySlice<Substring>) -> ArticleBlock {
        var items: [[Substring]] = []
        for line in lines {
            if line.hasPrefix("- ") { items.append([line.dropFirst(2)]) } else { items[items.count - 1].append(line) }
        }
        return .list(items.map(joined))
    }

    private static func table(_ lines: ArraySlice<Substring>) -> ArticleBlock {
        // The second line rules the header off.
        let rows = lines.enumerated().filter { $0.offset != 1 }.map { cells($0.element) }
        return .table(header: rows.first ?? [], rows: Array(rows.dropFirst()))
    }

    /// The cells of a row; a bar inside a cell is written with a backslash.
    private static func cells(_ line: Substring) -> [[ArticleSpan]] {
        let bar = "\u{0}"
        let inner = line.replacing("\\|", with: bar).trimmingCharacters(in: .whitespaces).dropFirst().dropLast()
        return inner.split(separator: "|", omittingEmptySubsequences: false).map { cell in
            ArticleSpan.read(cell.trimmingCharacters(in: .whitespaces).replacing(bar, with: "|"))
        }
    }
}
