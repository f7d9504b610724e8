import Lenses
import Testing
import Traffic

@Suite(.timeLimit(.minutes(15)))
struct MeetingReadingTests {
    @Test("A meeting is read whole, and its number is the server's above 44 bits")
    func whole() throws {
        let meeting = try MeetingSample.meeting([
            "physical_address":
                #"{"street":"121 E. Meeting Street","name":"First Church","city":"Dandridge","nation":"US"}"#,
            "virtual_information": #"{"url":"https://us02web.zoom.us/j/3396967992?pwd=abc","phone_number":"+1 301"}"#,
            "formats": #"[{"id":17,"key":"O"},{"id":9,"key":"asm"}]"#, "distance": "1.5",
        ])
        #expect(
            meeting.name == "Late Owls" && meeting.start == 84_600 && meeting.weekday == 7 && meeting.losses.isEmpty
        )
        #expect(meeting.id == 99 * 17_592_186_044_416 + 11 && meeting.label == "99/11")
        #expect(meeting.kind == .hybrid && meeting.hasVideo && meeting.hasPhone && meeting.town == "Dandridge, US")
        #expect(meeting.formats == ["O", "asm"] && meeting.isService && meeting.distance == 1.5)
    }

    @Test(
        "What the app hides or alters is known by its reason",
        arguments: [
            (["server_id": nil], [.serverID]), (["meeting_id": "\"11\""], [.meetingID]),
            (["start_time": nil], [.start]),
            (["start_time": "\"24:00:00\""], [.start]), (["start_time": "\"7:30\""], [.start]),
            (["start_time": "\"0730\""], [.start]),
            (["organization_key": nil], [.organization]), (["organization_key": "\"\""], [.organization]),
            (["weekday": "0"], [.weekday]), (["weekday": "8"], [.weekday]), (["weekday": nil], [.weekday]),
            (["weekday": "1.5"], [.weekday]),
            (["time_zone": nil], [.noZone]), (["time_zone": "\"\""], [.noZone]),
            (["virtual_information": nil], [.noPlace]),
            (["virtual_information": "{\"url\":\"\"}"], [.noPlace]), (["name": "\"100% Recovery\""], [.emptyName]),
            (["name": "\"50%25 off\""], [.emptyName]), (["name": "\"%2525\""], []),
            (["name": "\"%25 off\""], [.emptyName]),
            (["name": "\"label#@-@#Late Owls\""], [.label]), (["name": "\"\""], []), (["duration": nil], []),
            (
                [
                    "latitude": "34.2360", "longitude": "-118.5635",
                    "physical_address": "{\"street\":\"1 Main\"}", "virtual_information": nil,
                ], [.noPlace, .defaultAddress]
            ),
            (
                ["latitude": "34.2360", "longitude": "-118.5635", "physical_address": "{\"street\":\"1 Main\"}"],
                [.defaultAddress]
            ),
            // 200 m north is 0.0017986°.
            (["latitude": "34.23780", "longitude": "-118.56352", "physical_address": "{\"street\":\"1 Main\"}"], []),
            (
                ["latitude": "34.23773", "longitude": "-118.56352", "physical_address": "{\"street\":\"1 Main\"}"],
                [.defaultAddress]
            ),
            (["server_id": nil, "weekday": "9", "time_zone": nil], [.serverID, .weekday, .noZone]),
        ] as [([String: String?], [MeetingLoss])]
    )
    func losses(changes: [String: String?], losses: [MeetingLoss]) throws {
        #expect(try MeetingSample.meeting(changes).losses == losses)
    }

    @Test("The app shows what follows a label, and a name that cannot be decoded twice as nothing")
    func names() throws {
        #expect(try MeetingSample.meeting(["name": "\"a#@-@#b#@-@#Owls\""]).name == "Owls")
        #expect(try MeetingSample.meeting(["name": "\"100% Recovery\""]).nameInApp == "")
        #expect(try MeetingSample.meeting(["name": "\"Caf%C3%A9\""]).nameInApp == "Café")
        #expect(try MeetingSample.meeting(["name": "\"%FF\""]).nameInApp == "")
    }

    @Test("What is no meeting at all is one that is hidden for every reason there is to miss")
    func noObject() throws {
        let list = try #require(
            try MeetingList(CapturedBody(bytes: Array(#"{"meta":{},"meetings":[7,null,[]]}"#.utf8)))
        )
        #expect(list.meetings.count == 3 && list.meetings.allSatisfy { $0.losses.contains(.noZone) && $0.id == nil })
    }

    @Test(
        "An hour is taken where no duration or a day and more is told",
        arguments: [(nil, 3600), ("5400", 5400), ("86400", 3600), ("86399", 86_399), ("0", 0), ("-5", 0)]
            as [(String?, Int)]
    )
    func durations(told: String?, seconds: Int) throws {
        #expect(try MeetingSample.meeting(["duration": told]).duration == seconds)
    }

    @Test("A list is read with its numbers; another JSON text is none, and no JSON is said where")
    func lists() throws {
        let list = try #require(
            try MeetingList(CapturedBody(bytes: Array(MeetingSample.answer([MeetingSample.json()]).utf8)))
        )
        #expect(list.integer("total") == 1 && list.meetings.map(\.label) == ["99/11"] && !list.failsInApp)
        #expect(try MeetingList(CapturedBody(bytes: Array(#"{"meta":{}}"#.utf8))) == nil)
        #expect(throws: ExactJSON.Problem.self) {
            try MeetingList(CapturedBody(bytes: Array(#"{"meta":{},"meetings":[{"#.utf8)))
        }
    }
}
