/// The requests that the four clients send, in the order each sends them.
///
/// Together they show every known bug of the clients and their servers; a comment names the bugs that a request is there for.
struct DemoPlan: Sendable {
    /// A list for each app: the lists run side by side, and the requests of a list one after the other.
    let requests: [[DemoRequest]]

    /// Plans the requests to the servers of a demonstration.
    init(_ origin: DemoOrigin) {
        requests = [
            DemoPlan.campusOnIOS(origin),
            DemoPlan.campusOnAndroid(origin.secure + "/whatsopen/v2"),
            DemoPlan.meetings(origin.secure + "/entrypoint.php", odd: origin.odd + "/entrypoint.php"),
            DemoPlan.openData(
                origin.secure + "/api/3/action",
                odd: origin.odd + "/api/3/action",
                notices: origin.plain + "/nm"
            ),
            DemoPlan.menus(origin.secure + "/database/1/iCloud.BruinLife.MatthewDeCoste"),
        ]
    }

    private static func meetings(_ api: String, odd: String) -> [DemoRequest] {
        [
            DemoRequest(.meetings, "GET", api + "?info"),
            DemoRequest(.meetings, "GET", api + "?query&type=-1"),  // V2, V3, V4, V5
            DemoRequest(.meetings, "GET", api + "?query&ids=(99,146),(122,11)"),
            DemoRequest(.meetings, "GET", api + "?query&ids=(7,7)"),  // V1
            // V6
            DemoRequest(.meetings, "GET", api + "?query&type=0&geocenter_lng=0&geocenter_lat=0&geo_radius=20000"),
            DemoRequest(.meetings, "GET", api + "?brew", status: 418),
            DemoRequest(.meetings, "GET", odd + "?query&type=-1"),  // V7: a marathon of a meeting is in progress there
        ]
    }

    private static func openData(_ api: String, odd: String, notices: String) -> [DemoRequest] {
        let get = { (path: String, fields: [(name: String, value: String)], status: Int) in
            DemoRequest(.openData, "GET", path, fields: fields, status: status)
        }
        return [
            get(api + "/recently_changed_packages_activity_list?limit=30", [], 200),
            get(api + "/tag_list", [], 200),
            get(api + "/package_search?facet.field=%5B%22topics%22%5D", [], 200),
            get(api + "/package_search?fq=tags:trees+metadata_modified%20desc", [], 200),  // C1
            get(api + "/package_search?fq=tags:bike%20lane", [], 200),  // C2
            // C3: the maps of a dataset of lines and of one of sets of points.
            get(api + "/datastore_search?id=690ee252-4f5a-410c-9c1e-000000f40dd2", [], 200),
            get(api + "/datastore_search?id=69fb2df9-4f5a-410c-9c1e-000001647e25", [], 200),
            get(api + "/package_activity_list?id=Cycling%20Lanes", [], 404),  // C4
            get(api + "/package_search?q=budget", [("X-Fault", "success-false")], 200),  // C5
            get(api + "/package_show?id=no-such-dataset", [], 404),  // C6
            get(notices + "/notices.json?noticeDateFrom=2020-01-01&locationId=1", [], 200),  // C7
            get(notices + "/notices.json?locationId=1", [("X-Fault", "500")], 500),
            get(odd + "/recently_changed_packages_activity_list?limit=30", [], 400),  // C8
        ]
    }

    private static func menus(_ container: String) -> [DemoRequest] {
        let days =
            #"{"resultsLimit":200,"query":{"recordType":"DiningDay","sortBy":[{"fieldName":"Day","ascending":true}]}}"#
        let production = container + "/production/public/records"
        return [
            menu(production + "/query", days),
            menu(production + "/lookup", #"{"records":[{"recordName":"quick"}]}"#),
            menu(production + "/lookup", #"{"records":[{"recordName":"1/1/15"}]}"#),
            menu(production + "/query", #"{"query":{"recordType":"DiningDay"}}"#, fault: "429", status: 429),
            // B1, B2, B3, B5 and B6: what a newer program wrote; B4: a type that the app never asks for.
            menu(container + "/development/public/records/query", days),
            menu(production + "/query", #"{"query":{"recordType":"QuickMenu"}}"#),
        ]
    }

    private static func menu(_ url: String, _ body: String, fault: String? = nil, status: Int = 200) -> DemoRequest {
        let fields = [("Content-Type", "application/json")] + (fault.map { [("X-Fault", $0)] } ?? [])
        return DemoRequest(.menus, "POST", url + "?ckAPIToken=demo", fields: fields, body: body, status: status)
    }
}
