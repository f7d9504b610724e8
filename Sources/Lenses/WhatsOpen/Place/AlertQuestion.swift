package import Foundation
package import Traffic

/// A question for the messages to everybody on campus that are shown at a moment.
package struct AlertQuestion: Sendable {
    /// The options of the place.
    package static let options: Set<String> = ["at", "tz", "urgency", "all", "from-capture"]

    /// The wanted urgencies in lower case; empty wants all.
    private let urgencies: [String]
    /// Whether past and coming alerts are wanted too.
    private let wantsAll: Bool
    private let moment: MomentQuestion
    private let source: CaptureSelection

    /// Reads the options of a question.
    ///
    /// - Parameters:
    ///   - options: the options of the place.
    ///   - filter: the exchanges to look at.
    ///   - now: the moment where no other is asked for.
    /// - Throws: `PlaceProblem` for a question that makes no sense.
    package init(_ options: PlaceOptions, _ filter: Filter, now: Date) throws(PlaceProblem) {
        urgencies = options.list("urgency").map { $0.lowercased() }
        if let other = urgencies.first(where: { !CampusAlert.urgencies.contains($0) }) {
            throw .value(
                option: "urgency",
                given: other,
                expectation: "expected \(CampusAlert.urgencies.joined(separator: ", "))"
            )
        }
        wantsAll = try options.flag("all")
        moment = try MomentQuestion(options, usual: CampusClock.usualZone, now: now)
        source = try options.source(filter)
    }

    /// Answers the question from captures.
    ///
    /// - Throws: `PlaceProblem` where the captures hold no alerts, and what the walk throws.
    package func answer(_ walk: some CaptureWalk) throws -> AlertBoard {
        let finding = try CampusFinding<FoundAlert>(in: walk, source, wantsAll: wantsAll)
        let alerts = finding.elements.filter { found in
            (wantsAll || found.alert.isActive(at: moment.now))
                && (urgencies.isEmpty || urgencies.contains(found.alert.urgency.lowercased()))
        }
        return AlertBoard(alerts, of: finding, at: moment.now, clock: CampusClock(moment.zone, around: moment.now))
    }
}
