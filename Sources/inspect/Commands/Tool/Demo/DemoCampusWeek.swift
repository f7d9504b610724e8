import Foundation
import Lenses
import Traffic

/// The week of the facilities in the newest captured list, as the iPhone app shows it.
struct DemoCampusWeek {
    private static let zone = TimeZone(identifier: CampusClock.usualZone) ?? .gmt

    private let id: ExchangeID
    private let total: Int
    private let wrong: [(facility: Facility, week: WeekComparison)]
    private let crashing: [(facility: Facility, week: WeekComparison)]

    /// Reads the newest list among some exchanges; `nil` when they hold no facilities.
    ///
    /// - Throws: what the walk throws.
    init?(_ walk: some CaptureWalk, _ filter: Filter) throws {
        let found: CampusFinding<Facility>
        do {
            found = try CampusFinding(in: walk, .matching(filter))
        } catch is PlaceProblem {
            return nil
        }
        let now = found.source.moment
        let clock = CampusClock(Self.zone, around: now)
        let weeks = found.elements.compactMap { facility in
            FacilityRow(facility, at: now, clock: clock, clients: [.ios], isWeekly: true).weeks.first
                .map { (facility: facility, week: $0) }
        }
        (id, total) = (found.source.exchange, weeks.count)
        crashing = weeks.filter { $0.week.crash != nil }
        wrong = weeks.filter { $0.week.crash == nil && $0.week.minutesWrong > 0 }
            .sorted { ($0.week.minutesWrong, $1.facility.slug) > ($1.week.minutesWrong, $0.facility.slug) }
    }

    /// Says which facility the app shows wrong for the longest, by which bug, how many it shows wrong, and how many crash it.
    var sentence: String {
        let bugs = Set(crashing.compactMap(\.week.crash?.rawValue)).sorted().joined(separator: ", ")
        let crashes = crashing.isEmpty ? "" : ", \(crashing.count) crash it (\(bugs))"
        guard let worst = wrong.first, let cause = worst.week.causes.first else {
            return "Of the \(total) facilities of exchange \(id) the iPhone app shows none wrong\(crashes)"
        }
        return "The iPhone app shows \(worst.facility.title) wrong for \(worst.week.minutesWrong) minutes a week, "
            + "\(cause.minutes) by \(cause.bug.rawValue) (\(cause.bug.sentence)); "
            + "of \(total) facilities \(wrong.count) are wrong for a minute or more\(crashes)"
    }
}
