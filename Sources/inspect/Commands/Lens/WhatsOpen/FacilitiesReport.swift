import Lenses
import Traffic

/// What `inspect facilities` shows: how many facilities are open and where that is from, a table of them, and what the clients disagree about.
struct FacilitiesReport: BoardReport {
    let board: FacilityBoard

    private var list: CampusListing<FacilityRow> { board.list }
    private var rows: [FacilityRow] { list.elements }

    func lines(in layout: Layout) -> [String] {
        let open = rows.filter(\.status.isOpen).count
        let head = "\(list.count) \(list.noun("facility", "facilities")), \(open) open at \(list.clock.full(list.now))"
        var lines = [layout.style.paint(head, .bold), VisibleText.line(board.origin)]
        if !rows.isEmpty { lines += LensLines(layout: layout).lines(board.table) }
        let disputed = rows.filter(\.isDisputed)
        if !disputed.isEmpty {
            let names = disputed.prefix(5).map { VisibleText.line($0.facility.title) }.joined(separator: ", ")
            let more = disputed.count > 5 ? " and \(disputed.count - 5) more" : ""
            lines.append(layout.style.paint("The clients disagree about \(names)\(more)", .yellow))
        }
        return lines
    }
}
