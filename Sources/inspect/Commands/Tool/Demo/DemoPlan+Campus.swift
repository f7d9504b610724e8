/// The requests of the two What's Open apps, and of the editor who changes what they show.
extension DemoPlan {
    private static let json = [("Accept", "application/json")]

    /// The iPhone app asks whether the server is there, loads everything, meets its errors and an odd installation, loads anew after an edit, and looks
    /// twice at one facility.
    static func campusOnIOS(_ origin: DemoOrigin) -> [DemoRequest] {
        let api = origin.secure + "/whatsopen/v2"
        let odd = origin.odd + "/whatsopen/v2"
        return [
            phone("HEAD", api + "/facilities/?format=json"), phone("GET", api + "/facilities/?format=json"),
            phone("GET", api + "/alerts/?format=json"),
            phone("GET", api + "/facilities/?format=json", fields: [("If-None-Match", "*")], status: 304),
            phone("GET", api + "/facilities/?format=json&open_now"),
            phone("GET", api + "/categories/?format=json", fields: json),
            phone("OPTIONS", api + "/facilities/", fields: json),
            phone("GET", api + "/facilities/no-such-place/?format=json", status: 404),
            phone("GET", api + "/facilities/?format=json", fields: [("X-Fault", "500")], status: 500),
            phone("GET", api + "/alerts/?format=json", fields: [("X-Fault", "429")], status: 429),
            // Sv3: this server's clock is in another zone. T7: a time that is none. T11: no main schedule.
            phone("GET", odd + "/facilities/?format=json&open_now"),
            phone("GET", odd + "/facilities/it-help-desk/?format=json"),
            phone("GET", odd + "/facilities/student-health/?format=json"), edit(origin),
            phone("GET", api + "/facilities/?format=json"), phone("GET", api + "/alerts/?format=json"),
            // The second answer is changed by a rule.
            phone("GET", api + "/facilities/\(DemoRule.facility)/?format=json"),
            phone("GET", api + "/facilities/\(DemoRule.facility)/?format=json"),
        ]
    }

    /// The Android app asks without the slash, is sent to the address with it, and may not change anything.
    static func campusOnAndroid(_ api: String) -> [DemoRequest] {
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

    private static func phone(
        _ method: String,
        _ url: String,
        fields: [(name: String, value: String)] = [],
        status: Int = 200
    ) -> DemoRequest {
        DemoRequest(.whatsOpenIOS, method, url, fields: fields, status: status)
    }

    /// A café closes earlier on Fridays, and an alert says so.
    private static func edit(_ origin: DemoOrigin) -> DemoRequest {
        DemoRequest(
            .editor,
            "POST",
            origin.secure + "/facility-api/change",
            fields: [("Content-Type", "application/json")],
            body: """
                [{"facility":"dukes-donuts","day":"friday","end":"15:00"},\
                {"alert":{"urgency_tag":"minor","subject":"Duke's Donuts closes early on Fridays"}}]
                """
        )
    }
}
