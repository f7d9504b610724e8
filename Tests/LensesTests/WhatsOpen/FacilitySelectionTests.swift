import Lenses
import Testing

@Suite(.timeLimit(.minutes(15)))
struct FacilitySelectionTests {
    private func rows() throws -> [FacilityRow] {
        let allDay = CampusSample.schedule(allDay: true)
        let json = [
            CampusSample.json(
                "b",
                name: "Dunkin' Donuts",
                main: CampusSample.schedule(CampusSample.entries([0], "06:00:00", "07:00:00")),
                region: "arlington"
            ),
            CampusSample.json("a", name: "Argo Tea", main: allDay),
            CampusSample.json("c", name: "Zoo", region: "prince william", more: #","facility_labels":["Rare Birds"]"#),
        ]
        let now = try CampusSample.moment("2026-09-14T12:00")
        let clock = CampusClock(CampusSample.zone, around: now)
        return try json.map { FacilityRow(try CampusSample.facility(json: $0), at: now, clock: clock) }
    }

    /// A change of the selection, with the slugs that it selects.
    private static let changes: [(change: @Sendable (inout FacilitySelection) -> Void, slugs: [String])] = [
        ({ _ in }, ["a", "b", "c"]), ({ $0.isOpen = true }, ["a"]), ({ $0.isOpen = false }, ["b", "c"]),
        ({ $0.isOpenToday = true }, ["a", "b"]), ({ $0.campuses = ["Fairfax", "arlington"] }, ["a", "b"]),
        ({ $0.categories = ["cafe"] }, ["a", "b", "c"]), ({ $0.categories = ["office"] }, []),
        ({ $0.locations = ["tidewater"] }, ["a", "b", "c"]), ({ $0.locations = ["moon"] }, []),
        ({ $0.search = "rare" }, ["c"]), ({ $0.search = "dunkin’ coffee" }, ["b"]),
        ({ $0.search = "CAFÉ" }, ["a", "b", "c"]),
        ({ $0.search = "tea zoo" }, []), ({ $0.order = .nameBackwards }, ["c", "b", "a"]),
        ({ $0.order = .location }, ["a", "b", "c"]),
        (
            {
                $0.order = .nameBackwards
                $0.putsOpenFirst = true
            }, ["a", "c", "b"]
        ),
    ]

    @Test("Filters, search and order", arguments: changes.indices)
    func selects(place: Int) throws {
        let (change, slugs) = Self.changes[place]
        var selection = FacilitySelection()
        change(&selection)
        #expect(selection.select(try rows()).map(\.facility.slug) == slugs)
    }

    @Test("A week of every client is compared with the facility's own hours")
    func week() throws {
        let json = CampusSample.json(main: CampusSample.schedule(CampusSample.overnight))
        let facility = try CampusSample.facility(json: json)
        let now = try CampusSample.moment("2026-09-14T12:00")
        let clock = CampusClock(CampusSample.zone, around: now)
        let row = FacilityRow(facility, at: now, clock: clock, clients: HoursClient.allCases, isWeekly: true)
        #expect(row.weeks.count == HoursClient.allCases.count && row.weeks.first?.minutesWrong == 1_050)
    }
}
