import Foundation
package import Traffic

/// The messages to everybody on campus, at a moment.
package struct AlertBoard: PlaceBoard {
    package let list: CampusListing<FoundAlert>

    init(_ alerts: [FoundAlert], of finding: CampusFinding<FoundAlert>, at now: Date, clock: CampusClock) {
        list = CampusListing(alerts, of: finding, at: now, clock: clock)
    }

    package func write(to json: inout JSONWriter) { list.write("alerts", to: &json, write) }

    private func write(_ found: FoundAlert, to json: inout JSONWriter) {
        let (alert, now, clock) = (found.alert, list.now, list.clock)
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
        json.integer("exchange", found.source.exchange)
        json.string("captured", clock.timestamp(found.source.moment))
    }
}
