import Foundation
import Support
import Testing

/// The regression test of an API from its own traffic.
@Suite(.timeLimit(.minutes(15))) struct ReplayAgainstTests {
    /// A facility of the API; `end` is when it closes on Fridays.
    private static func facility(_ slug: String, end: String, phone: String?, at time: Int) -> String {
        let phone = phone.map { #""phone_number":"\#($0)","# } ?? ""
        return #"{"slug":"\#(slug)",\#(phone)"main_schedule":{"id":3,"open_times":["#
            + #"{"schedule":3,"start_day":3,"end_day":3,"start_time":"07:00:00","end_time":"19:00:00"},"#
            + #"{"schedule":3,"start_day":4,"end_day":4,"start_time":"07:00:00","end_time":"\#(end)"}]},"modified":"\#(time)"}"#
    }

    /// An API that says another time in every answer; with `isNew` one schedule is changed, one field is gone, and one address fails.
    private static func start(isNew: Bool) async throws -> LoopbackOrigin {
        let count = Watched(0)
        return try await LoopbackOrigin.start(
            script: RawRequest.answering { request in
                count.update { $0 += 1 }
                let now = count.value
                var line = "200 OK"
                let body: String
                switch request.target.prefix(while: { $0 != "?" }) {
                case "/api/facilities/southside/":
                    body = facility("southside", end: isNew ? "20:00:00" : "21:00:00", phone: "1", at: now)
                case "/api/facilities/ikes/":
                    body = facility("ikes", end: "21:00:00", phone: isNew ? nil : "2", at: now)
                case "/api/alerts/" where isNew:
                    line = "500 Internal Server Error"
                    body = #"{"detail":"Server Error"}"#
                default: body = "[" + facility("argo", end: "01:00:00", phone: "3", at: now) + "]"
                }
                let head =
                    "HTTP/1.1 \(line)\r\nContent-Type: application/json\r\nETag: \"\(now)\"\r\nX-Serial: \(now)\r\n"
                return Array((head + "Content-Length: \(body.utf8.count)\r\n\r\n" + body).utf8)
            }
        )
    }

    @Test(
        "An API that came back with a changed schedule, a removed field and a 500 is told exactly these three",
        arguments: [false, true]
    )
    func regression(learns: Bool) async throws {
        let inspect = try await RunningInspect.start()
        let (old, new) = (try await Self.start(isNew: false), try await Self.start(isNew: true))
        let targets = [
            "/api/facilities/?format=json", "/api/facilities/southside/", "/api/facilities/ikes/", "/api/alerts/",
            "/api/categories/",
        ]
        for target in targets {
            let url = "http://127.0.0.1:\(old.port)\(target)"
            _ = try await CommandLineTool.run("curl", ["-sS", "--noproxy", "", "-x", inspect.proxy, url])
        }
        let report = inspect.directory.file("report.xml")
        let noise = learns ? ["--learn-noise"] : ["--ignore", "json:$..modified,header:x-serial,header:etag"]
        func replay(against origin: LoopbackOrigin, _ more: [String]) async throws -> CommandLineTool.Result {
            try await RunningInspect.run(
                ["replay", "path:/api", "--against", "http://127.0.0.1:\(origin.port)"] + noise + more
                    + ["--store", RunningInspect.store(inspect.directory)],
                in: inspect.directory
            )
        }
        let same = try await replay(against: old, [])
        #expect(same.status == 0 && same.output.contains("5 compared: 5 the same\n"), "\(same.output)\(same.errors)")

        let broken = try await replay(against: new, ["--junit", report])
        #expect(broken.status == 1 && broken.errors.isEmpty, "\(broken.errors)")
        let lines = broken.output.split(separator: "\n")
        let differences = lines.filter { $0.hasPrefix("  ") && $0.contains("  response ") }.map {
            $0.trimmingCharacters(in: .whitespaces)
        }
        #expect(
            differences == [
                #"changed  response json $.main_schedule.open_times[1].end_time  "21:00:00" → "20:00:00""#,
                #"removed  response json $.phone_number  "2""#, "changed  response status  200 → 500",
            ],
            "\(broken.output)"
        )
        #expect(lines.contains("5 compared: 2 the same, 3 changed"))
        let read = try await CommandLineTool.run(
            "python3",
            [
                "-c",
                "import sys, xml.etree.ElementTree as t; r = t.parse(sys.argv[1]).getroot(); print(r.get('tests'), r.get('failures'), len(r.findall('.//failure')))",
                report,
            ]
        )
        #expect(read.output == "5 3 3\n", "\(read.errors)")

        let nothing = try await RunningInspect.run(
            ["replay", "path:/nowhere", "--against", "http://127.0.0.1:\(new.port)"]
                + ["--store", RunningInspect.store(inspect.directory)],
            in: inspect.directory
        )
        #expect(nothing.status == 2 && nothing.errors.contains("nothing is tested"), "\(nothing.errors)")

        let json = try await replay(against: new, ["--json"])
        let root = try #require(try JSONSerialization.jsonObject(with: Data(json.outputBytes)) as? [String: Any])
        #expect(json.status == 1 && root["changed"] as? Int == 3 && root["equal"] as? Bool == false)
        let comparisons = try #require(root["comparisons"] as? [[String: Any]])
        let pointers = comparisons.flatMap { $0["differences"] as? [[String: Any]] ?? [] }.compactMap {
            $0["pointer"] as? String
        }
        #expect(pointers == ["/main_schedule/open_times/1/end_time", "/phone_number"])

        let unread = try await UnreadOutput.run(
            ["replay", "path:/api", "--against", "http://127.0.0.1:\(new.port)"] + noise
                + ["--store", RunningInspect.store(inspect.directory)],
            environment: RunningInspect.environment(inspect.directory)
        )
        #expect(unread.output == "1\n", "\(unread)")
    }

    @Test("What differs only now and then is learnt from more samples than two")
    func samples() async throws {
        let inspect = try await RunningInspect.start()
        let count = Watched(0)
        // The recorded answer is a, those after it are b, and every third c.
        let origin = try await LoopbackOrigin.start(
            script: RawRequest.answering { _ in
                count.update { $0 += 1 }
                let body =
                    #"{"served":"\#(count.value == 1 ? "a" : count.value % 3 == 0 && count.value > 3 ? "c" : "b")"}"#
                let head =
                    "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n\r\n"
                return Array((head + body).utf8)
            }
        )
        let url = "http://127.0.0.1:\(origin.port)"
        _ = try await CommandLineTool.run("curl", ["-sS", "--noproxy", "", "-x", inspect.proxy, url + "/now"])
        func replay(_ more: String...) async throws -> CommandLineTool.Result {
            try await RunningInspect.run(
                ["replay", "1", "--against", url] + more + ["--store", RunningInspect.store(inspect.directory)],
                in: inspect.directory
            )
        }
        let two = try await replay("--learn-noise")
        #expect(two.status == 1 && two.output.contains(#""a" → "b""#), "\(two.output)\(two.errors)")
        let three = try await replay("--noise-samples", "3")
        #expect(three.status == 0, "\(three.output)\(three.errors)")
        #expect(count.value == 6)
        let one = try await replay("--noise-samples", "1")
        #expect(one.status == 2 && one.errors.contains("--noise-samples 1: expected 2 to 100"))
    }
}
