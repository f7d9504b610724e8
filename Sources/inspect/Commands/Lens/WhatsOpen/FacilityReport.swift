import Lenses
import Traffic

/// What `inspect facilities SLUG` shows: one facility, its warnings, and where that is from.
struct FacilityReport: BoardReport {
    let board: FacilityCard
    /// Whether the lines have the reasons, the week and the clients too, as JSON has always.
    let isWhole: Bool

    func lines(in layout: Layout) -> [String] {
        let printer = LensLines(layout: layout)
        let explanation = board.explanation
        let sections = explanation.sections()
        let shown =
            isWhole ? sections : sections.filter { [explanation.facility.title, "Warnings"].contains($0.title) }
        var lines = shown.flatMap { printer.lines($0) + [""] }
        if isWhole, board.row.isDisputed {
            lines.append(layout.style.paint("The clients disagree about it now", .yellow))
        }
        return lines + [layout.style.paint(VisibleText.line(board.origin), .dim)]
    }
}
