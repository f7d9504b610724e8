import Lenses
import NIOCore
import Store
import Testing
import Traffic

@testable import ProgramTests
@testable import inspect

@Suite("The story of a run", .timeLimit(.minutes(15)))
struct DemoStoryTests {
    /// The list of a campus with one place, open each night from eight until an hour of the next day.
    private static func campus(_ name: String, until hour: Int) -> String {
        let week = (0..<7).map { day in
            """
            {"schedule":1,"modified":"2026-09-01T00:00:00.000001-04:00","start_day":\(day),"end_day":\((day + 1) % 7),\
            "start_time":"20:00:00","end_time":"0\(hour):00:00"}
            """
        }
        return """
            [{"slug":"lamp-house","facility_name":"\(name)","facility_location":{"id":1},"facility_category":{"id":1,"name":"dining"},\
            "main_schedule":{"id":1,"name":"Nights","open_times":[\(week.joined(separator: ","))],"valid_start":null,"valid_end":null,\
            "twenty_four_hours":false},"special_schedules":[]}]
            """
    }

    private static func sample(
        _ token: CaptureToken,
        _ agent: String,
        _ target: String,
        _ body: String,
        method: String = "GET",
        code: Int = 200
    ) -> Sample {
        var sample = Sample(
            token,
            method,
            target,
            code: code,
            fields: "Content-Type: application/json\r\nDate: Mon, 14 Sep 2026 18:02:00 GMT\r\n",
            responseBody: Array(body.utf8)
        )
        sample.exchange.request.head = ByteBuffer(
            string: "\(method) \(target) HTTP/1.1\r\nHost: api.example.test\r\nUser-Agent: \(agent)\r\n\r\n"
        )
        return sample
    }

    /// The story of samples recorded into a store of their own.
    private static func story(_ samples: [Sample]) async throws -> [String] {
        let captured = try CapturedStore(classifier: LensSet.standard)
        for sample in samples { try await captured.record(sample) }
        let store = try TrafficStore(path: captured.path, access: .reading)
        return try DemoStory(store, 1...Int64(samples.count), storeOption: " --store x.db").lines
    }

    private static let phone = "WhatsOpen/52 CFNetwork/1568 Darwin/24"
    private static let list = "/whatsopen/v2/facilities/?format=json"

    @Test(
        "The minutes that the iPhone app is wrong are those of the campus that was captured",
        arguments: [(1, 420), (4, 1_680)]
    )
    func otherCampus(hour: Int, minutes: Int) async throws {
        let lines = try await Self.story([Self.sample(1, Self.phone, Self.list, Self.campus("Lamp House", until: hour))]
        )
        #expect(lines.first == "What 1 exchange of 1 app tells")
        #expect(lines.contains("  What's Open iOS sent 1: facilities 1"))
        #expect(
            lines.contains {
                $0.hasPrefix(
                    "  The iPhone app shows Lamp House wrong for \(minutes) minutes a week, \(minutes) by T1 ("
                )
            }
        )
        #expect(lines.contains("  No exchange failed, and none has an error status."))
        #expect(lines.contains("  No answer said 200 and failed inside."))
        #expect(lines.contains("  No answer changed between two captures of one endpoint."))
        #expect(
            lines.last?.hasPrefix("  Breaches: ") == true
                && lines.last?.hasSuffix("inspect check 1..1 --store x.db") == true
        )
    }

    @Test("Failures, failures inside and changes are told with their exchanges")
    func failures() async throws {
        let lines = try await Self.story([
            Self.sample(1, Self.phone, Self.list, Self.campus("Lamp House", until: 1)),
            Self.sample(2, Self.phone, "/whatsopen/v2/alerts/?format=json", #"{"detail":"Not found."}"#, code: 404),
            Self.sample(
                3,
                "Denizen/1",
                "/api/3/action/tag_list",
                #"{"help":"h","success":false,"error":{"__type":"Search Error","message":"down"}}"#
            ),
            Self.sample(4, Self.phone, Self.list, Self.campus("Lamp House", until: 2)),
        ])
        let failed = "  Failed or with an error status: 1 (1 × 404), first exchange 2, GET /whatsopen/v2/alerts/"
        #expect(lines.contains(failed))
        #expect(
            lines.contains { $0.hasPrefix("  Said 200 and failed inside: 1; exchange 3, Toronto Open Data (CKAN): ") }
        )
        #expect(
            lines.contains {
                $0.hasPrefix("  Changed between captures: 1 → 4 Lamp House: ") && $0.contains("02:00, before")
            }
        )
        #expect(lines.contains { $0.contains("wrong for 840 minutes a week") }, "The newest list counts")
    }

    @Test("However many apps there are, there are at most ten lines, and wire text is escaped")
    func manyApps() async throws {
        let campus = Self.campus(#"Lamp\u001b[31m House"#, until: 1)
        // Other portals have this API too.
        var toronto = Self.sample(5, "Denizen/1", "/api/3/action/tag_list", #"{"help":"h","success":true,"result":[]}"#)
        toronto.exchange.host = "ckan0.cf.opendata.inter.prod-toronto.ca"
        let lines = try await Self.story([
            Self.sample(1, Self.phone, Self.list, campus),
            Self.sample(2, "okhttp/3.14.9", "/whatsopen/v2/facilities/", campus),
            Self.sample(3, "Mozilla/5.0", "/whatsopen/v2/facilities/", campus),
            Self.sample(
                4,
                "We%20Are%20Never%20Alone/1.9",
                "/entrypoint.php?query&type=-1",
                #"{"meta":{"total":0},"meetings":[]}"#
            ),
            toronto,
            Self.sample(
                6,
                "BruinLife/2.1",
                "/database/1/iCloud.BruinLife.MatthewDeCoste/production/public/records/query",
                #"{"records":[]}"#,
                method: "POST"
            ),
            Self.sample(7, "curl/8", "/elsewhere", "{}"),
        ])
        #expect(lines.count == 11 && lines.first == "What 7 exchanges of 6 apps tell", "\(lines)")
        #expect(lines.contains { $0.hasPrefix("  2 more apps sent 2; 1 of no known app: elsewhere 1") })
        #expect(lines.allSatisfy { !$0.contains("\u{1B}") })
    }

    @Test("Without facilities nothing is said of any")
    func noCampus() async throws {
        let lines = try await Self.story([Self.sample(1, "curl/8", "/elsewhere", "{}")])
        #expect(lines.contains("  No list of facilities was captured, so the iPhone app shows none wrong."))
        #expect(lines.last == "  Checked without a breach: inspect check 1..1 --store x.db")
    }
}
