import Foundation
import Traffic

/// Why one facility is open or closed at a moment.
package struct FacilityCardQuestion: Sendable {
    /// The options of the place.
    package static let options: Set<String> = ["slug", "at", "tz", "from-capture"]

    private let slug: String
    private let moment: MomentQuestion
    private let source: CaptureSelection

    /// Reads what was asked.
    ///
    /// - Parameters:
    ///   - options: those of the place; `slug` is a slug or a name.
    ///   - filter: which exchanges are looked at.
    ///   - now: the moment where none is asked for.
    /// - Throws: `PlaceProblem` for what makes no sense.
    package init(_ options: PlaceOptions, _ filter: Filter, now: Date) throws(PlaceProblem) {
        guard let slug = options.value("slug") else { throw .missing(option: "slug") }
        self.slug = slug
        moment = try MomentQuestion(options, usual: CampusClock.usualZone, now: now)
        source = try options.source(filter)
    }

    /// Answers from captures.
    ///
    /// - Throws: `PlaceProblem` where they hold no such facility, naming those that come nearest, and what the walk throws.
    package func answer(_ walk: some CaptureWalk) throws -> FacilityCard {
        let finding = try CampusFinding<Facility>(in: walk, source)
        let facility = try facility(in: finding)
        return FacilityCard(facility, of: finding, at: moment.now, clock: CampusClock(moment.zone, around: moment.now))
    }

    private func facility(in finding: CampusFinding<Facility>) throws(PlaceProblem) -> Facility {
        let folded = slug.lowercased()
        let named =
            finding.elements.first { $0.slug == slug }
            ?? finding.elements.first { $0.slug.lowercased() == folded || $0.name.lowercased() == folded }
        if let named { return named }
        let slugs = finding.elements.map(\.slug)
        let near = slugs.filter { $0.contains(folded) }.sorted().prefix(3).joined(separator: ", ")
        throw .noFacility(
            slug,
            in: finding.id,
            near: near.isEmpty ? EditDistance.nearest(to: folded, in: slugs) : near
        )
    }
}
