import Lenses
import Traffic

/// What `inspect facilities alerts` shows: how many alerts there are and where from, and a table of them.
struct AlertsReport: BoardReport {
    let board: AlertBoard

    func lines(in layout: Layout) -> [String] {
        let list = board.list
        let (alerts, now, clock) = (list.elements.map(\.alert), list.now, list.clock)
        let shown = alerts.count { $0.isActive(at: now) }
        let head = "\(list.count) \(list.noun("alert", "alerts")), \(shown) shown at \(clock.full(now))"
        var lines = [layout.style.paint(head, .bold), VisibleText.line(list.origin)]
        if !alerts.isEmpty {
            lines += LensLines(layout: layout).lines(WhatsOpenSections(at: now, clock: clock).table(alerts))
        }
        return lines
    }
}
