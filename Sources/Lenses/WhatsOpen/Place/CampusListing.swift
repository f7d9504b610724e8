import Foundation
import Traffic

/// What a listing of What's Open is of: what was selected of what was found, where, and the moment it is seen from.
package struct CampusListing<Element: Sendable>: Sendable {
    package let elements: [Element]
    package let now: Date
    package let clock: CampusClock
    /// How many there are, those left out counted.
    private let total: Int
    /// The exchange that they are from.
    let exchange: ExchangeID
    /// When that was answered.
    private let captured: Date
    private let isWhole: Bool

    /// A listing of some of what was found.
    init<Found>(_ elements: [Element], of finding: CampusFinding<Found>, at now: Date, clock: CampusClock) {
        self.elements = elements
        total = finding.elements.count
        (exchange, captured, isWhole) = (finding.id, finding.moment, finding.isWhole)
        (self.now, self.clock) = (now, clock)
    }

    /// `7 of 20`, or `20` where all are wanted.
    package var count: String { elements.count == total ? "\(total)" : "\(elements.count) of \(total)" }

    /// `from exchange 12, Mon 2026-09-14 07:00 EDT`.
    package var origin: String {
        "from exchange \(exchange), \(clock.full(captured))" + (isWhole ? "" : "; older answers were not read")
    }

    /// Writes one object: what it is of, and each element under a name.
    func write(_ name: String, to json: inout JSONWriter, _ write: (Element, inout JSONWriter) -> Void) {
        json.object { json in
            writeOrigin(to: &json)
            json.integer("total", total)
            json.integer("matched", elements.count)
            json.objects(name, elements, write)
        }
    }

    /// Writes the members that say where it is from, and the moment.
    func writeOrigin(to json: inout JSONWriter) {
        json.string("at", clock.timestamp(now))
        json.string("zone", clock.zone.identifier)
        json.integer("exchange", exchange)
        json.string("captured", clock.timestamp(captured))
    }
}
