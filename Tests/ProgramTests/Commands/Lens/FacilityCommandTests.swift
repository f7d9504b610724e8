import Foundation
import Support
import Testing
import Traffic

@Suite(.timeLimit(.minutes(15))) struct FacilityCommandTests {
    private static let night = (0..<7).map {
        #"{"start_day":\#($0),"end_day":\#(($0 + 1) % 7),"start_time":"07:00:00","end_time":"02:00:00"}"#
    }.joined(separator: ",")

    private func facility(_ slug: String, _ name: String, _ hours: String, campus: String = "fairfax") -> String {
        #"{"slug":"\#(slug)","facility_name":"\#(name)","facility_location":{"building":"Hall","campus_region":"\#(campus)"},"#
            + #""facility_category":{"name":"Café"},"facility_product_tags":["tea"],"main_schedule":{"name":"Fall","open_times":[\#(hours)],"#
            + #""valid_start":null,"valid_end":null,"twenty_four_hours":false},"special_schedules":[]}"#
    }

    private func alert(_ id: Int, _ urgency: String, _ from: String, _ to: String) -> String {
        #"{"id":\#(id),"urgency_tag":"\#(urgency)","subject":"About \#(urgency)","body":"b","url":"","start_datetime":"\#(from)T00:00:00-04:00","end_datetime":"\#(to)T00:00:00-04:00"}"#
    }

    private func record(
        _ store: CapturedStore,
        _ token: UInt64,
        _ target: String,
        _ body: String,
        code: Int = 200,
        host: String = "localhost"
    ) async throws {
        try await store.record(
            Sample(
                token,
                "GET",
                target,
                scheme: .http,
                host: host,
                code: code,
                fields: "Content-Type: application/json\r\n",
                responseBody: Array(body.utf8)
            )
        )
    }

    private func object(_ result: CommandLineTool.Result) throws -> [String: Any] {
        #expect(result.status == 0, "\(result.errors)")
        return try #require(try JSONSerialization.jsonObject(with: Data(result.outputBytes)) as? [String: Any])
    }

    @Test("The newest whole list is read, with its server's newer answers about single facilities over it")
    func facilities() async throws {
        let store = try CapturedStore()
        let late = facility("late", "Late Place", Self.night)
        let tea = facility(
            "tea",
            "Tea House",
            #"{"start_day":5,"end_day":5,"start_time":"09:00:00","end_time":"17:00:00"}"#,
            campus: "arlington"
        )
        try await record(store, 1, "/api/facilities/?format=json", "[\(facility("gone", "Gone", ""))]")
        // Known by its body alone.
        try await record(store, 2, "/files/campus.json", "[\(late),\(tea)]", host: "cdn.test")
        try await record(store, 3, "/api/facilities/?open_now", "[]")
        try await record(store, 4, "/api/facilities/", #"{"detail":"Request was throttled."}"#, code: 429)
        try await record(
            store,
            5,
            "/api/facilities/tea/",
            facility(
                "tea",
                "Tea House",
                #"{"start_day":5,"end_day":5,"start_time":"08:00:00","end_time":"12:00:00"}"#,
                campus: "arlington"
            ),
            host: "cdn.test"
        )
        try await record(store, 6, "/api/facilities/late/", facility("late", "Elsewhere", ""))
        let root = try object(
            try await store.inspect(
                "facilities",
                "--json",
                "--at",
                "2026-09-19T01:30",
                "--compare",
                "ios,web,server",
                "--week"
            )
        )
        #expect(root["exchange"] as? Int == 2 && root["at"] as? String == "2026-09-19T01:30:00-04:00")
        let rows = try #require(root["facilities"] as? [[String: Any]])
        #expect(rows.map { $0["slug"] as? String } == ["late", "tea"])
        #expect(
            rows.map { $0["openNow"] as? Bool } == [true, false]
                && rows.map { $0["openToday"] as? Bool } == [true, true]
        )
        #expect(rows[0]["closes"] as? String == "2026-09-19T02:00:00-04:00" && rows[1]["closes"] is NSNull)
        #expect(
            rows[1]["opensNext"] as? String == "2026-09-19T08:00:00-04:00" && rows[0]["schedule"] as? String == "Fall"
        )
        #expect((rows[0]["warnings"] as? [Any])?.isEmpty == true)
        let ios = try #require((rows[0]["compare"] as? [[String: Any]])?.first)
        #expect(
            ios["client"] as? String == "ios" && ios["says"] as? String == "closed" && ios["isRight"] as? Bool == false
        )
        #expect((ios["week"] as? [String: Any])?["minutesWrong"] as? Int == 840)
        let old = try object(try await store.inspect("facilities", "--json", "--from-capture", "1"))
        #expect((old["facilities"] as? [[String: Any]])?.map { $0["slug"] as? String } == ["gone"])
    }

    @Test("Tables are for people, and filters narrow them")
    func table() async throws {
        let store = try CapturedStore()
        try await record(
            store,
            1,
            "/api/facilities/",
            "[\(facility("late", "Late \\u001b[31mPlace", Self.night)),\(facility("tea", "Tea House", "", campus: "arlington"))]"
        )
        let all = try await store.inspect("facilities", "--at", "2026-09-19T01:30", "--compare", "ios,server")
        #expect(
            all.output.hasPrefix(
                "2 facilities, 1 open at Sat 2026-09-19 01:30 EDT\nfrom exchange 1 of localhost, last updated "
            ),
            "\(all.output)\(all.errors)"
        )
        #expect(all.output.contains("Late \\e[31mPlace") && !all.output.contains("\u{1B}"))
        #expect(all.output.contains("closed ✗") && all.output.contains("The clients disagree about Late"))
        let some = try await store.inspect(
            "facilities",
            "--campus",
            "arlington",
            "--closed",
            "--sort",
            "-name",
            "--search",
            "tea",
            "--at",
            "2026-09-19T01:30",
            "--tz",
            "UTC"
        )
        #expect(
            some.output.hasPrefix("1 of 2 facilities, 0 open at Sat 2026-09-19 01:30 UTC\n"),
            "\(some.output)\(some.errors)"
        )
        #expect(some.output.contains("has no opening times"))
    }

    @Test("The name of a server is escaped on a terminal", arguments: [["facilities"], ["facilities", "late"]])
    func server(command: [String]) async throws {
        let store = try CapturedStore()
        let list = "[\(facility("late", "Late Place", Self.night))]"
        try await record(store, 1, "/whatsopen/v2/facilities/", list, host: "c\u{1B}[31mdn.test")
        let told = try await CommandLineTool.run(try Executable.inspect(), command + ["--store", store.path])
        #expect(told.output.contains("exchange 1 of c\\e[31mdn.test, last updated "), "\(told.output)\(told.errors)")
        #expect(!told.output.contains("\u{1B}"))
    }

    @Test("Why a facility is open is said, with what each client says")
    func why() async throws {
        let store = try CapturedStore()
        try await record(store, 1, "/api/facilities/", "[\(facility("late", "Late Place", Self.night))]")
        let why = try await store.inspect("facilities", "late", "--why", "--at", "2026-09-19T01:30")
        for words in [
            "open until 02:00", "“Fall”, the main one", "Fri 07:00–Sat 02:00", "/0/main_schedule/open_times/4",
            "iPhone app   closed ✗", "T1 840",
        ] {
            #expect(why.output.contains(words), "\(words): \(why.output)\(why.errors)")
        }
        let short = try await store.inspect("facilities", "late place", "--at", "2026-09-19T01:30")
        #expect(short.output.contains("open until 02:00") && !short.output.contains("What the clients say"))
        let list = try await store.inspect("facilities", "--at", "2026-09-19T01:30")
        #expect(list.output.hasPrefix("1 facility, 1 open at "), "\(list.output)\(list.errors)")
        let json = try object(try await store.inspect("facilities", "late", "--json", "--at", "2026-03-08T06:30:00Z"))
        #expect(json["closes"] as? String == "2026-03-08T03:00:00-04:00" && (json["compare"] as? [Any])?.count == 4)
        let missing = try await store.inspect("facilities", "lat")
        #expect(missing.status == 2 && missing.errors.contains("did you mean late?"))
    }

    @Test(
        "Words that are a facility's slug or name as a whole are that facility, whatever a query would make of them",
        arguments: [
            (["Den (North)"], "Den (North)\n", ""), (["den", "(north)"], "Den (North)\n", ""),
            (["2"], "Second\n", ""), (["--one", "2"], "Second\n", ""), (["1"], "2 facilities, ", ""),
            (["(host:localhost)"], "2 facilities, ", ""), (["3"], "", "no exchange 3 in the store"),
            (["--one", "1"], "", "there is no facility “1” in exchange 1"),
            (["1", "--why"], "", "--why goes with a facility, as in rivanna-kitchen --why"),
        ]
    )
    func names(words: [String], output: String, errors: String) async throws {
        let store = try CapturedStore()
        let list = [facility("den-north", "Den (North)", ""), facility("2", "Second", "")].joined(separator: ",")
        try await record(store, 1, "/api/facilities/", "[\(list)]")
        let place = ["--at", "2026-09-19T01:30", "--store", store.path]
        let result = try await CommandLineTool.run(try Executable.inspect(), ["facilities"] + words + place)
        #expect(result.status == (errors.isEmpty ? 0 : 2), "\(result.errors)")
        #expect(result.output.hasPrefix(output) && result.output.isEmpty == output.isEmpty, "\(result.output)")
        let beginning = errors.isEmpty ? "" : "inspect: " + errors
        #expect(result.errors.hasPrefix(beginning) && result.errors.isEmpty == errors.isEmpty, "\(result.errors)")
    }

    @Test("Words with a key of the query language select exchanges, even where a facility is called so")
    func keys() async throws {
        let store = try CapturedStore()
        let list = [facility("key", "host:localhost", ""), facility("den", "Den: North", "")].joined(separator: ",")
        try await record(store, 1, "/api/facilities/", "[\(list)]")
        let place = ["--at", "2026-09-19T01:30", "--store", store.path]
        for (words, output) in [
            (["host:localhost"], "2 facilities, "), (["-host:other"], "2 facilities, "),
            (["--one", "host:localhost"], "host:localhost\n"), (["den: north"], "Den: North\n"),
        ] {
            let result = try await CommandLineTool.run(try Executable.inspect(), ["facilities"] + words + place)
            #expect(result.output.hasPrefix(output), "\(words): \(result.output)\(result.errors)")
        }
    }

    @Test("Alerts are those shown at the moment, or all, by urgency")
    func alerts() async throws {
        let store = try CapturedStore()
        let minor = alert(1, "minor", "2026-09-18", "2026-09-20")
        let major = alert(2, "major", "2026-09-18", "2026-09-20")
        let (list, past) = ("\(minor),\(major)", alert(3, "info", "2026-08-01", "2026-08-02"))
        try await record(store, 1, "/api/alerts/?all_alerts", "[\(list),\(past)]")
        try await record(store, 2, "/api/alerts/", "[\(list)]")
        let shown = try await store.inspect("facilities", "alerts", "--at", "2026-09-19T12:00")
        #expect(
            shown.output.hasPrefix("2 alerts, 2 shown at Sat 2026-09-19 12:00 EDT\nfrom exchange 2"),
            "\(shown.output)\(shown.errors)"
        )
        let all = try object(
            try await store.inspect(
                "facilities",
                "alerts",
                "--all",
                "--json",
                "--at",
                "2026-09-19T12:00",
                "--urgency",
                "info,major"
            )
        )
        let rows = try #require(all["alerts"] as? [[String: Any]])
        #expect(
            rows.map { $0["urgency"] as? String } == ["major", "info"]
                && rows.map { $0["active"] as? Bool } == [true, false]
        )
        #expect(rows[0]["start"] as? String == "2026-09-18T00:00:00-04:00" && rows[1]["expired"] as? Bool == true)
    }

    @Test(
        "A value that no captured facility has is a mistake that names those there are; one that others have is not",
        arguments: [
            (
                ["--campus", "fairfx"], 2,
                "--campus fairfx: nothing captured has it; did you mean 'fairfax'? there are fairfax"
            ),
            (["--category", "Zoo"], 2, "--category Zoo: nothing captured has it; there are "),
            (["--location", "Mars"], 2, "--location Mars: nothing captured has it; "), (["--campus", "fair"], 0, ""),
            (["--campus", "fairfax", "--search", "nothing"], 0, ""),
        ]
    )
    func unknown(arguments: [String], status: Int32, words: String) async throws {
        let store = try CapturedStore()
        try await record(store, 1, "/api/facilities/", "[\(facility("late", "Late Place", Self.night))]")
        let all = ["facilities"] + arguments + ["--store", store.path]
        let result = try await CommandLineTool.run(try Executable.inspect(), all)
        #expect(
            result.status == status && result.errors.hasPrefix(status == 0 ? "" : "inspect: " + words),
            "\(result.errors)"
        )
        #expect(result.errors.filter(\.isNewline).count == (status == 0 ? 0 : 1))
    }

    @Test(
        "A mistake gets one line and status 2",
        arguments: [
            (["facilities"], "no facility list of What's Open is captured"), (["facilities", "x"], "no facility list"),
            (["facilities", "alerts"], "no alert of What's Open is captured"),
            (["facilities", "--tz", "Mars/Base"], "--tz Mars/Base: expected"),
            (["facilities", "--at", "soon"], "--at soon: expected"),
            (["facilities", "--compare", "iso"], "--compare iso: expected"),
            (["facilities", "--week"], "--week goes with --compare"),
            (["facilities", "--why"], "--why goes with a facility, as in rivanna-kitchen --why"),
            (
                ["facilities", "x", "--open-now"],
                "options of the listing and one facility exclude each other"
            ),
            (["facilities", "--open-now", "--closed"], "exclude each other"),
            (["facilities", "--sort", "size"], "size"),
            (["facilities", "alerts", "--urgency", "huge"], "--urgency huge: expected"),
            (["facilities", "--from-capture", "99"], "there is no exchange 99"),
            (["facilities", "--from-capture", "1"], "exchange 1 holds no facilities"),
        ]
    )
    func mistakes(arguments: [String], words: String) async throws {
        let store = try CapturedStore()
        try await record(store, 1, "/other", "{}")
        let result = try await CommandLineTool.run(try Executable.inspect(), arguments + ["--store", store.path])
        #expect(result.status == 2 && result.errors.contains(words), "\(result.errors)")
        #expect(result.errors.split(separator: "\n").count == 1)
    }
}
