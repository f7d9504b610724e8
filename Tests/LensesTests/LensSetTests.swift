import NIOCore
import Testing
import Traffic

@testable import Lenses

@Suite(.timeLimit(.minutes(15)))
struct LensSetTests {
    @Test(
        "A success failed inside where its lens says so",
        arguments: [
            (#"{"data": null, "errors": [{"message": "not found"}]}"#, true), (#"{"data": {"a": 1}}"#, false),
        ]
    )
    func failsInside(answer: String, isFailure: Bool) {
        let capture = LensSample.capture(
            "POST",
            "/graphql",
            requestFields: "Content-Type: application/json\r\n",
            request: Array(#"{"query": "{ a }"}"#.utf8),
            response: Array(answer.utf8)
        )
        #expect(LensSet.standard.failsInside(capture) == isFailure)
    }

    @Test(
        "A client is known by its own host, or by the path of its API",
        arguments: [
            ("api.srct.gmu.edu", "/whatsopen/v2/facilities/", "What's Open"),
            ("localhost", "/whatsopen/v2/alerts/?format=json", "What's Open"),
            ("127.0.0.1", "/api/schedules/4/", nil), ("shop.test", "/api/locations", nil),
            ("localhost", "/api/3/action/package_search?q=x", "Toronto Open Data"),
            ("ckan0.cf.opendata.inter.prod-toronto.ca", "/api/3/action/tag_list", "Toronto Open Data"),
            ("data.gov.test", "/api/3/action/package_search?q=x", nil),
            ("app.toronto.ca", "/nm/notices.json", "Toronto Open Data"),
            ("localhost", "/entrypoint.php?query&type=-1", "Virtual Meeting Finder"),
            ("localhost", "/index.php?page=1", nil), ("localhost", "/entrypoint.php", nil),
            ("shop.test", "/server.php?info", nil), ("shop.test", "/search.php?query", nil),
            ("localhost", "/api/users", nil), ("localhost", "", nil),
            (
                "api.apple-cloudkit.com", "/database/1/iCloud.BruinLife.MatthewDeCoste/production/public/records/query",
                "Bruin Life"
            ),
            ("api.apple-cloudkit.com", "/database/1/iCloud.other/production/public/records/query", nil),
        ] as [(String, String, String?)]
    )
    func known(host: String, target: String, client: String?) {
        let exchange = Exchange(
            timeline: Timeline(started: 0),
            method: "GET",
            scheme: .https,
            host: host,
            port: 443,
            target: target,
            request: Message(head: ByteBuffer()),
            client: Peer(token: 1, address: "", tls: nil)
        )
        #expect(LensSet.standard.classify(exchange) { _ in [] }.client == client)
    }

    @Test("Endpoints whose names are long together are remembered in part")
    func history() {
        var history = EndpointHistory()
        let captures = (0..<20).map { index in
            LensSample.capture("/\(index)" + String(repeating: "x", count: 2 << 20), json: "{}")
        }
        let none = captures.compactMap { history.previous(of: $0) }
        let known = captures.compactMap { history.previous(of: $0) }
        #expect(none.isEmpty && known.count == 15)
    }

    @Test("A portal is read as one whoever's it is, and only Toronto's is asked by Toronto's app")
    func portals() {
        let capture = LensSample.capture("/api/3/action/package_list", json: "{}")
        #expect(LensSet.standard.classify(capture.exchange) { _ in [] }.lens == "ckan")
    }

    @Test(
        "A path that any API may have is known by what it answers",
        arguments: [
            ("/api/facilities/", #"[{"facility_name":"A","main_schedule":{}}]"#, "whatsopen"),
            ("/api/facilities/a/", #"{"facility_name":"A","main_schedule":{}}"#, "whatsopen"),
            ("/api/alerts/1/", #"{"urgency_tag":"info","start_datetime":null}"#, "whatsopen"),
            ("/api/alerts/", #"[{"id":1,"text":"sale"}]"#, "json"), ("/api/categories", "[]", "json"),
            ("/api/schedules", #"[{"open_times":["9:00"]}]"#, "json"),
            ("/finder.php?query&ids=(7)", #"{"meta":{"total":0},"meetings":[]}"#, "meetings"),
            ("/meetings", #"{"meta":{"page":1},"meetings":[{"title":"Stand-up"}]}"#, "json"),
        ]
    )
    func marked(target: String, body: String, lens: String) {
        let capture = LensSample.capture(target, json: body)
        #expect(LensSet.standard.classify(capture.exchange) { _ in capture.response.bytes }.lens == lens)
    }

    @Test("A shop whose path the campus has too is not held to the campus's rules, and its answers are no failures")
    func shop() throws {
        for (target, code) in [("/api/locations?id=7", 404), ("/api/alerts", 500), ("/api/categories", 200)] {
            let capture = LensSample.capture("GET", target, code: code, response: Array(#"{"error":"none"}"#.utf8))
            #expect(LensSet.standard.findings(capture).isEmpty, "\(target)")
            #expect(LensSet.standard.lens(of: capture)?.name == "json")
        }
    }

    @Test(
        "An API on an unknown host and path is known by its answers",
        arguments: [
            (#" [{"facility_name":"A","main_schedule":{}}]"#, "whatsopen"), (#"[{"facility_name":"A"}]"#, "json"),
            (#"[{"urgency_tag":"info","start_datetime":null}]"#, "whatsopen"), (#"[{"urgency_tag":"info"}]"#, "json"),
            (#"[{"open_times":[]}]"#, "json"), (#"[{"open_times":[],"twenty_four_hours":true}]"#, "whatsopen"),
            (#"[{"campus_region":"fairfax"}]"#, "json"), (#"{"urgency_tag":"info"}"#, "json"),
            (#"{"meta":{"total":0},"meetings":[]}"#, "json"), (#"[{"meta":{},"meetings":[]}]"#, "json"),
            (#"{"meta":{"total":1,"starting_index":0},"meetings":[{}]}"#, "meetings"),
            (#"{"server_version":"1.5.1","services":{}}"#, "meetings"),
            (#"{"help":"x","success":false,"error":{}}"#, "ckan"), (#"{"success":false,"error":{}}"#, "json"),
            (#"{"Records":[{"noticeId":1,"title":"A"}]}"#, "notices"),
            (#"{"records":[{"recordName":"quick","recordType":"QuickMenu"}]}"#, "cloudkit"),
            (#"{"jsonrpc":"2.0","result":1,"id":1}"#, "json-rpc"), (#""meta" "meetings""#, "json"), ("", "json"),
        ]
    )
    func answered(body: String, lens: String) {
        let capture = LensSample.capture("/somewhere/else", json: body)
        #expect(LensSet.standard.classify(capture.exchange) { _ in capture.response.bytes }.lens == lens)
    }

    @Test(
        "A body is looked at whatever text or mere bytes it is said to be, and no other type's is",
        arguments: [
            ("Content-Type: application/octet-stream\r\n", "notices"), ("Content-Type: text/html\r\n", "notices"),
            ("Content-Type: text/plain; charset=utf-8\r\n", "notices"), ("", "notices"),
            ("Content-Type: image/png\r\n", nil), ("Content-Type: application/xml\r\n", nil),
        ] as [(String, String?)]
    )
    func named(fields: String, lens: String?) {
        let body = Array(#"{"Records":[{"noticeId":1,"title":"A"}]}"#.utf8)
        let capture = LensSample.capture("GET", "/file", fields: fields, response: body)
        #expect(LensSet.standard.classify(capture.exchange) { _ in body }.lens == lens)
    }

    @Test("A request is known by its body where the answer tells nothing")
    func asked() {
        let capture = LensSample.capture(
            "POST",
            "/rpc",
            requestFields: "Content-Type: application/json; charset=utf-8\r\n",
            request: Array(#"{"query":"query Places { open }"}"#.utf8),
            response: Array("{}".utf8)
        )
        let found = LensSet.standard.classify(capture.exchange) {
            $0 == .request ? capture.request.bytes : capture.response.bytes
        }
        #expect(found.lens == "graphql")
    }
}
