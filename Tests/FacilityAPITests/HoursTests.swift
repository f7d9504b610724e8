import Foundation
import Testing

@testable import FacilityAPI

@Suite(.timeLimit(.minutes(15))) struct HoursTests {
    private let time: WallTime

    init() throws {
        time = try WallTime(zone: "America/New_York")
    }

    private func facility(_ slug: String, seededAt now: Date = Stand.noon) throws -> ListedFacility {
        let catalogue = try CampusSeed(time: time, now: now).catalogue()
        return try #require(catalogue.listedFacilities.first { $0.facility.slug == slug })
    }

    @Test(
        "The overnight facility is open, closes and opens when it says",
        arguments: [
            ("2026-09-14T06:59:00-04:00", false, nil, "2026-09-14T07:00:00-04:00"),
            ("2026-09-14T07:00:00-04:00", true, "2026-09-15T02:00:00-04:00", "2026-09-15T07:00:00-04:00"),
            ("2026-09-15T01:59:00-04:00", true, "2026-09-15T02:00:00-04:00", "2026-09-15T07:00:00-04:00"),
            ("2026-09-15T02:00:00-04:00", false, nil, "2026-09-15T07:00:00-04:00"),
            ("2026-09-19T08:00:00-04:00", false, nil, "2026-09-19T10:30:00-04:00"),
            ("2026-09-20T15:00:00-04:00", true, "2026-09-21T02:00:00-04:00", "2026-09-21T07:00:00-04:00"),
            ("2026-03-08T06:30:00Z", true, "2026-03-08T03:00:00-04:00", "2026-03-08T10:30:00-04:00"),
            ("2026-11-01T06:30:00Z", true, "2026-11-01T02:00:00-05:00", "2026-11-01T10:30:00-05:00"),
            ("2026-11-01T07:00:00Z", false, nil, "2026-11-01T10:30:00-05:00"),
        ] as [(String, Bool, String?, String)]
    )
    func overnight(instant: String, isOpen: Bool, closes: String?, opensNext: String) throws {
        let now = Stand.date(instant)
        let row = try facility("rivanna-kitchen", seededAt: now)
        let answer = try #require(OpeningHours(time: time).answer(for: row, at: now))
        #expect(answer.isOpen == isOpen)
        #expect(answer.isOpenToday)
        #expect(answer.closes.map(time.rfc3339) == closes)
        #expect(answer.opensNext.map(time.rfc3339) == opensNext)
    }

    @Test(
        "Each edge case is judged by the rules that hold, and by the server as the server would",
        arguments: [
            ("quad-market", "2026-09-15T03:00:00-04:00", true, true),  // C
            ("gold-leaf-grill", "2026-09-15T12:00:00-04:00", false, false),  // D, closed all day
            ("gold-leaf-grill", "2026-09-15T00:00:00-04:00", false, true),  // D, the server's one second
            ("massanutten-library", "2026-09-15T03:00:00-04:00", true, true),  // E
            ("rappahannock-tacos", "2026-09-17T03:00:00-04:00", true, true),  // F
            ("night-owl-diner", "2026-09-15T23:59:59.5-04:00", true, false),  // G
            ("founders-table", "2026-09-15T15:00:00-04:00", false, false),  // I, between sittings
            ("founders-table", "2026-09-15T17:30:00-04:00", true, true),  // I, the second
            ("moonlight-noodles", "2026-09-15T23:00:00-04:00", true, false),  // J
            ("cedar-meadow-farm-stand", "2026-09-15T12:00:00-04:00", false, false),  // K
            ("harvest-bowl", "2026-09-15T12:00:00-04:00", true, true),  // L, the dateless special is passed over
            ("bull-run-brews", "2026-09-15T19:00:00-04:00", false, false),  // P, the past special too
            ("late-slice", "2026-09-20T00:30:00-04:00", true, true),  // B
            ("rivanna-kitchen", "2026-09-15T02:00:00-04:00", false, true),  // A, the closing instant
            ("rivanna-kitchen", "2026-09-14T01:00:00-04:00", true, true),  // A, Sunday into Monday
        ]
    )
    func edgeCases(slug: String, instant: String, isOpen: Bool, serverSays: Bool) throws {
        let row = try facility(slug)
        let now = Stand.date(instant)
        #expect(OpeningHours(time: time).answer(for: row, at: now)?.isOpen == isOpen)
        #expect(ServerHours(time: time).isOpen(row, at: now) == serverSays)
    }

    @Test("A server whose clock is in another zone selects by the hours there, and by the campus's dates of specials")
    func otherZone() async throws {
        // 07:30 in New York; the kitchen opens at 10:30, the library's special is in force.
        let sunday = Stand.date("2026-09-20T11:30:00Z")
        let open = { (zone: String) in
            try await Stand(at: sunday, hoursZone: zone).ask("/api/facilities/?open_now").column("slug")
        }
        let (here, there) = (try await open("America/New_York"), try await open("GMT"))
        #expect(!here.contains("rivanna-kitchen") && there.contains("rivanna-kitchen"))
        #expect(here.contains("massanutten-library") && there.contains("massanutten-library"))
    }

    @Test("Hours are cut where a special begins or ends, and what opens next is found beyond it")
    func switches() throws {
        let closedForInventory = try facility("gold-leaf-grill")
        let answer = OpeningHours(time: time).answer(for: closedForInventory, at: Stand.noon)
        #expect(answer?.opensNext.map(time.rfc3339) == "2026-09-16T10:30:00-04:00")
        let library = try facility("massanutten-library")
        let finals = OpeningHours(time: time).answer(for: library, at: Stand.noon)
        // The special ends at a midnight; Monday's own hours begin the morning after.
        #expect(finals?.closes.map(time.rfc3339) == "2026-09-21T00:00:00-04:00")
        #expect(finals?.opensNext.map(time.rfc3339) == "2026-09-21T07:30:00-04:00")
        let roundTheClock = OpeningHours(time: time).answer(for: try facility("quad-market"), at: Stand.noon)
        #expect(roundTheClock?.isOpen == true && roundTheClock?.closes == nil)
    }

    @Test(
        "Dates are written and read with the campus's offset",
        arguments: [
            ("2026-07-04T00:00:00-04:00", "2026-07-04T00:00:00-04:00"),
            ("2018-08-21T09:46:16.992915-04:00", "2018-08-21T09:46:16.992915-04:00"),
            ("2026-12-01T12:00:00Z", "2026-12-01T07:00:00-05:00"),
            ("2026-11-01T01:30:00-05:00", "2026-11-01T01:30:00-05:00"),
            ("2026-11-01T01:30:00-04:00", "2026-11-01T01:30:00-04:00"),
            ("2024-02-29", "2024-02-29T00:00:00-05:00"), ("2026-09-15 12:00", "2026-09-15T12:00:00-04:00"),
            ("1969-12-31T23:59:59.5Z", "1969-12-31T18:59:59.500000-05:00"),
        ]
    )
    func dates(text: String, written: String) throws {
        #expect(time.date(reading: text).map(time.rfc3339) == written)
    }

    @Test("What is no date is not read", arguments: ["", "today", "2026-13-01", "2026-02-30", "2026-01-01T25:00:00Z"])
    func noDates(text: String) {
        #expect(time.date(reading: text) == nil)
    }
}
