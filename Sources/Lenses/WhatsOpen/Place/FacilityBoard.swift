import Foundation
package import Traffic

/// The facilities at a moment, with what clients make of them.
package struct FacilityBoard: PlaceBoard {
    package let list: CampusListing<FacilityRow>
    /// How many facilities are taken from exchanges newer than the list's.
    package let newer: Int
    /// Those newer exchanges, by slug.
    private let newerIDs: [String: ExchangeID]

    init(_ rows: [FacilityRow], of finding: CampusFinding<Facility>, at now: Date, clock: CampusClock) {
        list = CampusListing(rows, of: finding, at: now, clock: clock)
        (newer, newerIDs) = (finding.newer, finding.newerIDs)
    }

    package func write(to json: inout JSONWriter) { list.write("facilities", to: &json, write) }

    private func write(_ row: FacilityRow, to json: inout JSONWriter) {
        row.facility.write(row.status, list.clock, to: &json)
        json.integer("exchange", newerIDs[row.facility.slug] ?? list.exchange)
        json.objects("hours", row.week) { interval, json in
            json.string("start", list.clock.timestamp(interval.start))
            json.string("end", list.clock.timestamp(interval.end))
        }
        guard !row.verdicts.isEmpty else { return }
        json.boolean("disputed", row.isDisputed)
        json.objects("compare", row.verdicts.enumerated()) { compared, json in
            let (client, verdict) = compared.element
            json.string("client", client.rawValue)
            json.string("says", verdict.answer.rawValue)
            json.boolean("isRight", row.isRight(verdict))
            json.string("text", verdict.text)
            json.string("bug", verdict.bug?.rawValue)
            json.string("because", verdict.bug?.sentence)
            if compared.offset < row.weeks.count { row.weeks[compared.offset].write(list.clock, to: &json) }
        }
    }
}
