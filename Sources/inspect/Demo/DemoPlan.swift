/// The requests that the four clients send, in the order each sends them.
struct DemoPlan: Sendable {
    /// One list for each app: they run side by side, the requests of one after the other.
    let requests: [[DemoRequest]]

    /// The plan against servers on this machine.
    init(_ origin: DemoOrigin) {
        requests = [
            DemoPlan.campusOnIOS(origin.secure + "/whatsopen/v2"),
            DemoPlan.campusOnAndroid(origin.secure + "/whatsopen/v2"),
            DemoPlan.meetings(origin.secure + "/entrypoint.php"),
            DemoPlan.openData(origin.secure + "/api/3/action", notices: origin.plain + "/nm"),
            DemoPlan.menus(origin.secure + "/database/1/iCloud.BruinLife.MatthewDeCoste/production/public/records"),
        ]
    }

    /// Asks whether the server is there, loads everything, refreshes, and meets its errors.
    private static func campusOnIOS(_ api: String) -> [DemoRequest] {
        let json = [("Accept", "application/json")]
        return [
            DemoRequest(.whatsOpenIOS, "HEAD", api + "/facilities/?format=json"),
            DemoRequest(.whatsOpenIOS, "GET", api + "/facilities/?format=json"),
            DemoRequest(.whatsOpenIOS, "GET", api + "/alerts/?format=json"),
            DemoRequest(
                .whatsOpenIOS,
                "GET",
                api + "/facilities/?format=json",
                fields: [("If-None-Match", "*")],
                status: 304
            ),
            DemoRequest(.whatsOpenIOS, "GET", api + "/facilities/?format=json&open_now"),
            DemoRequest(.whatsOpenIOS, "GET", api + "/categories/?format=json", fields: json),
            DemoRequest(.whatsOpenIOS, "OPTIONS", api + "/facilities/", fields: json),
            DemoRequest(.whatsOpenIOS, "GET", api + "/facilities/no-such-place/?format=json", status: 404),
            DemoRequest(
                .whatsOpenIOS,
                "GET",
                api + "/facilities/?format=json",
                fields: [("X-Fault", "500")],
                status: 500
            ),
            DemoRequest(.whatsOpenIOS, "GET", api + "/alerts/?format=json", fields: [("X-Fault", "429")], status: 429),
        ]
    }

    /// Asks without the slash, is sent to the address with it, and may not change anything.
    private static func campusOnAndroid(_ api: String) -> [DemoRequest] {
        let form = [("Content-Type", "application/json; charset=UTF-8")]
        return [
            DemoRequest(.whatsOpenAndroid, "GET", api + "/facilities", status: 301),
            DemoRequest(.whatsOpenAndroid, "GET", api + "/facilities/"),
            DemoRequest(.whatsOpenAndroid, "GET", api + "/alerts", status: 301),
            DemoRequest(.whatsOpenAndroid, "GET", api + "/alerts/"),
            DemoRequest(
                .whatsOpenAndroid,
                "POST",
                api + "/schedules/",
                fields: form,
                body: #"{"name":"Finals","open_times":[]}"#,
                status: 403
            ),
        ]
    }

    private static func meetings(_ api: String) -> [DemoRequest] {
        [
            DemoRequest(.meetings, "GET", api + "?info"),
            DemoRequest(.meetings, "GET", api + "?query&type=-1"),
            DemoRequest(.meetings, "GET", api + "?query&ids=(99,146),(122,11)"),
            DemoRequest(.meetings, "GET", api + "?brew", status: 418),
        ]
    }

    private static func openData(_ api: String, notices: String) -> [DemoRequest] {
        [
            DemoRequest(.openData, "GET", api + "/recently_changed_packages_activity_list?limit=30"),
            DemoRequest(.openData, "GET", api + "/tag_list"),
            DemoRequest(.openData, "GET", api + "/package_search?facet.field=%5B%22topics%22%5D"),
            DemoRequest(.openData, "GET", api + "/package_show?id=no-such-dataset", status: 404),
            DemoRequest(.openData, "GET", notices + "/notices.json?noticeDateFrom=2020-01-01&locationId=1"),
            DemoRequest(
                .openData,
                "GET",
                notices + "/notices.json?locationId=1",
                fields: [("X-Fault", "500")],
                status: 500
            ),
        ]
    }

    private static func menus(_ api: String) -> [DemoRequest] {
        let json = [("Content-Type", "application/json")]
        return [
            DemoRequest(
                .menus,
                "POST",
                api + "/query?ckAPIToken=demo",
                fields: json,
                body:
                    #"{"resultsLimit":200,"query":{"recordType":"DiningDay","sortBy":[{"fieldName":"Day","ascending":true}]}}"#
            ),
            DemoRequest(
                .menus,
                "POST",
                api + "/lookup?ckAPIToken=demo",
                fields: json,
                body: #"{"records":[{"recordName":"quick"}]}"#
            ),
            DemoRequest(
                .menus,
                "POST",
                api + "/query?ckAPIToken=demo",
                fields: json + [("X-Fault", "429")],
                body: #"{"query":{"recordType":"DiningDay"}}"#,
                status: 429
            ),
        ]
    }
}
