package import Foundation
import Traffic

/// A listing of What's Open: the selected elements, the answer that they are from, and the moment that they are seen from.
package struct CampusListing<Element: Sendable>: Sendable {
    package let elements: [Element]
    package let now: Date
    package let clock: CampusClock
    /// How many elements were found, those left out included.
    private let total: Int
    /// The answer that the elements are from, but for those that say otherwise.
    let source: CampusSource
    private let isWhole: Bool

    /// Makes a listing of some of the elements that were found.
    init<Found>(_ elements: [Element], of finding: CampusFinding<Found>, at now: Date, clock: CampusClock) {
        self.elements = elements
        total = finding.elements.count
        (source, isWhole) = (finding.source, finding.isWhole)
        (self.now, self.clock) = (now, clock)
    }

    /// `7 of 20`, or `20` where all are wanted.
    package var count: String { elements.count == total ? "\(total)" : "\(elements.count) of \(total)" }

    /// The noun that stands after `count`.
    package func noun(_ one: String, _ many: String) -> String { total == 1 ? one : many }

    /// `from exchange 12 of localhost:8081, last updated Mon 2026-09-14 07:00 EDT`.
    package var origin: String {
        "from \(source.words(clock))" + (isWhole ? "" : "; older answers were not read")
    }

    /// Writes one object: the origin, and the elements under a name.
    func write(_ name: String, to json: inout JSONWriter, _ write: (Element, inout JSONWriter) -> Void) {
        json.object { json in
            writeOrigin(to: &json)
            json.integer("total", total)
            json.integer("matched", elements.count)
            json.objects(name, elements, write)
        }
    }

    /// Writes the members that tell the moment and the answer.
    private func writeOrigin(to json: inout JSONWriter) {
        json.string("at", clock.timestamp(now))
        json.string("zone", clock.zone.identifier)
        source.write(clock, to: &json)
    }
}
