import Foundation
import Support
import Testing

@Suite(.timeLimit(.minutes(15))) struct MeetingsCommandTests {
    private static func meeting(_ id: Int, _ rest: String) -> String {
        #"{"server_id":99,"meeting_id":\#(id),"organization_key":"na","virtual_information":{"url":"https://zoom.us/j/123456789\#(id)"},\#(rest)}"#
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

    private static func answer(_ meetings: [String]) -> [UInt8] {
        let count = meetings.count
        let meta =
            #"{"total":\#(count),"total_pages":1,"page_size":\#(count),"page":0,"starting_index":0,"actual_size":\#(count),"search_time":0.1}"#
        return Array(#"{"meta":\#(meta),"meetings":[\#(meetings.joined(separator: ","))]}"#.utf8)
    }

    private func store() async throws -> CapturedStore {
        let store = try CapturedStore()
        let fields = "Content-Type: application/json\r\n"
        try await store.record(
            Sample(1, "GET", "/entrypoint.php?query&type=-1", fields: fields, responseBody: Self.answer(Self.meetings))
        )
        let empty = Array(#"{ "meta": {"total": 0}, "meetings": []}"#.utf8)
        try await store.record(Sample(2, "GET", "/entrypoint.php?query&ids=(7)", fields: fields, responseBody: empty))
        try await store.record(
            Sample(
                3,
                "GET",
                "/entrypoint.php?info",
                fields: fields,
                responseBody: Array(#"{"server_version":"1"}"#.utf8)
            )
        )
        let single = Self.answer([Self.meetings[1]])
        try await store.record(
            Sample(4, "GET", "/entrypoint.php?query&ids=(99,12)", fields: fields, responseBody: single)
        )
        return store
    }

    private func lines(_ store: CapturedStore, _ arguments: String...) async throws -> [String] {
        let seen = ["--tz", "America/New_York", "--at", "2026-09-14T12:00"]
        let result = try await CommandLineTool.run(
            try Executable.inspect(),
            ["meetings"] + arguments + seen + ["--store", store.path]
        )
        #expect(result.status == 0, "\(result.errors)")
        return result.output.split(separator: "\n").map(String.init)
    }

    @Test(
        "The newest answer with meetings is listed in the viewer's week; what the app hides is counted, and listed on demand"
    )
    func lists() async throws {
        let store = try await store()
        let all = try await lines(store)
        #expect(all.first?.hasPrefix("5 meetings in #1 of api.example.test, ") == true)
        #expect(all.dropFirst().first == "1 of 5 meetings this client will hide: 1 unknown time_zone")
        #expect(
            all.dropFirst(4).map { $0.dropFirst(3).prefix(10) } == [
                "Sat  06:00", "Sat  07:30", "Sat  20:00", "Mon  11:30",
            ]
        )
        #expect(
            all.contains { $0.contains("Bell\\e[2J") }
                && all.last?.contains("zoomus://zoom.us/join?confno=12345678912") == true
        )
        let hidden = try await lines(store, "--hidden")
        #expect(hidden.last?.hasSuffix("hidden: unknown time_zone") == true)
        let now = try await lines(store, "--now", "--attend", "99/12")
        #expect(now.contains("In Progress: 1") && now.last?.hasPrefix("★  Mon  11:30  Noon") == true)
    }

    @Test(
        "A time of a day picks the nearest slot and says where the app goes; slots are listed with counts and thermometer"
    )
    func slots() async throws {
        let store = try await store()
        let evening = try await lines(store, "--day", "sat", "--time", "2300")
        #expect(evening.contains("Saturday 20:00, slot 3 of 3  ████████████████████"))
        #expect(evening.contains("The app goes to 06:00 instead (V2)."))
        let slots = try await lines(store, "--day", "sat", "--slots")
        #expect(slots.contains("Saturday: 3 time slots, 3 meetings"))
        #expect(slots.contains("07:30     1  █████████████░░░░░░░"))
        let one = try await lines(store, "--day", "mon", "--slots")
        #expect(one.contains("Monday: 1 time slot, 1 meeting"), "\(one)")
        let none = try await lines(store, "--day", "wed", "--slots")
        #expect(none.last == "No meetings on Wednesday.")
    }

    @Test("An answer to a question for single meetings is listed where it is asked for, or is all there is")
    func singles() async throws {
        let store = try await store()
        let asked = try await lines(store, "url:ids=")
        #expect(asked.first?.hasPrefix("1 meeting in #4 ") == true, "\(asked)")
    }

    @Test("A mark of attendance is there in the next listing, until it is taken away; a command that fails keeps none")
    func marks() async throws {
        let store = try await store()
        #expect(try await lines(store, "--attended").contains { $0.hasPrefix("No meeting is marked") })
        #expect(try await lines(store, "--attend", "99/12", "--attend", "7/7").contains("Not among them: 7/7"))
        let tomorrow = try await lines(store)
        #expect(tomorrow.filter { $0.hasPrefix("★") }.map { $0.contains("Noon") } == [true])
        #expect(!tomorrow.contains { $0.hasPrefix("Not among them") })
        #expect(try await lines(store, "--attended").contains("by next start: 1"))
        let other = try CapturedStore()
        let failed = try await other.inspect("meetings", "--attend", "99/11")
        #expect(failed.status == 2 && !FileManager.default.fileExists(atPath: other.path + ".marks"))
        #expect(try await lines(store, "--remove", "99/12", "--remove", "99/11").allSatisfy { !$0.hasPrefix("★") })
        #expect(try await lines(store, "--attended").contains("by next start: 0"))
        let file = try String(contentsOfFile: store.path + ".marks", encoding: .utf8)
        #expect(file.contains("\(UInt64(7) << 44 + 7)"))
    }

    @Test("JSON has every meeting listed, with moments in the viewer's offset")
    func json() async throws {
        let store = try await store()
        let output = try await lines(store, "--search", "owls", "--attend", "1741626418397195", "--json").joined()
        let root = try #require(try JSONSerialization.jsonObject(with: Data(output.utf8)) as? [String: Any])
        #expect(
            root["capture"] as? Int == 1 && root["total"] as? Int == 5
                && root["at"] as? String == "2026-09-14T12:00:00-04:00"
        )
        #expect((root["hidden"] as? [String: Any])?["count"] as? Int == 1)
        let meetings = try #require(root["meetings"] as? [[String: Any]])
        #expect(meetings.map { $0["name"] as? String } == ["Early Owls", "Late Owls"])
        #expect(meetings.map { $0["starts"] as? String } == ["2026-09-19T06:00:00-04:00", "2026-09-19T07:30:00-04:00"])
        #expect(meetings.map { $0["attended"] as? Bool } == [false, true])
        let attended = try await lines(store, "--attended", "--attend", "99/13", "--type", "video")
        // The mark that was set before is kept.
        #expect(attended.contains("by next start: 2") && attended.filter { $0.hasPrefix("★") }.count == 2)
        #expect(try await lines(store, "--type", "phone").contains("by next start: 0"))
    }

    @Test(
        "A mistake is one line that says what was expected, and ends with status 2",
        arguments: [
            (["--day", "someday"], "--day someday: expected sun"), (["--day", "8"], "--day 8 is search"),
            (["--tz", "Nowhere"], "--tz Nowhere"),
            (["--time", "1900"], "--time goes with a day"), (["--day", "sun", "--time", "2500"], "--time 2500"),
            (["--attend", "x"], "--attend x"),
            (["--remove", "99/"], "--remove 99/"),
            (["--attend", "99/11", "--remove", "99/11"], "both name 99/11"),
            (["--now", "--search", "x"], "exclude each other"),
            (["--from-capture", "2", "x"], "leave the query out"), (["--from-capture", "3"], "is no answer to ?query"),
            (["--from-capture", "77"], "there is no exchange 77"),
            (["host:other.test"], "no matching exchange is an answer"),
            (["--at", "soon"], "--at soon"), (["--slots", "--now"], "--slots are those of a day"),
        ]
    )
    func mistakes(arguments: [String], words: String) async throws {
        let store = try await store()
        let result = try await CommandLineTool.run(
            try Executable.inspect(),
            ["meetings"] + arguments + ["--store", store.path]
        )
        #expect(result.status == 2 && result.errors.contains(words), "\(result.errors)")
        #expect(result.errors.split(separator: "\n").count == 1)
    }
}
