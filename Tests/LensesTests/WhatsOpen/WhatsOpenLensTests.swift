import Foundation
import Lenses
import Testing

@Suite(.timeLimit(.minutes(15)))
struct WhatsOpenLensTests {
    private let lens = WhatsOpenLens()

    @Test(
        "A request is said in words",
        arguments: [
            ("GET", "/whatsopen/v2/facilities/?format=json", "all facilities as JSON"),
            ("GET", "/api/facilities?open_now", "all facilities, only those open now"),
            ("GET", "/api/facilities/?format=json&closed_now", "all facilities as JSON, only those closed now"),
            ("GET", "/api/facilities/tidewater-coffee/", "facility tidewater-coffee"),
            ("GET", "/api/facilities.json?search=taco+truck", "all facilities as JSON, matching “taco truck”"),
            (
                "GET", "/api/facilities/?facility_location__campus_region=fairfax",
                "all facilities, location campus region = fairfax"
            ),
            ("GET", "/api/alerts/?ordering=urgency_tag", "active alerts, by urgency tag"),
            (
                "GET", "/api/alerts/?all_alerts&ordering=-start_datetime,id",
                "all alerts, past and coming ones too, by start datetime, last first, then id"
            ),
            (
                "HEAD", "/api/facilities/?format=json",
                "is the API there? asks for all facilities as JSON, without the body"
            ),
            ("OPTIONS", "/api/schedules/4/", "what may be done with schedule 4"),
            ("POST", "/api/schedules/", "add a schedule"),
            ("PATCH", "/api/schedules/4/", "change schedule 4"), ("DELETE", "/api/schedules/4/", "delete schedule 4"),
            ("GET", "/data.json", "GET /data.json"), ("GET", "", "GET "),
        ]
    )
    func request(method: String, target: String, words: String) {
        #expect(lens.view(CampusSample.capture(target, method: method, "[]")).request == words)
    }

    @Test("A list is counted, and what is open by the server's clock")
    func list() throws {
        let open = CampusSample.json("a", main: CampusSample.schedule(allDay: true))
        let closed = CampusSample.json(
            "b",
            main: CampusSample.schedule(CampusSample.entries([0], "00:00:00", "14:02:00"))
        )
        let view = lens.view(CampusSample.capture("[\(open),\(closed)]"))
        #expect(view.response == "2 facilities, 1 open at 14:02 EDT")
        #expect(view.failure == nil)
        guard case .table(let table) = try #require(view.sections.first).content else {
            throw CampusSample.NoFacility()
        }
        #expect(table.rows.map { $0[1] } == [LensText("open 24 hours", .good), LensText("closed", .bad)])
        #expect(table.rows.map { $0[3].text } == ["–", "Mon 2026-09-21 00:00"])
    }

    @Test("One facility is taken apart: its hours, why, its week, and what the clients say")
    func one() throws {
        let body = CampusSample.json(main: CampusSample.schedule(CampusSample.overnight))
        let view = lens.view(CampusSample.capture("/api/facilities/southside/", body))
        #expect(view.response == "Southside: open until Tue 02:00")
        #expect(view.sections.map(\.title) == ["Southside", "Why", "This week", "What the clients say"])
        guard case .table(let clients) = try #require(view.sections.last).content else {
            throw CampusSample.NoFacility()
        }
        #expect(clients.rows.map { $0[3].text } == ["1050", "936", "14", "7"])
        #expect(clients.rows.first?.last?.text == "T1 840, T2 210")
    }

    @Test("Alerts carry their urgency's tone while they are shown")
    func alerts() throws {
        let alert = { (urgency: String, from: String, to: String) in
            #"{"id":1,"urgency_tag":"\#(urgency)","subject":"s","body":"b","url":"","start_datetime":"\#(from)T00:00:00-04:00","end_datetime":"\#(to)T00:00:00-04:00"}"#
        }
        let body =
            "["
            + [
                alert("emergency", "2026-09-14", "2026-09-15"), alert("minor", "2026-09-14", "2026-09-15"),
                alert("major", "2026-08-01", "2026-08-02"),
            ].joined(separator: ",") + "]"
        let view = lens.view(CampusSample.capture("/api/alerts/", body))
        #expect(view.response == "3 alerts, 2 shown at 14:02 EDT")
        guard case .table(let table) = try #require(view.sections.first).content else {
            throw CampusSample.NoFacility()
        }
        #expect(table.rows.map { $0[0].tone } == [.bad, .warning, .faint])
        #expect(table.rows.map { $0[2].text } == ["shown", "shown", "past"])
        #expect(lens.findings(CampusSample.capture("/api/alerts/", body)).map(\.rule) == ["WO-10"])
        #expect(lens.findings(CampusSample.capture("/api/alerts/?all_alerts", body)).isEmpty)
    }

    @Test(
        "Refusals are said in words",
        arguments: [
            (
                301, "text/html", "Location: /api/facilities/\r\n", "",
                "moved to /api/facilities/: a slash is missing at the end, as the Android app asks"
            ),
            (
                429, "application/json", "Retry-After: 86399\r\n",
                #"{"detail":"Request was throttled. Expected available in 86399 seconds."}"#,
                "throttled: more than 1,000 requests a day; again in 23 h 59 min"
            ),
            (404, "application/json", "", #"{"detail":"Not found."}"#, "there is none of this name: Not found."),
            (
                404, "text/html", "", "<!DOCTYPE html><h1>Not Found</h1>",
                "there is none of this name, with a page for people"
            ),
            (
                403, "application/json", "", #"{"detail":"Authentication credentials were not provided."}"#,
                "a login is needed to change anything: Authentication credentials were not provided."
            ),
            (
                405, "application/json", "", #"{"detail":"Method \"POST\" not allowed."}"#,
                "that method is not allowed here: Method \"POST\" not allowed."
            ),
            (
                400, "application/json", "", #"{"name":["This field is required."]}"#,
                "the request is malformed: name: This field is required."
            ),
            (500, "text/html", "", "<h1>Server Error (500)</h1>", "the server failed, with a page for people"),
            (304, "application/json", "", "", "not changed since the client asked last"),
            (200, "text/html", "", "<html>Facility List</html>", "the browsable page, not JSON"),
        ]
    )
    func refusals(code: Int, type: String, fields: String, body: String, words: String) {
        let view = lens.view(CampusSample.capture("/api/facilities", code: code, type: type, fields: fields, body))
        #expect(view.response == words)
    }

    @Test(
        "A 200 that is none is a failure",
        arguments: [
            (#"{"detail":"Not found."}"#, "Status 200, but the body is an error: Not found."),
            ("<html>", "JSON was asked for, and a page came."),
            (#"[{"slug":"a""#, "Status 200, but the body ends before it is whole."),
            (#"[{"slug":01}]"#, "Status 200, but the body is no JSON at its byte 10 (1}])."),
            ("", "Status 200, but there is no body."),
            ("7", "Status 200, but the body is a number, not a list."),
            (#"{"results":7}"#, "Status 200, but the body is an object, but no facility."),
            (CampusSample.json(), "A list was asked for, and one object came."),
        ]
    )
    func failures(body: String, failure: String) {
        let capture = CampusSample.capture("/whatsopen/v2/facilities/?format=json", body)
        #expect(lens.view(capture).failure == failure)
        #expect(lens.findings(capture).contains { ["WO-frozen", "WO-1"].contains($0.rule) && $0.severity == .breach })
    }

    @Test(
        "What another API serves under such a path is not held against it",
        arguments: [
            ("/api/alerts", #"{"items":[]}"#), ("/api/locations", #"[{"city":"Berlin"}]"#), ("/api/schedules", "7"),
            ("/other", #"{"detail":"Not found."}"#),
        ]
    )
    func foreign(target: String, body: String) {
        let capture = CampusSample.capture(target, body)
        #expect(lens.view(capture).failure == nil && lens.findings(capture).isEmpty)
    }

    @Test("An empty list is an honest answer")
    func empty() {
        let view = lens.view(CampusSample.capture("/api/facilities/?search=nothing", "[]"))
        #expect(view.response == "0 facilities, 0 open at 14:02 EDT" && view.failure == nil)
        #expect(lens.findings(CampusSample.capture("/api/facilities/?search=nothing", "[]")).isEmpty)
    }

    @Test("What changed between two captures, a sentence each")
    func changes() throws {
        let hours = { (friday: String) in
            CampusSample.schedule(
                CampusSample.entries(0..<4, "07:00:00", "21:00:00") + [CampusSample.entry(4, "07:00:00", 4, friday)]
            )
        }
        let special = CampusSample.schedule(
            name: "Break",
            from: "2026-10-01T00:00:00-04:00",
            to: "2026-10-02T00:00:00-04:00"
        )
        let old =
            "["
            + [
                CampusSample.json(main: hours("21:00:00")),
                CampusSample.json("old", name: "Old Place", main: hours("21:00:00")),
                CampusSample.json("same", main: hours("21:00:00")),
            ].joined(separator: ",") + "]"
        let new =
            "["
            + [
                CampusSample.json(main: hours("20:00:00"), specials: [special]),
                CampusSample.json("same", main: hours("21:00:00")),
                CampusSample.json("new", name: "New Place", main: hours("21:00:00")),
            ].joined(separator: ",") + "]"
        #expect(
            lens.changes(from: CampusSample.capture(old), to: CampusSample.capture(new)) == [
                "Southside: Friday closes 20:00, before 21:00; special schedule “Break” added",
                "added facility New Place",
                "removed facility Old Place",
            ]
        )
        #expect(lens.changes(from: CampusSample.capture(old), to: CampusSample.capture(old)).isEmpty)
        let night = CampusSample.json(main: CampusSample.schedule(CampusSample.overnight))
        let day = CampusSample.json(
            main: CampusSample.schedule(Array(CampusSample.overnight.dropLast(2)), allDay: true)
        )
        #expect(
            lens.changes(from: CampusSample.capture(night), to: CampusSample.capture(day)) == [
                "Southside: now open 24 hours; Saturday closed, before Sat 10:30–Sun 02:00; Sunday closed, before Sun 10:30–Mon 02:00"
            ]
        )
    }
}
