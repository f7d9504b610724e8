import Foundation
import Lenses
import Store
import Testing
import Traffic

@Suite("What the places say of their answers, in a real browser", .serialized, .timeLimit(.minutes(15)))
struct PlaceTruthPageTests {
    /// An answer with its moment by the server's clock.
    private struct Answer {
        var method = "GET"
        let host: String
        let target: String
        let body: String
        var date = "Fri, 20 Nov 2026 17:00:00 GMT"
    }

    private static func facility(_ name: String) -> String {
        """
        {"slug":"den","facility_name":"\(name)","logo":"","facility_location":{"id":7,"building":"Hall",
        "friendly_building":"","address":"","campus_region":"fairfax","on_campus":true,
        "coordinate_location":{"type":"Point","coordinates":[-77.306,38.832]}},
        "facility_category":{"id":4,"name":"dining"},"phone_number":"","facility_product_tags":[],
        "facility_classifier":null,"tapingo_url":"","note":"","main_schedule":{"id":1,"open_times":[],
        "modified":"2019-01-24T13:03:27.330517-05:00","name":"Fall","valid_start":null,"valid_end":null,
        "twenty_four_hours":true},"special_schedules":[]}
        """
    }

    private static func alert(_ id: Int, _ subject: String) -> String {
        """
        {"id":\(id),"urgency_tag":"minor","subject":"\(subject)","body":"","url":"",
        "start_datetime":"2026-11-19T00:00:00-05:00","end_datetime":"2026-11-22T00:00:00-05:00"}
        """
    }

    private static let portal = "ckan0.cf.opendata.inter.prod-toronto.ca"

    /// A dataset that is a month behind, with no time of its last renewal but that of its last change.
    private static let dataset = """
        {"help":"https://portal.example/help","success":true,"result":{"id":"a","name":"a","title":"Parks",
        "refresh_rate":"Daily","metadata_modified":"2026-10-01T00:00:00.000000",
        "resources":[{"id":"r","name":"r","format":"CSV","url":"https://portal.example/r"}]}}
        """

    /// Thirty rows of which three have no pin, each for a reason of its own.
    private static var rows: String {
        let rows = (1...30).map { number -> String in
            let geometry =
                switch number {
                case 4: #"{"type":"Polygon","coordinates":[[[-79.3,43.6],[-79.2,43.6],[-79.3,43.7],[-79.3,43.6]]]}"#
                case 9: "null"
                case 12: #""here""#
                default: #"{"type":"Point","coordinates":[-79.3,43.6]}"#
                }
            return #"{"_id":\#(number),"geometry":\#(geometry)}"#
        }
        return
            #"{"help":"https://portal.example/help","success":true,"result":{"resource_id":"r","total":30,"limit":100,"#
            + #""fields":[{"id":"_id","type":"int"},{"id":"geometry","type":"text"}],"records":[\#(rows.joined(separator: ","))]}}"#
    }

    /// A day with one meal, one hall and one food, which has less than a gram of some nutrients.
    private static let menu = """
        {"date":"5/29/15","meals":{"Breakfast":{"halls":{"De Neve":{"hall":"De Neve",
        "openHour":7,"openMin":0,"closeHour":11,"closeMin":0,
        "sections":[{"name":"The Kitchen","foods":[{"name":"Oatmeal","type":"Vegan","recipe":"059101"}]}]}}}},
        "foods":{"059101":{"info":{"name":"Oatmeal","recipe":"059101","type":"Vegan","Calories":"150","Total Fat":"<1g",
        "Protein":"<1g","ingredients":"Oats","description":"Warm and creamy","country":""},
        "places":{"Breakfast":{"De Neve":true}}}}}
        """

    private static var menus: String {
        """
        {"records":[{"recordName":"5/29/15","recordType":"DiningDay","recordChangeTag":"i9z1",
        "fields":{"Day":{"value":1432882800000,"type":"TIMESTAMP"},
        "Data":{"value":"\(Data(menu.utf8).base64EncodedString())","type":"BYTES"}},
        "modified":{"timestamp":1432890000000},"deleted":false}]}
        """
    }

    private static var meetings: String {
        let all = (0..<522).map { number in
            """
            {"server_id":99,"meeting_id":\(number),"organization_key":"na","name":"Owls","start_time":"23:30:00",
            "time_zone":"Pacific/Auckland","weekday":7,"duration":3600,"virtual_information":{"url":"call me"}}
            """
        }
        return #"{"meta":{},"meetings":[\#(all.joined(separator: ","))]}"#
    }

    private static var answers: [Answer] {
        let campus = "api.srct.gmu.edu"
        return [
            Answer(host: campus, target: "/whatsopen/v2/facilities/", body: "[\(facility("Den"))]"),
            Answer(host: "other.test", target: "/whatsopen/v2/facilities/den/", body: facility("Elsewhere")),
            Answer(host: campus, target: "/whatsopen/v2/alerts/?all_alerts", body: "[\(alert(1, "Old words"))]"),
            Answer(
                host: campus,
                target: "/whatsopen/v2/alerts/",
                body: "[\(alert(1, "New words")),\(alert(2, "Added"))]",
                date: "Fri, 20 Nov 2026 18:00:00 GMT"
            ),
            Answer(host: portal, target: "/api/3/action/package_show?id=a", body: dataset),
            Answer(host: portal, target: "/api/3/action/datastore_search?id=r", body: rows),
            Answer(
                method: "POST",
                host: "api.apple-cloudkit.com",
                target: "/database/1/iCloud.BruinLife.MatthewDeCoste/production/public/records/query",
                body: menus
            ),
            Answer(host: "meetings.recovrr.org", target: "/entrypoint.php?query", body: meetings),
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
                fields: [("Content-Type", "application/json"), ("Date", answer.date)],
                length: bytes.count,
                offset: Int64(index)
            )
            exchange.response?.body.sha256 = Array(repeating: UInt8(index + 1), count: 32)
            _ = try await store.record(exchange, response: bytes)
        }
        try store.index()
        try store.close()
    }

    @Test(
        "A facility that is open 24 hours closes never; the sources of facilities and alerts are named with their time"
    )
    func facilities() async throws {
        try await PlacesPage.with(.nothing, preparing: Self.record) { page in
            try await page.open("/facilities?at=2026-11-20T12:00", until: "document.querySelector('tr.facility')")
            let row = try await page.browser.text("document.querySelector('tr.facility').innerText")
            #expect(row.contains("Den") && row.contains("Open 24 hours") && !row.contains("until"), "\(row)")
            let sum = try await page.browser.text("document.querySelector('#place .sum').textContent")
            let campus = "of api.srct.gmu.edu, last updated \(PlacesPage.day("Fri 20 Nov", of: 2026))"
            #expect(sum.hasPrefix("1 facility, from exchange 1 \(campus) 12:00. "), "\(sum)")
            #expect(sum.contains("Alerts from exchange 4 \(campus) 13:00. "), "\(sum)")
            let alerts = try await page.browser.text("document.querySelector('#place .alerts').innerText")
            #expect(
                alerts.contains("New words") && alerts.contains("Added") && !alerts.contains("Old words"),
                "\(alerts)"
            )
            try await page.browser.click("tr.facility .twist-button")
            try await page.browser.wait(
                until: "document.querySelector('.why').innerText.includes('24 hours a day')"
            )
            let why = try await page.browser.text("document.querySelector('.why').innerText")
            #expect(why.contains("exchange 1, last updated \(PlacesPage.day("Fri 20 Nov", of: 2026)) 12:00"), "\(why)")

            try await page.open("/facilities?at=2015-05-29T12:00", until: "document.querySelector('tr.facility')")
            let moment = "\(PlacesPage.day("Fri 29 May", of: 2015)) 12:00"
            #expect(try await page.browser.text("document.querySelector('.moment').textContent") == moment)
        }
    }

    @Test("A food is described, what is under a gram is no gram, and the halls are those of a moment")
    func menus() async throws {
        try await PlacesPage.with(.nothing, preparing: Self.record) { page in
            try await page.open("/menus?at=2015-05-29T08:00", until: "document.querySelector('button.food')")
            let told = try await page.browser.text("document.querySelector('.menu-tree').textContent")
            #expect(
                told.contains("\(PlacesPage.day("Fri 29 May", of: 2015)) 08:00")
                    && told.contains("open then"),
                "\(told)"
            )
            _ = try await page.browser.run(
                "document.querySelectorAll('.menu-tree details').forEach((one) => { one.open = true; })"
            )
            try await page.browser.click("button.food")
            try await page.browser.wait(until: "document.querySelectorAll('.nutrition tbody tr').length === 15")
            let food = try await page.browser.text("document.querySelector('.food-panel').innerText")
            #expect(food.contains("Warm and creamy"), "\(food)")
            let cells =
                "[...document.querySelectorAll('.nutrition tbody tr')].filter((row) => /Total Fat|Protein/.test(row.innerText)).map((row) => [...row.cells].map((cell) => cell.innerText.trim()).join('|')).join(';')"
            #expect(try await page.browser.text(cells) == "Total Fat|<1 g|under 2 %|0 %;Protein|<1 g|–|")
            try await page.open("/menus?at=2015-05-29T12:00", until: "document.querySelector('button.food')")
            #expect(try await page.browser.text("document.querySelectorAll('.menu-tree .badge').length") == "0")
        }
    }

    @Test(
        "A dataset has one age, by the clock of its answer, on its card and in the finding; its map counts the rows without a pin"
    )
    func datasets() async throws {
        try await PlacesPage.with(.nothing, preparing: Self.record) { page in
            try await page.open("/datasets", until: "document.querySelector('.card')")
            let card = try await page.browser.text("document.querySelector('.card').innerText")
            for words in [
                "stale, overdue by 48 days", "Daily, refreshed 2026-10-01, 50 days ago",
                "Map: 30 of 30 rows read, 27 Point, 1 Polygon", "3 rows without a pin: 4, 9, 12",
            ] {
                #expect(card.contains(words), "\(words): \(card)")
            }
            let finding = try await page.value(
                "(await ask('check?check=CK-11')).rules[0].findings[0].message"
            )
            #expect(
                finding == "a is Daily, was refreshed 2026-10-01, 50 days ago, and is overdue by 48 days",
                "\(finding)"
            )
        }
    }

    @Test("Every breach is counted, also of an exchange whose findings are cut")
    func findings() async throws {
        try await PlacesPage.with(.nothing, preparing: Self.record) { page in
            try await page.open("/findings?q=id:8", until: "document.querySelector('.rule[data-rule=VM-5]')")
            let rule = try await page.browser.text(
                "document.querySelector('.rule[data-rule=VM-5] summary').textContent"
            )
            #expect(rule.contains("522 in 1 exchange"), "\(rule)")
            let sum = try await page.browser.text("document.querySelector('#place .sum').textContent")
            let table = try await page.value(
                "(await ask('check?q=id:8')).rules.filter(({ severity }) => severity === 'breach').map(({ count }) => count).join()"
            )
            let counts = table.split(separator: ",").compactMap { Int($0) }
            let rules = counts.count == 1 ? "1 rule" : "\(counts.count) rules"
            #expect(
                sum.hasPrefix("\(counts.reduce(0, +)) breaches of \(rules)") && sum.contains("in 1 exchange of which"),
                "\(sum)"
            )
        }
    }
}
