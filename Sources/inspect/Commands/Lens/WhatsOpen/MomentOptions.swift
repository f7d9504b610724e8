import ArgumentParser
import Foundation
import Lenses

/// The moment that a view is worked out for, and the zone of its clock.
struct MomentOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The moment to work out: 2026-09-19T01:30 in the zone, with an offset, or 10m ago. Default: now.",
            valueName: "time"
        )
    )
    var at: String?

    @Option(
        help: ArgumentHelp(
            "The zone of the hours: Europe/Berlin, UTC. Default: \(CampusClock.usualZone).",
            valueName: "zone"
        )
    )
    var tz: String?

    mutating func validate() throws {
        var options = PlaceOptions()
        add(to: &options)
        _ = try PlaceProblem.told { try MomentQuestion(options, usual: CampusClock.usualZone, now: Date()) }
    }

    /// Adds what was given.
    func add(to options: inout PlaceOptions) {
        options.add("at", at)
        options.add("tz", tz)
    }
}
