package import Foundation

/// A facility of a listing: its status, and what clients make of it.
package struct FacilityRow: Sendable {
    package let facility: Facility
    package let status: FacilityStatus
    /// The openings that touch the week of the moment, Monday to Sunday, each whole; `nil` where it begins or ends outside the days that are read.
    package let week: [(start: Date?, end: Date?)]
    /// What each of the compared clients says at the moment of the listing.
    package let verdicts: [(client: HoursClient, verdict: HoursVerdict)]
    /// How wrong each of them is in the week, in the same order; empty where the week is not compared.
    package let weeks: [WeekComparison]

    /// Works out the state of a facility at a moment.
    ///
    /// - Parameters:
    ///   - facility: the facility.
    ///   - now: the moment.
    ///   - clock: the zone's clock round it.
    ///   - clients: the clients to compare.
    ///   - isWeekly: whether the whole week is compared too.
    package init(
        _ facility: Facility,
        at now: Date,
        clock: CampusClock,
        clients: [HoursClient] = [],
        isWeekly: Bool = false
    ) {
        let hours = OpeningHours(facility, around: now, clock: clock)
        let local = clock.local(now)
        self.facility = facility
        status = hours.status(at: now)
        let monday = local.day - local.weekday
        let (start, end) = (clock.date(day: monday), clock.date(day: monday + 7))
        week = hours.intervals.filter { $0.start < end && $0.end > start }
            .map { (hours.start(of: $0), hours.end(of: $0)) }
        verdicts = clients.map { ($0, $0.verdict(of: facility, at: local, clock: clock)) }
        weeks = isWeekly ? WeekComparison.comparing(clients, hours, at: now) : []
    }

    /// Whether a client's verdict is right.
    package func isRight(_ verdict: HoursVerdict) -> Bool { verdict.answer == (status.isOpen ? .open : .closed) }

    /// Whether the clients disagree.
    package var isDisputed: Bool { Set(verdicts.map(\.verdict.answer)).count > 1 }
}
