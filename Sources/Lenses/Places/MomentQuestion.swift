package import Foundation
import Traffic

/// The moment that a place shows, and the zone whose clock it goes by.
package struct MomentQuestion: Sendable {
    package let now: Date
    package let zone: TimeZone

    /// Reads the options `at` and `tz`.
    ///
    /// - Parameters:
    ///   - options: the options that were given.
    ///   - usual: the name of the zone where `tz` is not given.
    ///   - now: the moment where `at` is not given; ages count back from it.
    /// - Throws: `PlaceProblem.value` naming the option and what was expected.
    package init(_ options: PlaceOptions, usual: String, now: Date) throws(PlaceProblem) {
        let name = options.value("tz") ?? usual
        guard let zone = TimeZone(identifier: name) else {
            throw .value(
                option: "tz",
                given: name,
                expectation: "expected the name of a zone, such as America/New_York or UTC"
            )
        }
        self.zone = zone
        guard let at = options.value("at") else {
            self.now = now
            return
        }
        guard let micros = Moment.parse(at, now: Moment.microseconds(now), zone: zone) else {
            throw .value(option: "at", given: at, expectation: Moment.expectation)
        }
        self.now = Date(timeIntervalSince1970: Double(micros) / 1_000_000)
    }
}
