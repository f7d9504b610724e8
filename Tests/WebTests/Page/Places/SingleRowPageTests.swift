import Foundation
import Lenses
import Store
import Testing
import Traffic

@Suite("Places of which the captures hold one thing each, in a real browser", .serialized, .timeLimit(.minutes(15)))
struct SingleRowPageTests {
    private struct Answer {
        var method = "GET"
        let host: String
        let target: String
        let body: String
    }

    private static let facility = """
        [{"slug":"southside","facility_name":"Southside","logo":"","facility_location":{"id":7,"building":"Hall",
        "friendly_building":"","address":"","campus_region":"fairfax","on_campus":true,
        "coordinate_location":{"type":"Point","coordinates":[-77.306,38.832]}},
        "facility_category":{"id":4,"name":"dining"},"phone_number":"","facility_product_tags":[],
        "facility_classifier":null,"tapingo_url":"","note":"","main_schedule":{"id":1,"open_times":[],
        "modified":"2019-01-24T13:03:27.330517-05:00","name":"Fall","valid_start":null,"valid_end":null,
        "twenty_four_hours":false},"special_schedules":[]}]
        """

    private static let dataset = """
        {"help":"https://portal.example/help","success":true,"result":{"id":"a","name":"a","title":"Parks"}}
        """

    /// A day with one meal, one hall and one food.
    private static let menu = """
        {"date":"5/29/15","meals":{"Breakfast":{"halls":{"De Neve":{"hall":"De Neve",
        "openHour":7,"openMin":0,"closeHour":11,"closeMin":0,
        "sections":[{"name":"The Kitchen","foods":[{"name":"Oatmeal","type":"Vegan","recipe":"059101"}]}]}}}},
        "foods":{"059101":{"info":{"name":"Oatmeal","recipe":"059101","type":"Vegan","Calories":"150",
        "ingredients":"Oats","description":"","country":""},"places":{"Breakfast":{"De Neve":true}}}}}
        """

    private static var menus: String {
        """
        {"records":[{"recordName":"5/29/15","recordType":"DiningDay","recordChangeTag":"i9z1",
        "fields":{"Day":{"value":1432882800000,"type":"TIMESTAMP"},
        "Data":{"value":"\(Data(menu.utf8).base64EncodedString())","type":"BYTES"}},
        "modified":{"timestamp":1432890000000},"deleted":false}]}
        """
    }

    /// An answer of each place's server, with one thing in it.
    private static var answers: [Answer] {
        [
            Answer(host: "api.srct.gmu.edu", target: "/whatsopen/v2/facilities/?format=json", body: facility),
            Answer(
                host: "meetings.recovrr.org",
                target: "/entrypoint.php?query",
                body: #"{"meta":{},"meetings":[{"meeting_id":11}]}"#
            ),
            Answer(
                host: "ckan0.cf.opendata.inter.prod-toronto.ca",
                target: "/api/3/action/package_show?id=a",
                body: dataset
            ),
            Answer(
                method: "POST",
                host: "api.apple-cloudkit.com",
                target: "/database/1/iCloud.BruinLife.MatthewDeCoste/production/public/records/query",
                body: menus
            ),
        ]
    }

    /// Records the answers in a store at a path.
    private static func record(in path: String) async throws {
        let store = try TrafficStore(path: path, access: .writing, classifier: LensSet.standard)
        for (index, answer) in answers.enumerated() {
            let bytes = Array(answer.body.utf8)
            var exchange = Recorded.exchange(
                method: answer.method,
                host: answer.host,
                target: answer.target,
                length: bytes.count,
                offset: Int64(index)
            )
            exchange.response?.body.sha256 = Array(repeating: UInt8(index + 1), count: 32)
            _ = try await store.record(exchange, response: bytes)
        }
        try store.index()
        try store.close()
    }

    @Test("A number of one stands before a noun that is of one thing")
    func nouns() async throws {
        try await PlacesPage.with(.nothing, preparing: Self.record) { page in
            for (place, element, words) in [
                ("facilities", ".sum", "1 facility, from"), ("meetings", ".sum", "1 meeting, from"),
                ("datasets", ".sum", "1 dataset, "), ("menus", ".menu-tree", " 1 food"),
                ("findings?q=id:1", ".sum", "in 1 exchange of which 1 has rules."),
            ] {
                let found = "document.querySelector('#place \(element)')?.textContent"
                try await page.open("/\(place)", until: "\(found)?.includes('1 ')")
                let told = try await page.browser.text(found)
                #expect(told.contains(words), "\(place): \(told)")
                #expect(!told.contains(/\b1 (facilities|meetings|datasets|foods|exchanges)/), "\(place): \(told)")
            }
        }
    }
}
