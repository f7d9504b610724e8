import FacilityAPI
import Foundation
import Testing

@Suite(.timeLimit(.minutes(15))) struct WhatsOpenWireTests {
    @Test("A facility is written member by member in the server's order, compact, in real UTF-8")
    func facility() async throws {
        let body = try await Stand().ask("/api/facilities/dukes-donuts/").body
        let members = [
            #"{"slug":"dukes-donuts","facility_name":"Duke's Donuts & Café","logo":"https://cdn.campus.example/logos/"#,
            #""facility_location":{"id":3,"created":""#, #""modified":""#, #""building":"Otter Creek Hall""#,
            #""friendly_building":"","address":"4353 Chesapeake River Wy","campus_region":"fairfax","on_campus":true,"#,
            #""coordinate_location":{"type":"Point","coordinates":[-77.30605422374416,38.83191871206628]}},"#,
            #""facility_category":{"id":4,"created":""#, #","name":"Café"},"phone_number":"703-555-0113","#,
            #""facility_product_tags":["donuts","coffee","breakfast"],"facility_classifier":"shopmason","#,
            #""tapingo_url":"https://www.tapingo.com/order/restaurant/4023/","note":"Jalapeño"#,
            #""main_schedule":{"id":"#, #""open_times":[{"schedule":"#, #","modified":""#,
            #","start_day":0,"end_day":0,"start_time":"06:30:00","end_time":"19:00:00"},"#,
            #""name":"Duke's Donuts & Café [Fall / Spring Hours]","valid_start":null,"valid_end":null,"#,
            #""twenty_four_hours":false},"special_schedules":[],"modified":""#,
        ]
        var rest = body[...]
        for member in members {
            let found = try #require(rest.range(of: member), "\(member) is missing or out of order")
            rest = rest[found.upperBound...]
        }
        let modified = try #require(try JSON(reading: body)["modified"]?.text)
        #expect(modified.wholeMatch(of: #/2026-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{6}-0[45]:00/#) != nil)
    }

    @Test("An alert has a subject, a body and a link, its window without microseconds")
    func alert() async throws {
        let body = try await Stand().ask("/api/alerts/12/").body
        #expect(body.hasPrefix(#"{"id":12,"created":""#))
        #expect(body.contains(#""urgency_tag":"minor","subject":"Shorter hours over the break","body":"Most"#))
        #expect(
            body.hasSuffix(
                #""url":"https://campus.example/break","start_datetime":"2026-09-13T00:00:00-04:00","#
                    + #""end_datetime":"2026-09-24T00:00:00-04:00"}"#
            )
        )
    }

    @Test("Version 2.1 has labels, a classifier in characters, schedule switches and one message")
    func version21() async throws {
        let stand = Stand(apiVersion: .v2_1)
        let facility = try await stand.ask("/api/facilities/late-slice/").body
        #expect(
            facility.contains(
                #""facility_labels":["Fast Food"],"facility_classifier":["s","h","o","p","m","a","s","o","n"],"#
            )
        )
        #expect(facility.contains(#""twenty_four_hours":false,"schedule_for_removal":false,"promote_to_main":false}"#))
        let alert = try await stand.ask("/api/alerts/13/").body
        #expect(alert.contains(#""urgency_tag":"major","message":"Water main repair in The Union: The lower"#))
        #expect(!alert.contains("subject"))
        #expect(try await stand.ask("/api/locations/?campus_region=korea").body == "[]")
    }

    @Test("The data holds every edge case that clients have stumbled over")
    func edgeCases() async throws {
        let json = try await Stand().ask("/api/facilities/").json
        let rows = try #require(json.elements)
        func row(_ slug: String) throws -> JSON { try #require(rows.first { $0["slug"] == .string(slug) }) }
        let overnight = try #require(try row("rivanna-kitchen")["main_schedule"]?["open_times"]?.elements)
        #expect(overnight.contains { $0["start_day"] == 6 && $0["end_day"] == 0 })
        #expect(try row("quad-market")["main_schedule"]?["open_times"] == [])
        let closed = try #require(try row("gold-leaf-grill")["special_schedules"]?.elements?.first)
        #expect(closed["open_times"]?.elements?.allSatisfy { $0["start_time"] == $0["end_time"] } == true)
        let midnight = try row("night-owl-diner")["main_schedule"]?["open_times"]?.elements?.first
        #expect(midnight?["end_time"] == "23:59:59")
        let dateless = try row("harvest-bowl")["special_schedules"]?.elements?.first
        #expect(dateless?["valid_start"] == .null && dateless?["valid_end"] == .null)
        let typo = try row("moonlight-noodles")["main_schedule"]?["open_times"]?.elements?.first
        #expect(typo?["start_day"] == typo?["end_day"] && typo?["start_time"] == "22:00:00")
    }

    @Test("Phone numbers, classifiers and ordering links keep to what the API allows")
    func enumerations() async throws {
        let rows = try #require(try await Stand().ask("/api/facilities/").json.elements)
        for row in rows {
            let phone = try #require(row["phone_number"]?.text)
            #expect(phone.isEmpty || phone.wholeMatch(of: #/\(?\d{3}\)?[-.]?\d{3}[-.]?\d{4}/#) != nil)
            #expect(["", "shopmason"].contains(row["facility_classifier"]?.text))
            let link = try #require(row["tapingo_url"]?.text)
            #expect(link.isEmpty || link.hasPrefix("https://www.tapingo.com/"))
        }
    }
}
