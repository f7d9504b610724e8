import Foundation
import Lenses
import Traffic

extension AlertBoard {
    /// The lines to print: a table for people.
    func lines(_ console: Console) -> [String] {
        let (alerts, now, clock) = (list.elements, list.now, list.clock)
        let shown = alerts.count { $0.isActive(at: now) }
        var lines = [
            console.style.paint("\(list.count) alerts, \(shown) shown at \(clock.full(now))", .bold), list.origin,
        ]
        if !alerts.isEmpty {
            lines += LensViewPrinter(console).lines(WhatsOpenSections(at: now, clock: clock).table(alerts))
        }
        return lines
    }
}
