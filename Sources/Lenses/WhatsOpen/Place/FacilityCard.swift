import Foundation
package import Traffic

/// One facility at a moment: its status and why, and what each client says.
package struct FacilityCard: PlaceBoard {
    package let explanation: FacilityExplanation
    package let row: FacilityRow
    private let list: CampusListing<FacilityRow>

    init(_ facility: Facility, of finding: CampusFinding<Facility>, at now: Date, clock: CampusClock) {
        explanation = FacilityExplanation(facility, at: now, clock: clock)
        row = FacilityRow(facility, at: now, clock: clock, clients: HoursClient.allCases, isWeekly: true)
        list = CampusListing([row], of: finding, at: now, clock: clock)
    }

    /// `from exchange 12, Mon 2026-09-14 07:00 EDT`.
    package var origin: String { list.origin }

    /// Writes a facility as in a listing, with what the clients say and why.
    package func write(to json: inout JSONWriter) {
        let clock = list.clock
        json.object { json in
            list.writeOrigin(to: &json)
            explanation.facility.write(explanation.status, clock, to: &json)
            json.objects("why", explanation.reasons) { field, json in
                json.string("name", field.name)
                json.string("text", field.value.text)
            }
            json.object("interval") { json in
                json.string("start", explanation.status.interval.map { clock.timestamp($0.start) })
                json.string("end", explanation.status.interval.map { clock.timestamp($0.end) })
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
