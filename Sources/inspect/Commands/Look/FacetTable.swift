import Traffic

/// The counted categories of a listing, one line each: `Code  200 (41)  404 (3)*`, with a star at what is selected.
struct FacetTable {
    /// Values of a category that are shown on its line; selected ones always are.
    private static let valueLimit = 12

    private let style: Style
    private let width: Int?

    init(in layout: Layout) {
        style = layout.style
        width = layout.width
    }

    /// The lines for categories that have any value.
    func lines(_ facets: [FacetListing]) -> [String] {
        let shown = facets.filter { facet in
            !facet.values.isEmpty && !(facet.facet.isOptional && facet.values.map(\.value) == [Facet.none])
        }
        let indent = (shown.map(\.facet.title.count).max() ?? 0) + 2
        return shown.flatMap { lines($0, indent: indent) }
    }

    private func lines(_ facet: FacetListing, indent: Int) -> [String] {
        let isLong = facet.values.count > FacetTable.valueLimit && facet.facet != .code
        let values =
            isLong
            ? facet.values.enumerated().filter { $0.offset < FacetTable.valueLimit || $0.element.selected }.map(
                \.element
            )
            : facet.values
        var cells = values.map { cell($0, of: facet.facet) }
        if values.count < facet.values.count { cells.append(("and \(facet.values.count - values.count) more", .dim)) }
        var lines: [String] = []
        var line = style.paint(facet.facet.title, .bold) + blanks(indent - facet.facet.title.count)
        var column = indent
        for (position, cell) in cells.enumerated() {
            if let width, position > 0, column + 2 + cell.text.count > width {
                lines.append(line)
                line = blanks(indent)
                column = indent
            } else if position > 0 {
                line += "  "
                column += 2
            }
            line += style.paint(cell.text, cell.colour)
            column += cell.text.count
        }
        return lines + [line]
    }

    private func cell(_ value: FacetCount, of facet: Facet) -> (text: String, colour: Style.Colour?) {
        let text = "\(VisibleText.line(value.value)) (\(value.count))" + (value.selected ? "*" : "")
        guard facet == .code else { return (text, value.count == 0 ? .dim : nil) }
        let outcome = Outcome(rawValue: value.value) ?? .completed
        return (text, value.count == 0 ? .dim : Style.colour(code: Int(value.value), outcome: outcome))
    }

    private func blanks(_ count: Int) -> String { String(repeating: " ", count: count) }
}
