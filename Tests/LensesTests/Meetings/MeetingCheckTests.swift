import Lenses
import Testing
import Traffic

@Suite(.timeLimit(.minutes(15)))
struct MeetingCheckTests {
    private func findings(_ json: String, query: String = "query&page_size=1", started: String = "2026-09-14T16:00:00Z")
        -> [CheckFinding]
    {
        VirtualMeetingsLens().findings(LensSample.capture("/x.php?\(query)", json: json, started: started))
    }

    @Test("A sound answer breaks no rule")
    func sound() { #expect(findings(MeetingSample.answer([MeetingSample.json()])).isEmpty) }

    @Test("Each rule has an id of its own and says what the app does")
    func rules() {
        let rules = VirtualMeetingsLens().rules
        #expect(Set(rules.map(\.id)).count == rules.count && rules.allSatisfy { !$0.consequence.isEmpty })
        #expect(Set(rules.map(\.id)).isSuperset(of: (1...9).map { "VM-\($0)" } + (1...7).map { "VM-V\($0)" }))
    }

    @Test(
        "A meeting that is not as it should be is found, with its place",
        arguments: [
            (["time_zone": "\"Mars/Olympus\""], "VM-3", "/meetings/0/time_zone"),
            (["time_zone": "\"Mars/Olympus\""], "VM-2", "/meetings/0/time_zone"),
            (["time_zone": nil], "VM-2", "/meetings/0/time_zone"), (["weekday": "9"], "VM-4", "/meetings/0/weekday"),
            (["start_time": "\"late\""], "VM-4", "/meetings/0/start_time"),
            (["virtual_information": "{\"url\":\"call me\"}"], "VM-5", "/meetings/0/virtual_information/url"),
            (
                ["virtual_information": "{\"url\":\"https://zoom.us/my/owls\"}"], "VM-5",
                "/meetings/0/virtual_information/url"
            ),
            (["duration": "0"], "VM-7", "/meetings/0/duration"),
            (["name": "\"100% Recovery\""], "VM-10", "/meetings/0/name"),
        ] as [([String: String?], String, String)]
    )
    func meetings(changes: [String: String?], rule: String, pointer: String) {
        let found = findings(MeetingSample.answer([MeetingSample.json(changes)]))
        #expect(found.contains { $0.rule == rule && $0.pointer == pointer && $0.side == .response }, "\(found)")
    }

    @Test(
        "Numbers of meta that do not agree are found",
        arguments: [("actual_size", "3"), ("total_pages", "2"), ("starting_index", "4")]
    )
    func meta(name: String, value: String) {
        let found = findings(MeetingSample.answer([MeetingSample.json()], meta: [name: value]))
        #expect(found.map(\.rule) == ["VM-1"] && found.map(\.pointer) == ["/meta/\(name)"])
    }

    @Test("A missing number of meta, and one meeting twice")
    func missing() {
        #expect(
            findings(MeetingSample.answer([MeetingSample.json()], meta: ["search_time": nil])).map(\.message) == [
                "search_time missing"
            ]
        )
        let twice = findings(MeetingSample.answer([MeetingSample.json(), MeetingSample.json()]))
        #expect(twice.map(\.rule) == ["VM-6"] && twice.first?.message == "99/11 stands at /meetings/0 already")
    }

    @Test("Hidden meetings are counted by reason, not listed one by one")
    func hidden() throws {
        let meetings = (0..<30).map {
            MeetingSample.json(["meeting_id": "\($0)", "time_zone": $0 < 12 ? nil : "\"UTC\""])
        }
        let found = findings(MeetingSample.answer(meetings)).filter { $0.rule == "VM-2" }
        #expect(found.map(\.message) == ["12 of 30 meetings: no time_zone (99/0 \"Late Owls\" is the first)"])
        #expect(found.first?.consequence == "the app leaves these 12 out without a word")
    }

    @Test("Many breaches of one rule are cut short, and said to be")
    func cut() throws {
        let meetings = (0..<50).map { MeetingSample.json(["meeting_id": "\($0)", "duration": "0"]) }
        let found = findings(MeetingSample.answer(meetings)).filter { $0.rule == "VM-7" }
        #expect(found.count == 20 && found.last?.message.hasSuffix("is 0 s; and 30 more like it") == true)
    }

    @Test("A finding names no more of a text than a line has room for")
    func longTexts() throws {
        let link = "{\"url\":\"call \(String(repeating: "me", count: 50_000))\"}"
        let found = findings(MeetingSample.answer([MeetingSample.json(["virtual_information": link])]))
        let finding = try #require(found.first { $0.rule == "VM-5" })
        #expect(finding.message.hasPrefix("\"call meme") && finding.message.utf8.count < 3_000)
    }

    @Test("A type that nobody knows, and an answer that came after the app gave up")
    func request() {
        let unknown = findings(MeetingSample.answer([MeetingSample.json()]), query: "query&page_size=1&type=7")
        #expect(unknown.map(\.rule) == ["VM-8"] && unknown.first?.side == .request)
        let slow = LensSample.capture("GET", "/x.php?query", code: 502, milliseconds: 30_100)
        #expect(VirtualMeetingsLens().findings(slow).map(\.message) == ["the answer took 30.1 s"])
        let inTime = LensSample.capture("GET", "/x.php?query", code: 502, milliseconds: 30_000)
        #expect(VirtualMeetingsLens().findings(inTime).isEmpty)
    }

    @Test("Each known bug of the app is named by an answer that lets it be seen")
    func bugs() throws {
        func rules(_ json: String, _ query: String = "query&page_size=1") -> [String] {
            findings(json, query: query).map(\.rule)
        }
        func at(_ id: Int, _ time: String) -> String {
            MeetingSample.json([
                "meeting_id": "\(id)", "weekday": "4", "start_time": "\"\(time):00\"",
                "time_zone": "\"America/New_York\"",
            ])
        }
        #expect(rules(#"{ "meta": {"total": 0}, "meetings": []}"#) == ["VM-V1"])
        #expect(rules(MeetingSample.answer([at(1, "23:58"), at(2, "23:59")])).isEmpty)
        #expect(rules(MeetingSample.answer([at(1, "22:00"), at(2, "22:10")])) == ["VM-V2"])
        let farther = findings(MeetingSample.answer([at(1, "11:00"), at(2, "12:30"), at(3, "23:59")]))
        #expect(farther.map(\.rule) == ["VM-V3"])
        #expect(farther.first?.message == "at 11:46 on Wednesday the app picks 11:00, though 12:30 is nearer")
        #expect(rules(MeetingSample.answer([MeetingSample.json()]), "query&page_size=1&type=-1") == ["VM-V4"])
        #expect(rules(MeetingSample.answer([MeetingSample.json()]), "query") == ["VM-V5"])
        #expect(
            rules(MeetingSample.answer([MeetingSample.json()]), "query&page_size=1&geocenter_lat=0&geocenter_lng=0")
                == ["VM-V6"]
        )
        #expect(
            rules(MeetingSample.answer([MeetingSample.json()], meta: ["center_lat": "0", "center_lng": "0"])) == [
                "VM-V6"
            ]
        )
        let running = MeetingSample.json([
            "weekday": "2", "start_time": "\"11:30:00\"", "time_zone": "\"America/New_York\"",
        ])
        let ending = findings(MeetingSample.answer([running]))
        #expect(
            ending.map(\.rule) == ["VM-V7"]
                && ending.first?.message.hasPrefix("at 12:30:00 in America/New_York 99/11 has ended") == true
        )
    }
}
