import Foundation
import Testing

@Suite(.timeLimit(.minutes(15))) struct OtherAPIsTests {
    @Test(
        "The meeting server's functions answer with their statuses",
        arguments: [
            ("?query&type=-1", 200, #"{"meta":{"total":"#), ("?info", 200, #"{"server_version":"1.5.1","#),
            ("?brew", 418, "🫖"), ("?update", 403, "NOT AUTHORIZED"), ("?query&ids=(99,10", 400, "INVALID IDS"),
            ("?query&ids=all", 400, "INVALID IDS"), ("", 200, ""), ("?", 200, ""),
            ("?query&ids=(7,7)", 200, #"{"meta":{"total":0},"meetings":[]}"#),
            ("?query&page_size=10&page=9223372036854775807", 200, #""actual_size":0"#),
            ("?query&page_size=9223372036854775807&page=3", 200, #""actual_size":0"#),
            ("?query&page_size=-4", 200, #""actual_size":0"#), ("?query&start_time=99999999999999999999", 200, "meta"),
            ("?query&start_time=9000&end_time=3", 200, #"{"meta":{"total":0},"meetings":[]}"#),
        ]
    )
    func meetings(query: String, status: Int, text: String) async throws {
        let reply = try await Stand().ask("/entrypoint.php\(query)")
        #expect(reply.status == status)
        #expect(text.isEmpty ? reply.body.isEmpty : reply.body.contains(text))
    }

    @Test("An update is for who may, is done once an hour unless forced, and shows in info")
    func update() async throws {
        try await Stand().session { ask in
            let before = try await ask("/entrypoint.php?info", "GET", [:], nil).json["last_update_timestamp"]?.integer
            let done = try await ask("/entrypoint.php?update", "GET", editor, nil)
            #expect(done.status == 200 && done.body.hasPrefix(#"{"number_of_meetings":"#))
            let again = try await ask("/entrypoint.php?update", "GET", editor, nil)
            #expect(again.status == 204 && again.body.isEmpty)
            #expect(try await ask("/entrypoint.php?update&force&physical_only", "GET", editor, nil).status == 200)
            let after = try await ask("/entrypoint.php?info", "GET", [:], nil).json["last_update_timestamp"]?.integer
            #expect(after == Int(Stand.noon.timeIntervalSince1970) && before == (after ?? 0) - 5 * 3600)
        }
    }

    @Test("A radius is widened until enough are found, and no further than asked")
    func automaticRadius() async throws {
        let place = "/entrypoint.php?query&geocenter_lng=-79.07&geocenter_lat=38.15"
        let three = try await Stand().ask("\(place)&minimum_found=3").json
        #expect(three["meta"]?["total"] == 3 && three["meta"]?["radius_in_km"]?.integer == 1)
        let most = try await Stand().ask("\(place)&minimum_found=50&geo_radius=200").json
        #expect(most["meta"]?["radius_in_km"]?.integer == 200 && most["meta"]?["total"] == 5)
        #expect(try await Stand().ask("\(place)&geo_radius=30&type=-2").json["meta"]?["center_lat"] == nil)
    }

    @Test("Meetings that the client hides or misreads are there, each in its way, empty members left out")
    func oddMeetings() async throws {
        let all = try #require(try await Stand().ask("/entrypoint.php?query&ids=(140)").json["meetings"]?.elements)
        let odd = all.filter { ($0["meeting_id"]?.integer ?? 0) > 9000 }
        #expect(odd.count == 13 && odd[0]["time_zone"] == nil && odd[1]["time_zone"] == "US/Estern")
        #expect(odd[2]["weekday"] == nil && odd[3]["organization_key"] == nil)
        #expect(odd[4]["virtual_information"] == nil && odd[4]["physical_address"] == nil)
        #expect(all.first { $0["name"] == "Aurora" }?["duration"] == nil)
    }

    @Test("Meetings are selected by kind and paged")
    func meetingPages() async throws {
        let stand = Stand()
        let virtual = try await stand.ask("/entrypoint.php?query&type=-1").json
        let total = try #require(virtual["meta"]?["total"]?.integer)
        #expect(total > 90 && virtual["meetings"]?.elements?.count == total)
        #expect(virtual["meetings"]?.elements?.allSatisfy { $0["virtual_information"] != nil } == true)
        let inPerson = try await stand.ask("/entrypoint.php?query&type=2").json["meetings"]?.elements
        #expect(inPerson?.isEmpty == false && inPerson?.allSatisfy { $0["virtual_information"] == nil } == true)
        let page = try await stand.ask("/entrypoint.php?query&type=-1&page_size=20&page=1").json
        #expect(page["meta"]?["starting_index"] == 20 && page["meta"]?["actual_size"] == 20)
        #expect(page["meetings"]?.elements?.first?["meeting_id"] == virtual["meetings"]?.elements?[20]["meeting_id"])
        let near = try await stand.ask(
            "/entrypoint.php?query&geocenter_lng=-79.07&geocenter_lat=38.15&geo_radius=30"
        ).json
        #expect(near["meetings"]?.elements?.count == 3 && near["meta"]?["radius_in_km"]?.integer == 30)
    }

    @Test(
        "The open-data portal answers its actions and refuses in its ways",
        arguments: [
            ("package_search?rows=1", 200, #""success":true,"result":{"count":14,"sort":"score desc,"#),
            ("package_search?fq=tags:%22bike%20lane%22&rows=0", 200, #""count":2,"#),
            (
                "package_search?fq=owner_division:%22Parks,%20Forestry%20%26%20Recreation%22+formats:%22SHP%22", 200,
                #""count":1,"#
            ),
            ("package_search?q=caf%C3%A9", 200, #""name":"festivals-and-events""#),
            ("package_search?fq=tags:trees+metadata_modified%20desc", 200, #""count":0,"#),
            (
                "package_search?facet.field=%5B%22refresh_rate%22%5D&rows=0", 200,
                #""facets":{"refresh_rate":{"Daily":7,"#
            ),
            ("package_search?rows=-1", 409, #"{"rows":["Must be a natural number"],"__type":"Validation Error"}"#),
            ("package_search?rows=many", 409, "Invalid integer"),
            ("package_show?id=cycling-lanes", 200, #""name":"cycling-lanes","title":"Cycling Lanes""#),
            ("package_show?id=nothing", 404, "<html>"), ("package_show", 409, "Missing value"),
            ("recently_changed_packages_activity_list?limit=2&offset=60", 200, #""activity_type":"changed package""#),
            ("recently_changed_packages_activity_list?offset=60&limit=-3", 409, "Must be a natural number"),
            ("tag_list?", 200, #""result":["arts","beaches","#), ("package_list", 200, #"["bike-share-docks","#),
            ("package_autocomplete?q=cyc", 200, #""match_field":"name""#),
            ("datastore_search?id=nope", 404, "<html>"), ("datastore_search", 409, "Missing value"),
            ("brew_coffee", 400, #""Bad request: Action name not known: brew_coffee""#),
        ]
    )
    func openData(action: String, status: Int, text: String) async throws {
        let reply = try await Stand().ask("/api/3/action/\(action)")
        #expect(reply.status == status)
        #expect(reply.body.contains(text))
    }

    @Test("Rows of a dataset's resource come as many as asked, to its end")
    func datastore() async throws {
        let stand = Stand()
        let package = try await stand.ask("/api/3/action/package_show?id=outdoor-rinks").json["result"]
        let resource = try #require(package?["resources"]?.elements?.first?["id"]?.text)
        let rows = try await stand.ask("/api/3/action/datastore_search?id=\(resource)&limit=10&offset=50").json
        #expect(rows["result"]?["records"]?.elements?.count == 4 && rows["result"]?["total"] == 54)
        #expect(rows["result"]?["records"]?.elements?.first?["geometry"]?.text?.contains("Point") == true)
    }

    @Test("Notices come as a list and as pages")
    func notices() async throws {
        let stand = Stand()
        let list = try await stand.ask("/nm/notices.json?noticeDateFrom=2020-01-01&locationId=1")
        #expect(list.body.hasPrefix(#"{"Records":[{"noticeId":2871,"title":"Notice of Public Meeting"#))
        #expect(try await stand.ask("/nm/api/individual/notice/2880.do").body.contains("Elm Lane"))
        #expect(try await stand.ask("/nm/api/individual/notice/1.do").status == 404)
    }

    private static let base = "/database/1/iCloud.BruinLife.MatthewDeCoste/production/public/records"

    @Test("Menus are asked for by day, and decode to meals with foods that exist")
    func menus() async throws {
        let noon = Stand.noon.timeIntervalSince1970
        let filter = { (comparator: String, days: Double) in
            #"{"comparator":"\#(comparator)","fieldName":"Day","#
                + #""fieldValue":{"value":\#(Int((noon + days * 86_400) * 1000)),"type":"TIMESTAMP"}}"#
        }
        let body =
            #"{"zoneID":{"zoneName":"_defaultZone"},"resultsLimit":2,"query":{"recordType":"DiningDay","filterBy":["#
            + filter("GREATER_THAN_OR_EQUALS", 0) + "," + filter("LESS_THAN_OR_EQUALS", 4)
            + #"],"sortBy":[{"fieldName":"Day","ascending":true}]}}"#
        let reply = try await Stand().ask("\(Self.base)/query?ckAPIToken=t", "POST", body: body)
        #expect(reply.status == 200)
        let records = try #require(try reply.json["records"]?.elements)
        #expect(records.map { $0["recordName"] } == ["9/16/26", "9/17/26"])
        #expect(try reply.json["continuationMarker"] != nil)
        let data = try #require(records[0]["fields"]?["Data"]?["value"]?.text.flatMap { Data(base64Encoded: $0) })
        let menu = try JSON(reading: String(decoding: data, as: UTF8.self))
        #expect(menu["date"] == "9/16/26")
        let section = menu["meals"]?["Lunch"]?["halls"]?["Covel"]?["sections"]?.elements?.first
        let recipe = try #require(section?["foods"]?.elements?.first?["recipe"]?.text)
        let food = try #require(menu["foods"]?[recipe])
        #expect(food["places"]?["Lunch"]?["Covel"] == true)
        #expect(food["info"]?["Calories"]?.text.flatMap(Int.init) != nil)
        // Midnight in Los Angeles.
        #expect(records[0]["fields"]?["Day"]?["value"] == 1_789_542_000_000)
    }

    @Test("Pages of records follow one another by their marker")
    func continuation() async throws {
        let stand = Stand()
        var marker: String?
        var names: [String] = []
        for _ in 0..<4 {
            let continued = marker.map { #","continuationMarker":"\#($0)""# } ?? ""
            let body = #"{"resultsLimit":4,"query":{"recordType":"DiningDay"}\#(continued)}"#
            let page = try await stand.ask("\(Self.base)/query?ckAPIToken=t", "POST", body: body).json
            names += (page["records"]?.elements ?? []).compactMap { $0["recordName"]?.text }
            marker = page["continuationMarker"]?.text
            if marker == nil { break }
        }
        #expect(names.count == 9 && Set(names).count == 9 && marker == nil)
    }

    @Test(
        "CloudKit refuses with its codes, and reports a missing record inside a 200",
        arguments: [
            ("\(base)/query", "{}", 401, "AUTHENTICATION_FAILED"),
            ("\(base)/query?ckAPIToken=t", "{", 400, "BAD_REQUEST"),
            ("\(base)/query?ckAPIToken=t", #"{"query":{"recordType":"Nope"}}"#, 400, "Did not find record type"),
            (
                "\(base)/query?ckAPIToken=t", #"{"zoneID":{"zoneName":"z"},"query":{"recordType":"DiningDay"}}"#, 404,
                "ZONE_NOT_FOUND"
            ),
            ("\(base)/modify?ckAPIToken=t", "{}", 403, "ACCESS_DENIED"),
            ("/database/1/iCloud.other/production/public/records/query?ckAPIToken=t", "{}", 404, "NOT_FOUND"),
            (
                "/database/1/iCloud.BruinLife.MatthewDeCoste/production/private/records/query?ckAPIToken=t", "{}", 421,
                "redirectURL"
            ),
            ("/database/1", "{}", 404, "NOT_FOUND"),
            (
                "\(base)/lookup?ckAPIToken=t", #"{"records":[{"recordName":"quick"},{"recordName":"x"}]}"#, 200,
                #"{"recordName":"x","reason":"Record not found","serverErrorCode":"NOT_FOUND"}"#
            ),
        ]
    )
    func refusals(target: String, body: String, status: Int, text: String) async throws {
        let reply = try await Stand().ask(target, "POST", body: body)
        #expect(reply.status == status)
        #expect(reply.body.contains(text))
    }
}
