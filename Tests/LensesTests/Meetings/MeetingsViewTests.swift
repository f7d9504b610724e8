import Lenses
import Testing

@Suite(.timeLimit(.minutes(15)))
struct MeetingsViewTests {
    @Test(
        "A request is said in words, every parameter of it",
        arguments: [
            ("query&type=-1", "meetings, that have a virtual part"), ("query&type=1", "meetings, that have a place"),
            ("query&type=2", "meetings, that have a place only"), ("query&type=-2", "meetings, that are virtual only"),
            ("query&type=3", "meetings, that are hybrid"), ("query&type=-3", "meetings, that are hybrid"),
            ("query&type=0", "meetings, with or without a place"),
            ("query&type=5", "meetings, type 5, which the server does not know"),
            ("query&page_size=0", "how many meetings, numbers only"),
            ("query&page_size=10&page=2", "meetings, in pages of 10, page 2 (the first is 0)"),
            (
                "query&ids=(99,10),(152,0),(7),(8,*)",
                "meetings, meeting 10 of server 99 or all of server 152 or all of server 7 or all of server 8"
            ),
            ("query&ids=x", "meetings, ids that cannot be read: x"),
            ("query&ids=(99,\u{301})", "meetings, meeting \u{301} of server 99"),
            (
                "query&weekdays=1,3&start_time=64800&end_time=72000",
                "meetings, on Sunday or Tuesday, starting at 18:00 or later, starting at 20:00 or earlier"
            ),
            ("query&org_key=na,virtual-na", "meetings, of na or virtual-na"),
            (
                "query&geocenter_lng=-83.4&geocenter_lat=36&geo_radius=20&minimum_found=10",
                "meetings, round latitude 36, longitude -83.4, within 20 km, the circle widened until it holds 10, to 20 km at most"
            ),
            ("query&colour=red", "meetings, colour (unknown, ignored)"),
            ("info", "what the server has: version, services, numbers of meetings"),
            (
                "update&force&physical_only&separate_virtual",
                "fetch all meetings from their sources again, even if nothing is due, those with a place only, those without a place as an organization of their own"
            ),
            ("nonsense", "unknown function \"nonsense\""), ("", "no function: the server answers with nothing"),
        ]
    )
    func requests(query: String, words: String) {
        #expect(MeetingsRequest(target: "/entrypoint.php?\(query)").words == words)
    }

    @Test(
        "An answer that is no list is said in words",
        arguments: [
            ("query&ids=x", 400, "INVALID IDS", "the ids cannot be read (INVALID IDS)", false),
            ("update", 403, "NOT AUTHORIZED", "not allowed (NOT AUTHORIZED)", false),
            ("nonsense", 418, "🫖", "the server has no such function (I'm a teapot)", false),
            ("update", 204, "", "nothing was due to be fetched", false),
            (
                "update", 200, #"{"number_of_meetings":32790,"time_in_seconds":55.87}"#,
                "32790 meetings fetched in 55.87 s", false
            ),
            ("", 200, "", "nothing at all: no function was named", false),
            ("query", 200, "<html>", "200, but no JSON", true), ("query", 502, "<html>", "502", false),
            ("query", 200, "{\"meta\":", "the body ends before it is whole", true),
            ("query", 200, #"{"meta":{},"meetings":[.5]}"#, "the body is no JSON at its byte 23 (.5]})", true),
            ("query", 200, #"{"a":1}"#, "an object that is none of the server's answers", true),
            ("query", 200, #"{ "meta": {"total": 0}, "meetings": []}"#, "no meeting", true),
            ("query", 200, #"{"meta":{"total":1},"meetings":[{}]}"#, "1 meeting", true),
            ("query", 200, MeetingSample.answer([MeetingSample.json()]), "1 meeting", false),
            (
                "query&page_size=0", 200, MeetingSample.answer([], meta: ["total": "97", "page_size": "0"]),
                "0 of 97 meetings", false
            ),
        ]
    )
    func answers(query: String, code: Int, body: String, words: String, fails: Bool) {
        let capture = LensSample.capture("GET", "/x.php?\(query)", code: code, response: Array(body.utf8))
        let view = VirtualMeetingsLens().view(capture)
        #expect(view.response == words)
        #expect((view.failure != nil) == fails, "\(view.failure ?? "")")
    }

    @Test("An empty answer says by its bug's name that the app shows an error")
    func emptyAnswer() throws {
        let capture = LensSample.capture("/x.php?query&ids=(9999)", json: #"{ "meta": {"total": 0}, "meetings": []}"#)
        #expect(try #require(VirtualMeetingsLens().view(capture).failure).contains("V1"))
    }

    @Test(
        "A function that no server has is the lens's by the teapot that answers, on any host",
        arguments: [
            ("/entrypoint.php?brew", 418, "meetings"), ("/entrypoint.php?brew&force", 418, "meetings"),
            ("/entrypoint.php?brew", 404, nil), ("/index.php?page=brew", 418, nil), ("/coffee?brew", 418, nil),
            ("/entrypoint.php?query", 418, "meetings"), ("/entrypoint.php?query&\u{301}", 404, "meetings"),
        ]
    )
    func teapot(target: String, code: Int, lens: String?) {
        let capture = LensSample.capture(
            "GET",
            target,
            code: code,
            fields: "Content-Type: text/html\r\n",
            response: Array("🫖".utf8)
        )
        #expect(LensSet.standard.lens(of: capture)?.name == lens)
        guard lens != nil, target.contains("brew") else { return }
        #expect(VirtualMeetingsLens().view(capture).request.hasPrefix("unknown function \"brew\""))
    }

    @Test("Info is read with server_ids as a list and as an object", arguments: ["[99,122]", #"{"3":99,"0":122}"#])
    func info(ids: String) throws {
        let servers =
            #"{"99":{"name":"Aotearoa","url":"https://a.example/","num_meetings":215,"organizations":{"na":176}}}"#
        let json = """
            {"server_version":"1.5.1","last_update_timestamp":1668520598,"organizations":{"total_meetings":32689,"na":27908},\
            "server_ids":\(ids),"services":{"BMLT":{"service_name":"BMLT","servers":\(servers)}}}
            """
        let view = VirtualMeetingsLens().view(LensSample.capture("/x.php?info", json: json))
        #expect(view.response == "version 1.5.1, 1 sources of meetings" && view.failure == nil)
        guard case .fields(let fields) = view.sections.first?.content else { throw Unexpected() }
        #expect(
            fields.last == LensField("servers", "99, 122") && fields.first?.value.text.hasPrefix("2022-11-15T") == true
        )
    }

    @Test(
        "A last update that no calendar has is told as it is",
        arguments: ["8845213783343730", "-8845213783343730", "9007199254740992", "-9007199254740992", "9223372036855"]
    )
    func update(seconds: String) throws {
        let json = #"{"server_version":"1","last_update_timestamp":\#(seconds)}"#
        let view = VirtualMeetingsLens().view(LensSample.capture("/x.php?info", json: json))
        guard case .fields(let fields) = view.sections.last(where: { $0.title == "Server" })?.content else {
            throw Unexpected()
        }
        #expect(fields.first == LensField("last update", seconds))
    }

    @Test("A list shows what the app hides, what is in progress, and what comes next in the viewer's week")
    func list() throws {
        let meetings = [
            MeetingSample.json(), MeetingSample.json(["time_zone": nil, "meeting_id": "12"]),
            MeetingSample.json([
                "weekday": "2", "start_time": "\"11:30:00\"", "time_zone": "\"America/New_York\"", "meeting_id": "13",
            ]),
        ]
        let view = VirtualMeetingsLens().view(
            LensSample.capture("/x.php?query&type=-1", json: MeetingSample.answer(meetings))
        )
        #expect(
            view.sections.map(\.title) == [
                "Parameters", "Search", "1 of 3 meetings this client will hide, by reason",
                "In progress at the answer's time",
                "Meetings by next start, America/New_York",
            ]
        )
        guard case .table(let table) = view.sections.last?.content else { throw Unexpected() }
        #expect(
            table.rows.map { $0[0].text } == ["99/11", "99/13"] && table.rows.map { $0[2].text } == ["07:30", "11:30"]
        )
    }

    @Test("Changes between two answers name each meeting that came, went or moved")
    func changes() {
        let before = MeetingSample.answer([MeetingSample.json(), MeetingSample.json(["meeting_id": "12"])])
        let after = MeetingSample.answer([
            MeetingSample.json(["start_time": "\"22:00:00\""]), MeetingSample.json(["meeting_id": "13"]),
        ])
        let sentences = VirtualMeetingsLens().changes(
            from: LensSample.capture("/x.php?query", json: before),
            to: LensSample.capture("/x.php?query", json: after)
        )
        #expect(
            sentences == [
                "99/12 Late Owls is gone",
                "99/11 Late Owls: time Saturday 23:30 Pacific/Auckland → Saturday 22:00 Pacific/Auckland",
                "99/13 Late Owls is new: Saturday 23:30 Pacific/Auckland",
            ]
        )
    }

    private struct Unexpected: Error {}
}
