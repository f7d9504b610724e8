import ArgumentParser
import Foundation
import Lenses
import Traffic

/// At which moment a decoded view is worked out, and by which zone's clock.
struct MomentOptions: ParsableArguments {
    /// The zone of the campus that What's Open is about.
    private static let campus = "America/New_York"

    @Option(
        help: ArgumentHelp(
            "The moment to work out: 2026-09-19T01:30 in the zone, with an offset, or 10m ago. Default: now.",
            valueName: "time"
        )
    )
    var at: String?

    @Option(help: ArgumentHelp("The zone of the hours: Europe/Berlin, UTC. Default: \(campus).", valueName: "zone"))
    var tz: String?

    mutating func validate() throws { _ = try moment(now: Date()) }

    /// The moment, with a clock round it.
    ///
    /// - Parameter now: what stands where no time was given, and what ages count back from.
    /// - Returns: the moment, and the clock.
    /// - Throws: `ValidationError` naming the option and what was expected.
    func moment(now: Date) throws -> (now: Date, clock: CampusClock) {
        let name = tz ?? Self.campus
        guard let zone = TimeZone(identifier: name) else {
            throw ValidationError("--tz \(name): expected the name of a zone, such as America/New_York or UTC")
        }
        guard let at else { return (now, CampusClock(zone, around: now)) }
        guard let micros = Moment.parse(at, now: Moment.microseconds(now), zone: zone) else {
            throw ValidationError("--at \(at): \(Moment.expectation)")
        }
        let date = Date(timeIntervalSince1970: Double(micros) / 1_000_000)
        return (date, CampusClock(zone, around: date))
    }
}
