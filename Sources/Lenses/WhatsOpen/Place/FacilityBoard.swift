import Foundation
package import Traffic

/// The facilities at a moment, with what clients make of them.
package struct FacilityBoard: PlaceBoard {
    package let list: CampusListing<FacilityRow>
    /// The answers that single facilities are from, by slug, where that is not the list's.
    private let others: [String: CampusSource]
    /// How many facilities of other servers are left out.
    private let leftOut: Int

    init(_ rows: [FacilityRow], of finding: CampusFinding<Facility>, at now: Date, clock: CampusClock) {
        list = CampusListing(rows, of: finding, at: now, clock: clock)
        (others, leftOut) = (finding.others, finding.elsewhere.count)
    }

    /// `from exchange 1 of localhost, last updated …; 2 of them from exchange 5 of localhost, last updated …; 1 of another server is left out`.
    package var origin: String {
        switch leftOut {
        case 0: parts
        case 1: parts + "; 1 of another server is left out"
        default: parts + "; \(leftOut) of other servers are left out"
        }
    }

    /// The answers that the facilities are from.
    private var parts: String {
        guard let newest = others.values.max(by: { ($0.moment, $0.exchange) < ($1.moment, $1.exchange) }) else {
            return list.origin
        }
        let exchanges = Set(others.values.map(\.exchange)).count
        let from = exchanges == 1 ? "from " : "from \(exchanges) exchanges, the newest "
        return list.origin + "; \(others.count) of them \(from)\(newest.words(list.clock))"
    }

    package func write(to json: inout JSONWriter) { list.write("facilities", to: &json, write) }

    private func write(_ row: FacilityRow, to json: inout JSONWriter) {
        row.facility.write(row.status, list.clock, to: &json)
        let source = others[row.facility.slug] ?? list.source
        json.integer("exchange", source.exchange)
        json.string("captured", list.clock.timestamp(source.moment))
        json.objects("hours", row.week) { opening, json in
            json.string("start", opening.start.map(list.clock.timestamp))
            json.string("end", opening.end.map(list.clock.timestamp))
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
