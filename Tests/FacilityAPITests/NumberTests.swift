import Foundation
import Testing

/// Numbers at the ends of what an Int and a Double hold, wherever a request may have one.
@Suite(.timeLimit(.minutes(15))) struct NumberTests {
    private static let numbers = [
        "9223372036854775807", "-9223372036854775808", "9223372036854775808", "4611686018427387904", "1e308", "-1e308",
        "nan", "inf", "-1", "0.5",
    ]

    @Test(
        "No number in a target ends the stand-in",
        arguments: [
            "/api/3/action/datastore_search?resource_id=22f223e7-73f7-4842-935c-80a0ba5c3e5b&limit={}&offset={}",
            "/api/3/action/datastore_search?resource_id=22f223e7-73f7-4842-935c-80a0ba5c3e5b&offset={}",
            "/api/3/action/datastore_search?resource_id=RESOURCE&limit={}&offset={}",
            "/api/3/action/package_list?limit={}&offset={}",
            "/api/3/action/package_search?rows={}&start={}",
            "/api/3/action/package_search?facet.field=%5B%22tags%22%5D&facet.limit={}&facet.mincount={}",
            "/api/3/action/recently_changed_packages_activity_list?limit={}&offset={}",
            "/api/3/action/package_autocomplete?q=a&limit={}",
            "/entrypoint.php?query&page={}&page_size={}&type={}&weekdays={}&start_time={}&end_time={}",
            "/entrypoint.php?query&page={}&page_size=3",
            "/entrypoint.php?query&minimum_found={}&geo_radius={}&geocenter_lat={}&geocenter_lng={}",
            "/entrypoint.php?query&minimum_found=2&geocenter_lat=34&geocenter_lng={}",
            "/entrypoint.php?query&ids=({},{})",
            "/whatsopen/v2/alerts/{}/", "/whatsopen/v2/schedules/{}/", "/nm/api/individual/notice/{}.do",
        ]
    )
    func targets(target: String) async throws {
        let package = try await Stand().ask("/api/3/action/package_show?id=cycling-lanes").json["result"]
        let resource = try #require(package?["resources"]?.elements?.first?["id"]?.text)
        for number in Self.numbers {
            let filled = target.replacing("{}", with: number).replacing("RESOURCE", with: resource)
            let reply = try await Stand().ask(filled)
            #expect((200..<500).contains(reply.status), "\(filled)")
        }
    }

    @Test("The page after the scores that were asked for begins where they end")
    func next() async throws {
        let search = "/api/3/action/datastore_search?resource_id=22f223e7-73f7-4842-935c-80a0ba5c3e5b"
        for (window, next) in [("limit=5&offset=10", 15), ("limit=5&offset=9223372036854775807", 19)] {
            let links = try await Stand().ask("\(search)&\(window)").json["result"]?["_links"]
            #expect(links?["next"]?.text?.hasSuffix("&limit=5&offset=\(next)") == true, "\(window)")
        }
    }

    @Test("No number in a CloudKit query ends the stand-in")
    func query() async throws {
        let target = "/database/1/iCloud.BruinLife.MatthewDeCoste/production/public/records/query?ckAPIToken=t"
        for number in Self.numbers where Double(number)?.isFinite == true {
            let marker = Data(number.utf8).base64EncodedString()
            let bodies = [
                #"{"query":{"recordType":"DiningDay"},"resultsLimit":\#(number)}"#,
                #"{"query":{"recordType":"DiningDay"},"continuationMarker":"\#(marker)"}"#,
                #"{"query":{"recordType":"DiningDay","filterBy":[{"fieldName":"Day","comparator":"LESS_THAN","fieldValue":{"value":\#(number)}}]}}"#,
            ]
            for body in bodies {
                let reply = try await Stand().ask(target, "POST", body: body)
                #expect((200..<500).contains(reply.status), "\(body)")
            }
        }
    }
}
