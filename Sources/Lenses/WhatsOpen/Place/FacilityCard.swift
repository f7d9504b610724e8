import Foundation
package import Traffic

/// One facility at a moment: its status and why, and what each client says.
package struct FacilityCard: PlaceBoard {
    package let explanation: FacilityExplanation
    package let row: FacilityRow
    /// The answer that the facility is from.
    private let source: CampusSource
    /// Whether every answer was read that might tell of the facility.
    private let isWhole: Bool

    init(_ found: FoundFacility, of finding: CampusFinding<Facility>, at now: Date, clock: CampusClock) {
        let facility = found.facility
        explanation = FacilityExplanation(facility, at: now, clock: clock)
        row = FacilityRow(facility, at: now, clock: clock, clients: HoursClient.allCases, isWeekly: true)
        (source, isWhole) = (found.source, finding.isWhole)
    }

    /// `from exchange 12 of localhost:8081, last updated Mon 2026-09-14 07:00 EDT`.
    package var origin: String {
        "from \(source.words(explanation.clock))" + (isWhole ? "" : "; older answers were not read")
    }

    /// Writes a facility as in a listing, with what the clients say and why.
    package func write(to json: inout JSONWriter) {
        let clock = explanation.clock
        json.object { json in
            json.string("at", clock.timestamp(explanation.now))
            json.string("zone", clock.zone.identifier)
            source.write(clock, to: &json)
            explanation.facility.write(explanation.status, clock, to: &json)
            json.objects("why", explanation.reasons) { field, json in
                json.string("name", field.name)
                json.string("text", field.value.text)
            }
            json.object("interval") { json in
                let interval = explanation.status.interval
                json.string("start", interval.flatMap(explanation.hours.start).map(clock.timestamp))
                json.string("end", interval.flatMap(explanation.hours.end).map(clock.timestamp))
            }
            json.boolean("disputed", row.isDisputed)
            json.objects("compare", zip(row.verdicts, row.weeks)) { compared, json in
                let (entry, week) = compared
                json.string("client", entry.client.rawValue)
                json.string("says", entry.verdict.answer.rawValue)
                json.boolean("isRight", row.isRight(entry.verdict))
                json.string("text", entry.verdict.text)
                json.string("bug", entry.verdict.bug?.rawValue)
                week.write(clock, to: &json)
            }
        }
    }
}
