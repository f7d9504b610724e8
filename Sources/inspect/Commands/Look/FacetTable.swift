import Traffic

/// The counted categories of a listing, one line each: `Code  200 (41)  404 (3)*`, with a star at what is selected.
struct FacetTable {
    /// Values of a category that are shown on its line, the most frequent; selected ones always are.
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
        let values = shown(facet)
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

    /// The values that have room: of many the most frequent, in the order of the listing.
    private func shown(_ facet: FacetListing) -> [FacetCount] {
        guard facet.values.count > FacetTable.valueLimit, facet.facet != .code else { return facet.values }
        let frequent = facet.facet.ordered(facet.values, by: .count).prefix(FacetTable.valueLimit)
        let names = Set(frequent.map(\.value))
        return facet.values.filter { names.contains($0.value) || $0.selected }
    }

    private func cell(_ value: FacetCount, of facet: Facet) -> (text: String, colour: Style.Colour?) {
        let text = "\(VisibleText.line(facet.label(value.value))) (\(value.count))" + (value.selected ? "*" : "")
        guard facet == .code else { return (text, value.count == 0 ? .dim : nil) }
        let outcome = Outcome(rawValue: value.value) ?? .completed
        return (text, value.count == 0 ? .dim : Style.colour(code: Int(value.value), outcome: outcome))
    }

    private func blanks(_ count: Int) -> String { String(repeating: " ", count: count) }
}
