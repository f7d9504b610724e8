import Traffic

/// Questions to the places of What's Open, and captures that answer them.
enum CampusGolden {
    private static func tea(from time: String) -> String {
        #"{"slug":"tea","facility_name":"Tea House","facility_location":{"building":"Hall","address":"4 River Wy","#
            + #""campus_region":"arlington"},"facility_category":{"name":"Café"},"facility_product_tags":["tea"],"#
            + #""main_schedule":{"name":"Fall","open_times":[{"start_day":5,"end_day":6,"start_time":"\#(time)","#
            + #""end_time":"02:00:00"}],"valid_start":null,"valid_end":null,"twenty_four_hours":false},"special_schedules":[]}"#
    }

    private static let den =
        #"{"slug":"den","facility_name":"Den \u001b[31m","facility_location":{"building":"Hall","campus_region":"fairfax"},"#
        + #""facility_category":{"name":"Shop"},"main_schedule":{"name":"Fall","open_times":[],"valid_start":null,"#
        + #""valid_end":null,"twenty_four_hours":false},"special_schedules":[]}"#

    private static let alerts =
        #"[{"id":1,"urgency_tag":"major","subject":"Snow","body":"b","url":"","#
        + #""start_datetime":"2026-09-18T00:00:00-04:00","end_datetime":"2026-09-20T00:00:00-04:00"},"#
        + #"{"id":2,"urgency_tag":"info","subject":"Sun","body":"b","url":"","#
        + #""start_datetime":"2026-08-01T00:00:00-04:00","end_datetime":null}]"#

    /// A store with a list of two facilities, a newer answer about one of them, and all alerts.
    static func store() async throws -> CapturedStore {
        let store = try CapturedStore()
        let answers = [
            ("/api/facilities/", "[\(tea(from: "09:00:00")),\(den)]"),
            ("/api/facilities/tea/", tea(from: "08:00:00")), ("/api/alerts/?all_alerts", alerts),
        ]
        for (second, (target, body)) in answers.enumerated() {
            try await store.record(
                Sample(
                    CaptureToken(second + 1),
                    "GET",
                    target,
                    scheme: .http,
                    host: "localhost",
                    fields: "Content-Type: application/json\r\nDate: Fri, 18 Sep 2026 16:02:0\(second) GMT\r\n",
                    responseBody: Array(body.utf8)
                )
            )
        }
        return store
    }

    static let all = [
        PlaceGolden(
            place: "facilities",
            options: [("at", "2026-09-19T01:30"), ("compare", "ios"), ("week", "true")],
            arguments: ["facilities", "--at", "2026-09-19T01:30", "--compare", "ios", "--week"],
            json: #"""
                {"at":"2026-09-19T01:30:00-04:00","zone":"America/New_York","exchange":1,"server":"localhost","captured":"2026-09-18T12:02:00-04:00",\#
                "total":2,"matched":2,"facilities":[{"slug":"den","name":"Den \u001b[31m","openNow":false,"openToday":false,\#
                "closes":null,"opensNext":null,"schedule":"Fall","campus":"fairfax","category":"Shop","location":"Hall",\#
                "building":"Hall","address":"","tags":[],\#
                "warnings":["schedule “Fall” has no opening times: closed as long as it is in force"],"exchange":1,\#
                "captured":"2026-09-18T12:02:00-04:00","hours":[],\#
                "disputed":false,"compare":[{"client":"ios","says":"closed","isRight":true,"text":"Closed","bug":null,"because":null,\#
                "week":{"minutesWrong":0,"crash":null,"stretches":[],"causes":[]}}]},{"slug":"tea","name":"Tea House","openNow":false,\#
                "openToday":true,"closes":null,"opensNext":"2026-09-19T08:00:00-04:00","schedule":"Fall","campus":"arlington",\#
                "category":"Café","location":"Hall","building":"Hall","address":"4 River Wy","tags":["tea"],"warnings":[],"exchange":2,\#
                "captured":"2026-09-18T12:02:01-04:00","hours":[{"start":"2026-09-19T08:00:00-04:00","end":"2026-09-20T02:00:00-04:00"}],"disputed":false,\#
                "compare":[{"client":"ios","says":"closed","isRight":true,"text":"Closed until 8:00 AM","bug":null,"because":null,\#
                "week":{"minutesWrong":1080,"crash":null,"stretches":[{"start":"2026-09-20T00:00:00-04:00","minutes":120,\#
                "says":"closed","bug":"T1"},{"start":"2026-09-20T08:00:00-04:00","minutes":960,"says":"open","bug":"T2"}],\#
                "causes":[{"bug":"T2","minutes":960,"sentence":"the iPhone app takes the first entry that touches today,\#
                 so yesterday's hides today's own"},{"bug":"T1","minutes":120,\#
                "sentence":"the iPhone app shows a place that is open past midnight as closed from midnight on"}]}}]}]}
                """#
        ),
        PlaceGolden(
            place: "facilities",
            options: [
                ("at", "2026-09-19T01:30"), ("tz", "Europe/Berlin"), ("from-capture", "1"), ("open-first", ""),
                ("sort", "-name"),
            ],
            arguments: [
                "facilities", "--at", "2026-09-19T01:30", "--tz", "Europe/Berlin", "--from-capture", "1",
                "--open-first", "--sort=-name",
            ],
            json: #"""
                {"at":"2026-09-19T01:30:00+02:00","zone":"Europe/Berlin","exchange":1,"server":"localhost","captured":"2026-09-18T18:02:00+02:00","total":2,\#
                "matched":2,"facilities":[{"slug":"tea","name":"Tea House","openNow":false,"openToday":true,"closes":null,\#
                "opensNext":"2026-09-19T09:00:00+02:00","schedule":"Fall","campus":"arlington","category":"Café","location":"Hall",\#
                "building":"Hall","address":"4 River Wy","tags":["tea"],"warnings":[],"exchange":1,\#
                "captured":"2026-09-18T18:02:00+02:00","hours":[{"start":"2026-09-19T09:00:00+02:00","end":"2026-09-20T02:00:00+02:00"}]},{"slug":"den",\#
                "name":"Den \u001b[31m","openNow":false,"openToday":false,"closes":null,"opensNext":null,"schedule":"Fall",\#
                "campus":"fairfax","category":"Shop","location":"Hall","building":"Hall","address":"","tags":[],\#
                "warnings":["schedule “Fall” has no opening times: closed as long as it is in force"],"exchange":1,\#
                "captured":"2026-09-18T18:02:00+02:00","hours":[]}]}
                """#
        ),
        PlaceGolden(
            place: "facilities",
            options: [
                ("at", "2026-09-19T01:30"), ("campus", "fair,arl"), ("closed", "true"), ("open-today", "true"),
                ("search", "tea hall"), ("week", "false"),
            ],
            arguments: [
                "facilities", "--at", "2026-09-19T01:30", "--campus", "fair,arl", "--closed", "--open-today",
                "--search", "tea hall",
            ],
            json: #"""
                {"at":"2026-09-19T01:30:00-04:00","zone":"America/New_York","exchange":1,"server":"localhost","captured":"2026-09-18T12:02:00-04:00",\#
                "total":2,"matched":1,"facilities":[{"slug":"tea","name":"Tea House","openNow":false,"openToday":true,"closes":null,\#
                "opensNext":"2026-09-19T08:00:00-04:00","schedule":"Fall","campus":"arlington","category":"Café","location":"Hall",\#
                "building":"Hall","address":"4 River Wy","tags":["tea"],"warnings":[],"exchange":2,\#
                "captured":"2026-09-18T12:02:01-04:00","hours":[{"start":"2026-09-19T08:00:00-04:00","end":"2026-09-20T02:00:00-04:00"}]}]}
                """#
        ),
        PlaceGolden(
            place: "facility",
            options: [("at", "2026-09-19T01:30"), ("slug", "Tea House")],
            arguments: ["facilities", "--at", "2026-09-19T01:30", "Tea House"],
            json: #"""
                {"at":"2026-09-19T01:30:00-04:00","zone":"America/New_York","exchange":2,"server":"localhost","captured":"2026-09-18T12:02:01-04:00",\#
                "slug":"tea","name":"Tea House","openNow":false,"openToday":true,"closes":null,"opensNext":"2026-09-19T08:00:00-04:00",\#
                "schedule":"Fall","campus":"arlington","category":"Café","location":"Hall","building":"Hall","address":"4 River Wy",\#
                "tags":["tea"],"warnings":[],"why":[{"name":"schedule","text":"“Fall”, the main one; there is no special schedule"},\#
                {"name":"entry","text":"none of 1 holds now"}],"interval":{"start":null,"end":null},"disputed":false,\#
                "compare":[{"client":"ios","says":"closed","isRight":true,"text":"Closed until 8:00 AM","bug":null,\#
                "week":{"minutesWrong":1080,"crash":null,"stretches":[{"start":"2026-09-20T00:00:00-04:00","minutes":120,\#
                "says":"closed","bug":"T1"},{"start":"2026-09-20T08:00:00-04:00","minutes":960,"says":"open","bug":"T2"}],\#
                "causes":[{"bug":"T2","minutes":960,"sentence":"the iPhone app takes the first entry that touches today,\#
                 so yesterday's hides today's own"},{"bug":"T1","minutes":120,\#
                "sentence":"the iPhone app shows a place that is open past midnight as closed from midnight on"}]}},{"client":"android",\#
                "says":"closed","isRight":true,"text":null,"bug":null,"week":{"minutesWrong":1,"crash":null,\#
                "stretches":[{"start":"2026-09-19T08:00:00-04:00","minutes":1,"says":"closed","bug":"T5"}],"causes":[{"bug":"T5",\#
                "minutes":1,"sentence":"clients disagree at the moments of opening and closing: some count them in, some do not"}]}},\#
                {"client":"web","says":"closed","isRight":true,"text":null,"bug":null,"week":{"minutesWrong":2,"crash":null,\#
                "stretches":[{"start":"2026-09-19T08:00:00-04:00","minutes":1,"says":"closed","bug":"T5"},\#
                {"start":"2026-09-20T02:00:00-04:00","minutes":1,"says":"open","bug":"T5"}],"causes":[{"bug":"T5","minutes":2,\#
                "sentence":"clients disagree at the moments of opening and closing: some count them in, some do not"}]}},\#
                {"client":"server","says":"closed","isRight":true,"text":null,"bug":null,"week":{"minutesWrong":1,"crash":null,\#
                "stretches":[{"start":"2026-09-20T02:00:00-04:00","minutes":1,"says":"open","bug":"T5"}],"causes":[{"bug":"T5",\#
                "minutes":1,"sentence":"clients disagree at the moments of opening and closing: some count them in, some do not"}]}}]}
                """#
        ),
        PlaceGolden(
            place: "alerts",
            options: [("at", "2026-09-19T01:30"), ("all", "true")],
            arguments: ["facilities", "alerts", "--at", "2026-09-19T01:30", "--all"],
            json: #"""
                {"at":"2026-09-19T01:30:00-04:00","zone":"America/New_York","exchange":3,"server":"localhost","captured":"2026-09-18T12:02:02-04:00",\#
                "total":2,"matched":2,"alerts":[{"id":1,"urgency":"major","subject":"Snow","body":"b","url":"",\#
                "start":"2026-09-18T00:00:00-04:00","end":"2026-09-20T00:00:00-04:00","active":true,"expired":false,"warnings":[],\#
                "exchange":3,"captured":"2026-09-18T12:02:02-04:00"},\#
                {"id":2,"urgency":"info","subject":"Sun","body":"b","url":"","start":"2026-08-01T00:00:00-04:00","end":null,\#
                "active":false,"expired":false,"warnings":["end_datetime is missing or no date: it is never shown"],\#
                "exchange":3,"captured":"2026-09-18T12:02:02-04:00"}]}
                """#
        ),
        PlaceGolden(
            place: "alerts",
            options: [("at", "2026-09-19T01:30"), ("urgency", "info,Major")],
            arguments: ["facilities", "alerts", "--at", "2026-09-19T01:30", "--urgency", "info,Major"],
            json: #"""
                {"at":"2026-09-19T01:30:00-04:00","zone":"America/New_York","exchange":3,"server":"localhost","captured":"2026-09-18T12:02:02-04:00",\#
                "total":2,"matched":1,"alerts":[{"id":1,"urgency":"major","subject":"Snow","body":"b","url":"",\#
                "start":"2026-09-18T00:00:00-04:00","end":"2026-09-20T00:00:00-04:00","active":true,"expired":false,"warnings":[],\#
                "exchange":3,"captured":"2026-09-18T12:02:02-04:00"}]}
                """#
        ),
    ]
}
