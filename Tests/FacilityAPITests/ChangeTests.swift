import FacilityAPI
import Hummingbird
import Logging
import NIOCore
import NIOEmbedded
import Testing

@Suite(.timeLimit(.minutes(15))) struct ChangeTests {
    private let json = ["Content-Type": "application/json"]

    private func change(_ text: String, _ ask: Stand.Ask) async throws -> Stand.Reply {
        try await ask("/facility-api/change", "POST", json, text)
    }

    @Test("An edit of one day's hours changes that day, and says when")
    func hours() async throws {
        try await Stand().session { ask in
            let before = try await ask("/api/facilities/late-slice/", "GET", [:], nil)
            let reply = try await change(#"{"facility":"late-slice","day":"friday","end":"20:00:00"}"#, ask)
            #expect(reply.status == 200)
            #expect(reply.body == #"{"changed":["late-slice: 11:00:00-01:00:00 -> 11:00:00-20:00:00"]}"#)
            let after = try await ask("/api/facilities/late-slice/", "GET", [:], nil)
            let entries = try #require(try after.json["main_schedule"]?["open_times"]?.elements)
            let friday = entries.filter { $0["start_day"] == 4 }
            #expect(friday.map { $0["end_time"] } == ["20:00:00"] && friday.map { $0["end_day"] } == [4])
            #expect(try after.json["main_schedule"]?["modified"] == "2026-09-15T12:00:00-04:00")
            #expect(entries.count == 7 && before.body != after.body)
            #expect(before.header("ETag") != after.header("ETag"))
        }
    }

    @Test("Data that is different from the start keeps its modified dates")
    func original() async throws {
        let changes = try FacilityChange.reading(
            #"[{"facility":"tidal-sushi","day":"mon","closed":true},{"facility":"tidal-sushi","day":"sun","start":"10:00","end":"02:00"}]"#
        )
        let plain = try await Stand().ask("/api/facilities/tidal-sushi/").json["main_schedule"]
        let edited = try await Stand(changes: changes).ask("/api/facilities/tidal-sushi/").json["main_schedule"]
        #expect(edited?["modified"] == plain?["modified"] && edited?["open_times"]?.elements?.count == 5)
        let sunday = edited?["open_times"]?.elements?.last
        #expect(sunday?["start_day"] == 6 && sunday?["end_day"] == 0 && sunday?["end_time"] == "02:00:00")
    }

    @Test("A new alert is due at once and can be taken away")
    func alerts() async throws {
        try await Stand().session { ask in
            let made = try await change(#"{"alert":{"urgency_tag":"major","subject":"No water","body":"Again."}}"#, ask)
            #expect(made.body == #"{"changed":["alert 18 is served"]}"#)
            let listed = try await ask("/api/alerts/18/", "GET", [:], nil)
            #expect(listed.body.contains(#""urgency_tag":"major","subject":"No water","body":"Again.","url":"""#))
            #expect(listed.body.contains(#""start_datetime":"2026-09-15T12:00:00-04:00""#))
            #expect(try await change(#"{"remove-alert":18}"#, ask).status == 200)
            #expect(try await ask("/api/alerts/18/", "GET", [:], nil).status == 404)
        }
    }

    @Test("A removed field, a set one and a status hold below their path only, until they end")
    func alterations() async throws {
        try await Stand().session { ask in
            for text in [
                #"{"remove-field":"phone_number"}"#,
                #"{"set-field":"campus_region","value":"mars","path":"/api/locations/"}"#,
                #"{"status":500,"path":"/api/alerts/"}"#,
            ] { #expect(try await change(text, ask).status == 200) }
            let facilities = try await ask("/api/facilities/", "GET", [:], nil).body
            #expect(
                !facilities.contains("phone_number") && facilities.contains("fairfax") && !facilities.contains("mars")
            )
            #expect(
                try await ask("/api/locations/", "GET", [:], nil).column("campus_region").allSatisfy { $0 == "mars" }
            )
            let alerts = try await ask("/api/alerts/", "GET", [:], nil)
            #expect(alerts.status == 500 && alerts.body == "<h1>Server Error (500)</h1>")
            let state = try await ask("/facility-api/", "GET", [:], nil).json
            #expect(state["fields"]?.elements?.count == 2 && state["statuses"]?.elements?.count == 1)
            #expect(try await change(#"{"status":null,"path":"/api/alerts/"}"#, ask).status == 200)
            #expect(try await ask("/api/alerts/", "GET", [:], nil).status == 200)
        }
    }

    @Test("A change that waits holds after that many requests; administration does not count")
    func after() async throws {
        let changes = try FacilityChange.reading(#"{"status":503,"path":"/api/","after":2}"#)
        try await Stand(changes: changes).session { ask in
            var statuses: [Int] = []
            for _ in 0..<4 {
                _ = try await ask("/facility-api/", "GET", [:], nil)
                statuses.append(try await ask("/api/categories/", "GET", [:], nil).status)
            }
            #expect(statuses == [200, 200, 503, 503])
        }
    }

    @Test(
        "A change that cannot be made is refused with the remedy",
        arguments: [
            ("{", "not JSON"), ("7", "a change is an object"), ("{}", "says nothing to do"),
            (#"{"facility":"nowhere","day":"friday","end":"20:00"}"#, "there is no facility 'nowhere'"),
            (#"{"facility":"slice","day":"friday","end":"20:00"}"#, "there is late-slice"),
            (#"{"facility":"late-slice","end":"20:00"}"#, "names no day"),
            (#"{"facility":"late-slice","day":"friday"}"#, "changes nothing"),
            (#"{"facility":"late-slice","day":"friday","end":"25:00"}"#, "expected a time"),
            (#"{"facility":"mall-pho","day":"monday","end":"20:00"}"#, "no hours on that day"),
            (#"{"alert":{}}"#, "needs a \"subject\""), (#"{"remove-alert":99}"#, "there is no alert 99"),
            (#"{"status":200}"#, "expected 400 to 599"), (#"{"colour":"red"}"#, "a change has no 'colour'"),
            (#"{"remove-field":"note","after":-1}"#, "expected a number of requests"),
        ]
    )
    func refused(text: String, reason: String) async throws {
        let reply = try await Stand().ask("/facility-api/change", "POST", headers: json, body: text)
        #expect(reply.status == 400)
        #expect(try reply.json["error"]?.text?.contains(reason) == true)
    }

    @Test("Only JSON is a change: a form that a web page sends is not")
    func forms() async throws {
        let stand = Stand()
        #expect(try await stand.ask("/facility-api/change", "POST", body: #"{"remove-alert":11}"#).status == 415)
        #expect(try await stand.ask("/facility-api/change").status == 405)
        #expect(try await stand.ask("/facility-api/other").status == 404)
    }

    @Test("Another machine may not change anything")
    func loopbackOnly() async throws {
        let responder = try FacilityResponder(configuration: Stand().configuration)
        func status(from address: String) async throws -> Int {
            let channel = EmbeddedChannel()
            channel.remoteAddress = try SocketAddress(ipAddress: address, port: 5)
            let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
            let context = FacilityRequestContext(source: .init(channel: channel, logger: logger))
            let head = HTTPRequest(
                method: .post,
                scheme: "http",
                authority: "localhost",
                path: "/facility-api/change",
                headerFields: [.contentType: "application/json"]
            )
            let body = RequestBody(buffer: ByteBuffer(string: #"{"remove-alert":11}"#))
            return try await responder.respond(to: Request(head: head, body: body), context: context).status.code
        }
        #expect(try await status(from: "192.0.2.7") == 403)
        // It is there to be removed, once.
        #expect(try await status(from: "127.0.0.1") == 200)
        #expect(try await status(from: "::1") == 400)
    }

    @Test(
        "JSON is read to its letters, and what is none is refused",
        arguments: [
            (#" "a\"\\\/\u00e9\ud83d\ude00é" "#, #""a\"\\/é😀é""#), (#""\ud83d-""#, "\"\u{FFFD}-\""),
            ("[ ]", "[]"), ("{ }", "{}"), (#"{"b":1,"a":[true,false,null],"b":2}"#, #"{"b":2,"a":[true,false,null]}"#),
            ("-0", "0"), ("-12", "-12"), ("1.5e-3", "0.0015"), ("9223372036854775807", "9223372036854775807"),
            ("01", nil), ("1.", nil), (".5", nil), ("+1", nil), ("-", nil), ("1e", nil), ("1e999", nil), ("nul", nil),
            (#""\x""#, nil), (#""\u12g4""#, nil), ("\"\n\"", nil), ("\"", nil), ("[1,]", nil), ("[1 2]", nil),
            (#"{"a" 1}"#, nil), (#"{"a":1,}"#, nil), ("{1:2}", nil), ("1 2", nil), ("", nil),
        ] as [(String, String?)]
    )
    func letters(text: String, read: String?) async throws {
        try await Stand().session { ask in
            let reply = try await change(#"{"set-field":"x","value":\#(text)}"#, ask)
            #expect(reply.status == (read == nil ? 400 : 200), "\(reply.body)")
            guard let read else { return }
            #expect(try reply.json["changed"]?.elements?.first?.text == "answers below / have x = \(read)")
        }
    }

    @Test("Many values deep in each other are read in no time to speak of")
    func depth() async throws {
        let values = Array(repeating: #""a""#, count: 5_000).joined(separator: ",")
        let text = String(repeating: "[", count: 150) + values + String(repeating: "]", count: 150)
        let reply = try await Stand().ask("/api/3/action/tag_list", "POST", body: text)
        #expect(reply.status == 400)
    }
}
