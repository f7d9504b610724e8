import Lenses
import Traffic

/// What `inspect datasets` shows: each part under its heading, then remarks on what is missing or doubtful.
struct DatasetsReport: BoardReport {
    let board: DatasetBoard

    func lines(in layout: Layout) -> [String] {
        let printer = LensLines(layout: layout)
        var lines = Array(board.sections.map { printer.lines($0) }.joined(separator: [""]))
        if board.catalogue.exchanges == 0 {
            lines.append(
                "no exchange with the open-data portal is in the selection; record some, or import a HAR file"
            )
        }
        return lines + board.remarks.map { layout.style.paint(VisibleText.line($0), .yellow) }
    }
}
