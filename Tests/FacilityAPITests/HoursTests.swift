import Foundation
import Testing

/// The hours of facilities: by the rules that hold on a facility's page, and by the server's own in what it selects.
@Suite(.timeLimit(.minutes(15))) struct HoursTests {
    /// What the page of a facility says of its hours at an instant, at which its campus is made.
    private func remark(_ slug: String, at now: Date) async throws -> String {
        let page = try await Stand(at: now).ask("/api/facilities/\(slug)/?format=api")
        let remark = try #require(page.body.firstMatch(of: /<p>(.*)<\/p>/))
        return String(remark.output.1)
    }

    @Test(
        "The overnight facility is open, closes and opens when it says",
        arguments: [
            ("2026-09-14T06:59:00-04:00", "Closed, opens 2026-09-14T07:00:00-04:00"),
            ("2026-09-14T07:00:00-04:00", "Open, closes 2026-09-15T02:00:00-04:00"),
            ("2026-09-15T01:59:00-04:00", "Open, closes 2026-09-15T02:00:00-04:00"),
            ("2026-09-15T02:00:00-04:00", "Closed, opens 2026-09-15T07:00:00-04:00"),
            ("2026-09-19T08:00:00-04:00", "Closed, opens 2026-09-19T10:30:00-04:00"),
            ("2026-09-20T15:00:00-04:00", "Open, closes 2026-09-21T02:00:00-04:00"),
            ("2026-03-08T06:30:00Z", "Open, closes 2026-03-08T03:00:00-04:00"),
            ("2026-11-01T06:30:00Z", "Open, closes 2026-11-01T02:00:00-05:00"),
            ("2026-11-01T07:00:00Z", "Closed, opens 2026-11-01T10:30:00-05:00"),
        ]
    )
    func overnight(instant: String, says: String) async throws {
        #expect(try await remark("rivanna-kitchen", at: Stand.date(instant)) == says)
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
    func edgeCases(slug: String, instant: String, isOpen: Bool, serverSays: Bool) async throws {
        let now = Stand.date(instant)
        #expect(try await remark(slug, at: now).hasPrefix(isOpen ? "Open" : "Closed"))
        #expect(try await Stand(at: now).ask("/api/facilities/?open_now").column("slug").contains(slug) == serverSays)
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
    func switches() async throws {
        // Closed for inventory today, and by a special that ends at midnight.
        #expect(try await remark("gold-leaf-grill", at: Stand.noon) == "Closed, opens 2026-09-16T10:30:00-04:00")
        // The special ends at a midnight; Monday's own hours begin the morning after.
        #expect(try await remark("massanutten-library", at: Stand.noon) == "Open, closes 2026-09-21T00:00:00-04:00")
        #expect(try await remark("quad-market", at: Stand.noon) == "Open around the clock")
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
    func dates(text: String, written: String) async throws {
        let reply = try await schedule(from: text)
        #expect(try reply.status == 201 && reply.json["valid_start"] == .string(written))
    }

    @Test("What is no date is not read", arguments: ["today", "2026-13-01", "2026-02-30", "2026-01-01T25:00:00Z"])
    func noDates(text: String) async throws {
        let reply = try await schedule(from: text)
        #expect(reply.status == 400 && reply.body.hasPrefix(#"{"valid_start":["Datetime has wrong format."#))
    }

    /// What the editor is answered who writes a schedule that begins at a date.
    private func schedule(from text: String) async throws -> Stand.Reply {
        let fields = editor.merging(["Content-Type": "application/json"]) { $1 }
        let body = #"{"name":"Dated","valid_start":"\#(text)"}"#
        return try await Stand().ask("/api/schedules/", "POST", headers: fields, body: body)
    }
}
