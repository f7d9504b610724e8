import Foundation
import Lenses
import Traffic

/// What a listing of What's Open is of: what was selected of what was found, where, and the moment it is seen from.
struct CampusListing<Element> {
    let elements: [Element]
    /// How many there are, those left out counted.
    let total: Int
    /// The exchange that they are from.
    let exchange: ExchangeID
    /// When that was answered.
    let captured: Date
    let now: Date
    let clock: CampusClock

    /// A listing of some of what was found.
    init<Found>(_ elements: [Element], of source: WhatsOpenReader.Found<Found>, at now: Date, clock: CampusClock) {
        self.elements = elements
        total = source.elements.count
        (exchange, captured) = (source.id, source.moment)
        (self.now, self.clock) = (now, clock)
    }

    /// `7 of 20`, or `20` where all are wanted.
    var count: String { elements.count == total ? "\(total)" : "\(elements.count) of \(total)" }

    /// `from exchange 12, Mon 2026-09-14 07:00 EDT`.
    var origin: String { "from exchange \(exchange), \(clock.full(captured))" }

    /// One object: what it is of, and each element under a name.
    func json(_ name: String, _ write: (Element, inout JSONWriter) -> Void) -> [UInt8] {
        var json = JSONWriter()
        json.object { json in
            json.string("at", clock.timestamp(now))
            json.string("zone", clock.zone.identifier)
            json.integer("exchange", exchange)
            json.string("captured", clock.timestamp(captured))
            json.integer("total", total)
            json.integer("matched", elements.count)
            json.objects(name, elements, write)
        }
        json.newline()
        return json.take()
    }
}
