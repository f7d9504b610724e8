import Foundation
import Lenses
import Traffic

/// Alerts as a table for people, and as JSON.
struct AlertListing {
    let alerts: [CampusAlert]
    /// How many there are, those left out counted.
    let total: Int
    let source: WhatsOpenReader.Found<CampusAlert>
    let now: Date
    let clock: CampusClock

    /// The lines to print.
    func lines(_ console: Console) -> [String] {
        let shown = alerts.filter { $0.isActive(at: now) }.count
        var lines = [
            console.style.paint("\(alerts.count) of \(total) alerts, \(shown) shown at \(clock.full(now))", .bold),
            "from exchange \(source.id), \(clock.full(source.moment))",
        ]
        if !alerts.isEmpty {
            lines += LensViewPrinter(console).lines(WhatsOpenSections(at: now, clock: clock).table(alerts))
        }
        return lines
    }

    /// One object.
    var json: [UInt8] {
        var json = JSONWriter()
        json.object { json in
            json.string("at", clock.timestamp(now))
            json.string("zone", clock.zone.identifier)
            json.integer("exchange", source.id)
            json.string("captured", clock.timestamp(source.moment))
            json.integer("total", total)
            json.integer("matched", alerts.count)
            json.array("alerts") { json in for alert in alerts { json.object { json in write(alert, to: &json) } } }
        }
        json.newline()
        return json.take()
    }

    private func write(_ alert: CampusAlert, to json: inout JSONWriter) {
        json.integer("id", alert.id)
        json.string("urgency", alert.urgency)
        json.string("subject", alert.subject)
        json.string("body", alert.body)
        json.string("url", alert.url)
        json.string("start", alert.start?.date.map(clock.timestamp))
        json.string("end", alert.end?.date.map(clock.timestamp))
        json.boolean("active", alert.isActive(at: now))
        json.boolean("expired", alert.isExpired(at: now))
        json.array("warnings") { json in for warning in alert.warnings { json.string(nil, warning.text) } }
    }
}
