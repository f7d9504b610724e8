package import Foundation
package import Traffic

/// A question why one facility is open or closed at a moment.
package struct FacilityCardQuestion: Sendable {
    /// The options of the place.
    package static let options: Set<String> = ["slug", "at", "tz", "from-capture"]

    private let slug: String
    private let moment: MomentQuestion
    private let source: CaptureSelection

    /// Reads the options of a question.
    ///
    /// - Parameters:
    ///   - options: the options of the place; `slug` is a slug or a name.
    ///   - filter: the exchanges to look at.
    ///   - now: the moment where no other is asked for.
    /// - Throws: `PlaceProblem` for a question that makes no sense.
    package init(_ options: PlaceOptions, _ filter: Filter, now: Date) throws(PlaceProblem) {
        guard let slug = options.value("slug") else { throw .missing(option: "slug") }
        self.slug = slug
        moment = try MomentQuestion(options, usual: CampusClock.usualZone, now: now)
        source = try options.source(filter)
    }

    /// Answers the question from captures.
    ///
    /// - Throws: `PlaceProblem` where the captures hold no such facility, naming the nearest, and what the walk throws.
    package func answer(_ walk: some CaptureWalk) throws -> FacilityCard {
        let finding = try CampusFinding<Facility>(in: walk, source)
        let found = try facility(in: finding)
        return FacilityCard(found, of: finding, at: moment.now, clock: CampusClock(moment.zone, around: moment.now))
    }

    private func facility(in finding: CampusFinding<Facility>) throws(PlaceProblem) -> FoundFacility {
        let folded = slug.lowercased()
        for known in [finding.found, finding.elsewhere] {
            let named =
                known.first { $0.facility.slug == slug }
                ?? known.first { $0.facility.slug.lowercased() == folded || $0.facility.name.lowercased() == folded }
            if let named { return named }
        }
        let slugs = (finding.elements + finding.elsewhere.map(\.facility)).map(\.slug)
        let near = slugs.filter { $0.contains(folded) }.sorted().prefix(3).joined(separator: ", ")
        throw .noFacility(
            slug,
            in: finding.source.exchange,
            near: near.isEmpty ? EditDistance.nearest(to: folded, in: slugs) : near
        )
    }
}
