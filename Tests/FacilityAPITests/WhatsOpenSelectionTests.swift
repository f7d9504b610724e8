import Foundation
import Testing

@Suite(.timeLimit(.minutes(15))) struct WhatsOpenSelectionTests {
    @Test(
        "A query selects facilities",
        arguments: [
            ("facility_name=Duke%27s+Donuts+%26+Caf%C3%A9", ["dukes-donuts"]),
            ("facility_name=duke", []),
            ("facility_category__name=Caf%C3%A9&facility_location__campus_region=arlington", ["founders-espresso"]),
            ("facility_location__campus_region=arlington", ["founders-espresso", "founders-table"]),
            ("facility_location__campus_region=narnia", []),
            ("facility_location__on_campus=false", ["mall-pho"]), ("facility_location__on_campus=maybe", []),
            (
                "facility_location__friendly_building=The+Union%2C+lower+level&ordering=slug",
                ["gold-leaf-grill", "moonlight-noodles", "student-health"]
            ),
            ("main_schedule__twenty_four_hours=true", ["quad-market", "tower-laundry"]),
            ("special_schedules__twenty_four_hours=True", ["massanutten-library"]),
            ("special_schedules__name=Orientation+week", ["bull-run-brews"]),
            ("special_schedules__valid_start=2026-09-15", ["gold-leaf-grill", "tower-laundry"]),
            ("special_schedules__valid_start=soon", []),
            ("facility_product_tags__name=tacos", ["rappahannock-tacos"]),
            ("search=union,tacos", ["rappahannock-tacos"]), ("search=CAF%C3%89%20donuts", ["dukes-donuts"]),
            ("search=buffet&ordering=-facility_name", ["rivanna-kitchen", "founders-table", "bull-run-grill"]),
            (
                "facility_category__name=Office&ordering=facility_location,slug",
                ["parking-services", "registrar-window", "it-help-desk", "student-health"]
            ),
            ("unknown=1&facility_name=&search=kolaches", ["dukes-donuts"]),
        ]
    )
    func facilities(query: String, slugs: [String]) async throws {
        let reply = try await Stand().ask("/whatsopen/v2/facilities/?\(query)")
        #expect(reply.status == 200)
        #expect(try reply.column("slug") == slugs)
    }

    @Test("Facilities come by name, and open and closed ones part them without a rest")
    func flags() async throws {
        try await Stand().session { ask in
            let all = try await ask("/api/facilities/", "GET", [:], nil).column("facility_name")
            let open = try await ask("/api/facilities/?open_now", "GET", [:], nil).column("facility_name")
            let closed = try await ask("/api/facilities/?closed_now=anything", "GET", [:], nil).column("facility_name")
            #expect(all.count >= 25 && all == all.sorted())
            #expect(!open.isEmpty && !closed.isEmpty && Set(open).isDisjoint(with: closed))
            #expect((open + closed).sorted() == all)
        }
    }

    @Test(
        "Alerts are the due ones unless all are asked for",
        arguments: [
            ("", ["info", "minor", "major", "emergency", "Info"]),
            ("?urgency_tag=major", ["major"]), ("?urgency_tag=Info", []),
            ("?all_alerts", ["info", "minor", "major", "emergency", "info", "minor", "Info"]),
            ("?ordering=-urgency_tag", ["minor", "major", "info", "Info", "emergency"]),
            ("?start_datetime=2026-09-15T00:00:00-04:00&ordering=urgency_tag", ["emergency", "major"]),
        ]
    )
    func alerts(query: String, urgencies: [String]) async throws {
        let reply = try await Stand().ask("/api/alerts/\(query)")
        #expect(try reply.column("urgency_tag") == urgencies)
    }

    @Test("Two categories share a name; two locations a building; one location has no friendly name")
    func twins() async throws {
        let stand = Stand()
        #expect(try await stand.ask("/api/categories/?name=Office").column("id") == ["5", "8"])
        #expect(try await stand.ask("/api/categories/").column("name").first == "Café")
        let union = try await stand.ask("/api/locations/?building=Shenandoah+Union")
        #expect(try union.column("friendly_building") == ["The Union", "The Union, lower level"])
        #expect(try await stand.ask("/api/locations/3/").body.contains(#""friendly_building":"","#))
    }

    @Test("The schedules list leaves out what is past; a facility still serves it")
    func pastSpecials() async throws {
        let stand = Stand()
        let names = try await stand.ask("/api/schedules/").column("name")
        #expect(names == names.sorted())
        #expect(!names.contains("Orientation week") && names.contains("Finals: open all night"))
        #expect(try await stand.ask("/api/facilities/bull-run-brews/").body.contains(#""name":"Orientation week""#))
    }
}
