import Support
import Traffic

/// Questions to the place of the virtual meetings, and captures that answer them.
enum MeetingGolden {
    private static func meeting(_ id: Int, _ rest: String) -> String {
        #"{"server_id":99,"meeting_id":\#(id),"organization_key":"na","#
            + #""virtual_information":{"url":"https://zoom.us/j/123456789\#(id)"},\#(rest)}"#
    }

    private static let meetings = [
        meeting(
            11,
            #""name":"Late Owls","start_time":"23:30:00","time_zone":"Pacific/Auckland","weekday":7,"duration":3600"#
        ),
        meeting(
            12,
            #""name":"Noon","start_time":"11:30:00","time_zone":"America/New_York","weekday":2,"duration":5400"#
        ),
        meeting(13, #""name":"Early Owls","start_time":"06:00:00","time_zone":"America/New_York","weekday":7"#),
        meeting(14, #""name":"Nowhere","start_time":"06:00:00","time_zone":"Mars/Olympus","weekday":7"#),
        meeting(15, #""name":"Bell\u001b[2J","start_time":"20:00:00","time_zone":"America/New_York","weekday":7"#),
    ]

    private static func list(_ meetings: [String]) -> String {
        let count = meetings.count
        return #"{"meta":{"total":\#(count),"total_pages":1,"page_size":\#(count),"page":0,"starting_index":0,"#
            + #""actual_size":\#(count),"search_time":0.1},"meetings":[\#(meetings.joined(separator: ","))]}"#
    }

    /// A store with a list of five meetings, another answer of the server, and a newer one about a single meeting, which is attended.
    static func store() async throws -> CapturedStore {
        let store = try CapturedStore()
        let answers = [
            ("/entrypoint.php?query&type=-1", list(meetings)),
            ("/entrypoint.php?info", #"{"server_version":"1"}"#),
            ("/entrypoint.php?query&ids=(99,12)", list([meetings[1]])),
        ]
        for (place, (target, body)) in answers.enumerated() {
            let sample = Sample(
                CaptureToken(place + 1),
                "GET",
                target,
                fields: "Content-Type: application/json\r\n",
                responseBody: Array(body.utf8)
            )
            try await store.record(sample)
        }
        let marked = try await store.inspect("meetings", "--attend", "99/12")
        guard marked.status == 0 else { throw CapturedStore.NotRecorded() }
        return store
    }

    static let all = [
        PlaceGolden(
            place: "meetings",
            options: [("tz", "America/New_York"), ("at", "2026-09-14T12:00")],
            arguments: ["meetings", "--tz", "America/New_York", "--at", "2026-09-14T12:00"],
            json: #"""
                {"capture":1,"at":"2026-09-14T12:00:00-04:00","zone":"America/New_York","total":5,"listed":4,"hidden":{"count":1,\#
                "reasons":[{"reason":"unknown time_zone","hides":true,"count":1}]},"meetings":[{"id":"99/13","appId":1741626418397197,\#
                "name":"Early Owls","kind":"virtual","video":true,"phone":false,"inProgress":false,"attended":false,\#
                "starts":"2026-09-19T06:00:00-04:00","started":"2026-09-12T06:00:00-04:00","durationSeconds":3600,"weekday":7,\#
                "day":"Saturday","time":"06:00","own":{"weekday":7,"time":"06:00","zone":"America/New_York"},\#
                "url":"https://zoom.us/j/12345678913","appUrl":"zoomus://zoom.us/join?confno=12345678913","phoneNumber":null,\#
                "hidden":false,"reasons":[]},{"id":"99/11","appId":1741626418397195,"name":"Late Owls","kind":"virtual","video":true,\#
                "phone":false,"inProgress":false,"attended":false,"starts":"2026-09-19T07:30:00-04:00",\#
                "started":"2026-09-12T07:30:00-04:00","durationSeconds":3600,"weekday":7,"day":"Saturday","time":"07:30",\#
                "own":{"weekday":7,"time":"23:30","zone":"Pacific/Auckland"},"url":"https://zoom.us/j/12345678911",\#
                "appUrl":"zoomus://zoom.us/join?confno=12345678911","phoneNumber":null,"hidden":false,"reasons":[]},{"id":"99/15",\#
                "appId":1741626418397199,"name":"Bell\u001b[2J","kind":"virtual","video":true,"phone":false,"inProgress":false,\#
                "attended":false,"starts":"2026-09-19T20:00:00-04:00","started":"2026-09-12T20:00:00-04:00","durationSeconds":3600,\#
                "weekday":7,"day":"Saturday","time":"20:00","own":{"weekday":7,"time":"20:00","zone":"America/New_York"},\#
                "url":"https://zoom.us/j/12345678915","appUrl":"zoomus://zoom.us/join?confno=12345678915","phoneNumber":null,\#
                "hidden":false,"reasons":[]},{"id":"99/12","appId":1741626418397196,"name":"Noon","kind":"virtual","video":true,\#
                "phone":false,"inProgress":true,"attended":true,"starts":"2026-09-21T11:30:00-04:00",\#
                "started":"2026-09-14T11:30:00-04:00","durationSeconds":5400,"weekday":2,"day":"Monday","time":"11:30","own":{"weekday":2,\#
                "time":"11:30","zone":"America/New_York"},"url":"https://zoom.us/j/12345678912",\#
                "appUrl":"zoomus://zoom.us/join?confno=12345678912","phoneNumber":null,"hidden":false,"reasons":[]}]}
                """#
        ),
        PlaceGolden(
            place: "meetings",
            options: [("tz", "America/New_York"), ("at", "2026-09-14T12:00"), ("hidden", "true")],
            arguments: ["meetings", "--hidden", "--tz", "America/New_York", "--at", "2026-09-14T12:00"],
            json: #"""
                {"capture":1,"at":"2026-09-14T12:00:00-04:00","zone":"America/New_York","total":5,"listed":1,"hidden":{"count":1,\#
                "reasons":[{"reason":"unknown time_zone","hides":true,"count":1}]},"meetings":[{"id":"99/14","appId":1741626418397198,\#
                "name":"Nowhere","kind":"virtual","video":true,"phone":false,"inProgress":false,"attended":false,"starts":null,\#
                "started":null,"durationSeconds":3600,"weekday":null,"day":null,"time":null,"own":{"weekday":7,"time":"06:00",\#
                "zone":"Mars/Olympus"},"url":"https://zoom.us/j/12345678914","appUrl":"zoomus://zoom.us/join?confno=12345678914",\#
                "phoneNumber":null,"hidden":true,"reasons":["unknown time_zone"]}]}
                """#
        ),
        PlaceGolden(
            place: "meetings",
            options: [("tz", "America/New_York"), ("at", "2026-09-14T12:00"), ("now", "")],
            arguments: ["meetings", "--now", "--tz", "America/New_York", "--at", "2026-09-14T12:00"],
            json: #"""
                {"capture":1,"at":"2026-09-14T12:00:00-04:00","zone":"America/New_York","total":5,"listed":1,"hidden":{"count":1,\#
                "reasons":[{"reason":"unknown time_zone","hides":true,"count":1}]},"day":{"index":0,"title":"In Progress"},\#
                "meetings":[{"id":"99/12","appId":1741626418397196,"name":"Noon","kind":"virtual","video":true,"phone":false,\#
                "inProgress":true,"attended":true,"starts":"2026-09-21T11:30:00-04:00","started":"2026-09-14T11:30:00-04:00",\#
                "durationSeconds":5400,"weekday":2,"day":"Monday","time":"11:30","own":{"weekday":2,"time":"11:30",\#
                "zone":"America/New_York"},"url":"https://zoom.us/j/12345678912","appUrl":"zoomus://zoom.us/join?confno=12345678912",\#
                "phoneNumber":null,"hidden":false,"reasons":[]}]}
                """#
        ),
        PlaceGolden(
            place: "meetings",
            options: [("tz", "America/New_York"), ("at", "2026-09-14T12:00"), ("day", "sat"), ("time", "2300")],
            arguments: [
                "meetings", "--day", "sat", "--time", "2300", "--tz", "America/New_York", "--at", "2026-09-14T12:00",
            ],
            json: #"""
                {"capture":1,"at":"2026-09-14T12:00:00-04:00","zone":"America/New_York","total":5,"listed":1,"hidden":{"count":1,\#
                "reasons":[{"reason":"unknown time_zone","hides":true,"count":1}]},"day":{"index":7,"title":"Saturday"},"weekday":7,\#
                "slots":[{"time":"06:00","count":1,"thermometer":0.3333333333333333},{"time":"07:30","count":1,\#
                "thermometer":0.6666666666666666},{"time":"20:00","count":1,"thermometer":1.0}],"nearest":{"slot":2,"time":"20:00",\#
                "inApp":"06:00"},"meetings":[{"id":"99/15","appId":1741626418397199,"name":"Bell\u001b[2J","kind":"virtual","video":true,\#
                "phone":false,"inProgress":false,"attended":false,"starts":"2026-09-19T20:00:00-04:00",\#
                "started":"2026-09-12T20:00:00-04:00","durationSeconds":3600,"weekday":7,"day":"Saturday","time":"20:00",\#
                "own":{"weekday":7,"time":"20:00","zone":"America/New_York"},"url":"https://zoom.us/j/12345678915",\#
                "appUrl":"zoomus://zoom.us/join?confno=12345678915","phoneNumber":null,"hidden":false,"reasons":[]}]}
                """#
        ),
        PlaceGolden(
            place: "meetings",
            options: [("tz", "Europe/Berlin"), ("at", "2026-09-14T12:00"), ("slots", "true"), ("day", "7")],
            arguments: ["meetings", "--slots", "--day", "7", "--tz", "Europe/Berlin", "--at", "2026-09-14T12:00"],
            json: #"""
                {"capture":1,"at":"2026-09-14T12:00:00+02:00","zone":"Europe/Berlin","total":5,"listed":2,"hidden":{"count":1,\#
                "reasons":[{"reason":"unknown time_zone","hides":true,"count":1}]},"day":{"index":7,"title":"Saturday"},"weekday":7,\#
                "slots":[{"time":"12:00","count":1,"thermometer":0.5},{"time":"13:30","count":1,"thermometer":1.0}],\#
                "meetings":[{"id":"99/13","appId":1741626418397197,"name":"Early Owls","kind":"virtual","video":true,"phone":false,\#
                "inProgress":false,"attended":false,"starts":"2026-09-19T12:00:00+02:00","started":"2026-09-12T12:00:00+02:00",\#
                "durationSeconds":3600,"weekday":7,"day":"Saturday","time":"12:00","own":{"weekday":7,"time":"06:00",\#
                "zone":"America/New_York"},"url":"https://zoom.us/j/12345678913","appUrl":"zoomus://zoom.us/join?confno=12345678913",\#
                "phoneNumber":null,"hidden":false,"reasons":[]},{"id":"99/11","appId":1741626418397195,"name":"Late Owls",\#
                "kind":"virtual","video":true,"phone":false,"inProgress":false,"attended":false,"starts":"2026-09-19T13:30:00+02:00",\#
                "started":"2026-09-12T13:30:00+02:00","durationSeconds":3600,"weekday":7,"day":"Saturday","time":"13:30",\#
                "own":{"weekday":7,"time":"23:30","zone":"Pacific/Auckland"},"url":"https://zoom.us/j/12345678911",\#
                "appUrl":"zoomus://zoom.us/join?confno=12345678911","phoneNumber":null,"hidden":false,"reasons":[]}]}
                """#
        ),
        PlaceGolden(
            place: "meetings",
            options: [("tz", "America/New_York"), ("at", "2026-09-14T12:00"), ("search", "owls"), ("kind", "video")],
            arguments: [
                "meetings", "--search", "owls", "--type", "video", "--tz", "America/New_York", "--at",
                "2026-09-14T12:00",
            ],
            json: #"""
                {"capture":1,"at":"2026-09-14T12:00:00-04:00","zone":"America/New_York","total":5,"listed":2,"hidden":{"count":1,\#
                "reasons":[{"reason":"unknown time_zone","hides":true,"count":1}]},"day":{"index":8,"title":"Search"},\#
                "meetings":[{"id":"99/13","appId":1741626418397197,"name":"Early Owls","kind":"virtual","video":true,"phone":false,\#
                "inProgress":false,"attended":false,"starts":"2026-09-19T06:00:00-04:00","started":"2026-09-12T06:00:00-04:00",\#
                "durationSeconds":3600,"weekday":7,"day":"Saturday","time":"06:00","own":{"weekday":7,"time":"06:00",\#
                "zone":"America/New_York"},"url":"https://zoom.us/j/12345678913","appUrl":"zoomus://zoom.us/join?confno=12345678913",\#
                "phoneNumber":null,"hidden":false,"reasons":[]},{"id":"99/11","appId":1741626418397195,"name":"Late Owls",\#
                "kind":"virtual","video":true,"phone":false,"inProgress":false,"attended":false,"starts":"2026-09-19T07:30:00-04:00",\#
                "started":"2026-09-12T07:30:00-04:00","durationSeconds":3600,"weekday":7,"day":"Saturday","time":"07:30",\#
                "own":{"weekday":7,"time":"23:30","zone":"Pacific/Auckland"},"url":"https://zoom.us/j/12345678911",\#
                "appUrl":"zoomus://zoom.us/join?confno=12345678911","phoneNumber":null,"hidden":false,"reasons":[]}]}
                """#
        ),
        PlaceGolden(
            place: "meetings",
            options: [
                ("tz", "America/New_York"), ("at", "2026-09-14T12:00"), ("attended", "true"), ("slots", "false"),
            ],
            arguments: ["meetings", "--attended", "--tz", "America/New_York", "--at", "2026-09-14T12:00"],
            json: #"""
                {"capture":1,"at":"2026-09-14T12:00:00-04:00","zone":"America/New_York","total":5,"listed":1,"hidden":{"count":1,\#
                "reasons":[{"reason":"unknown time_zone","hides":true,"count":1}]},"meetings":[{"id":"99/12","appId":1741626418397196,\#
                "name":"Noon","kind":"virtual","video":true,"phone":false,"inProgress":true,"attended":true,\#
                "starts":"2026-09-21T11:30:00-04:00","started":"2026-09-14T11:30:00-04:00","durationSeconds":5400,"weekday":2,\#
                "day":"Monday","time":"11:30","own":{"weekday":2,"time":"11:30","zone":"America/New_York"},\#
                "url":"https://zoom.us/j/12345678912","appUrl":"zoomus://zoom.us/join?confno=12345678912","phoneNumber":null,\#
                "hidden":false,"reasons":[]}]}
                """#
        ),
        PlaceGolden(
            place: "meetings",
            options: [("tz", "America/New_York"), ("at", "2026-09-14T12:00"), ("from-capture", "3")],
            arguments: ["meetings", "--from-capture", "3", "--tz", "America/New_York", "--at", "2026-09-14T12:00"],
            json: #"""
                {"capture":3,"at":"2026-09-14T12:00:00-04:00","zone":"America/New_York","total":1,"listed":1,"hidden":{"count":0,\#
                "reasons":[]},"meetings":[{"id":"99/12","appId":1741626418397196,"name":"Noon","kind":"virtual","video":true,\#
                "phone":false,"inProgress":true,"attended":true,"starts":"2026-09-21T11:30:00-04:00",\#
                "started":"2026-09-14T11:30:00-04:00","durationSeconds":5400,"weekday":2,"day":"Monday","time":"11:30","own":{"weekday":2,\#
                "time":"11:30","zone":"America/New_York"},"url":"https://zoom.us/j/12345678912",\#
                "appUrl":"zoomus://zoom.us/join?confno=12345678912","phoneNumber":null,"hidden":false,"reasons":[]}]}
                """#
        ),
    ]
}
