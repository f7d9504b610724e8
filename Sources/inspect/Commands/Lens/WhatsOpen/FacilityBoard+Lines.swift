import Lenses
import Traffic

extension FacilityBoard {
    private var rows: [FacilityRow] { list.elements }

    /// The lines to print: a table for people.
    func lines(_ console: Console) -> [String] {
        let open = rows.filter(\.status.isOpen).count
        let newer = newer == 0 ? "" : "; \(newer) of them as newer exchanges have them"
        let head = "\(list.count) facilities, \(open) open at \(list.clock.full(list.now))"
        var lines = [console.style.paint(head, .bold), list.origin + newer]
        if !rows.isEmpty { lines += LensViewPrinter(console).lines(table) }
        let disputed = rows.filter(\.isDisputed)
        if !disputed.isEmpty {
            let names = disputed.prefix(5).map { VisibleText.line($0.facility.title) }.joined(separator: ", ")
            let more = disputed.count > 5 ? " and \(disputed.count - 5) more" : ""
            lines.append(console.style.paint("The clients disagree about \(names)\(more)", .yellow))
        }
        return lines
    }
}
