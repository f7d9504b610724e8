import Foundation
import Lenses
import Traffic

/// Alerts as a table for people, and as JSON.
struct AlertListing {
    let list: CampusListing<CampusAlert>

    /// The lines to print.
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

    /// One object.
    var json: [UInt8] { list.json("alerts", write) }

    private func write(_ alert: CampusAlert, to json: inout JSONWriter) {
        let (now, clock) = (list.now, list.clock)
        json.integer("id", alert.id)
        json.string("urgency", alert.urgency)
        json.string("subject", alert.subject)
        json.string("body", alert.body)
        json.string("url", alert.url)
        json.string("start", alert.start?.date.map(clock.timestamp))
        json.string("end", alert.end?.date.map(clock.timestamp))
        json.boolean("active", alert.isActive(at: now))
        json.boolean("expired", alert.isExpired(at: now))
        json.strings("warnings", alert.warnings.map(\.text))
    }
}
