import Foundation
import Support
import Testing

/// A regression of the stand-in API, found by its own recorded traffic.
@Suite(.timeLimit(.minutes(15))) struct FacilityRegressionTests {
    /// What became different: one schedule, one field of one facility, one address.
    private static let changes = [
        #"{"facility":"harvest-bowl","day":"friday","end":"20:00"}"#,
        #"{"remove-field":"phone_number","path":"/whatsopen/v2/facilities/dukes-donuts/"}"#,
        #"{"status":500,"path":"/whatsopen/v2/alerts/"}"#,
    ]
    private static let targets = [
        "/whatsopen/v2/facilities/", "/whatsopen/v2/facilities/dukes-donuts/", "/whatsopen/v2/alerts/",
        "/whatsopen/v2/locations/", "/whatsopen/v2/categories/", "/api/3/action/package_search?rows=3",
    ]

    /// A stand-in that believes in the same time as any other.
    private static func start(_ more: [String] = []) async throws -> (process: RunningProcess, port: Int) {
        let process = try RunningProcess(
            try Executable.inspect(),
            ["facility-api", "--now", "2026-09-18T12:00-04:00"] + more
        )
        let line = try await process.line(containing: "listens at")
        let match = try #require(line.firstMatch(of: /http:\/\/localhost:([0-9]+)/))
        return (process, try #require(Int(match.output.1)))
    }

    @Test(
        "The stand-in restarted, or changed as it runs, with a schedule, a field and an address gone wrong is told exactly these three",
        arguments: [true, false]
    )
    func regression(isRestarted: Bool) async throws {
        let inspect = try await RunningInspect.start()
        let old = try await Self.start()
        let urls = Self.targets.map { "http://127.0.0.1:\(old.port)\($0)" }
        let got = try await CommandLineTool.run(
            "curl",
            ["-sSf", "--fail-early", "--noproxy", "", "-x", inspect.proxy] + urls
        )
        #expect(got.status == 0, "\(got.errors)")
        _ = try await inspect.listing(with: "the traffic") { $0.total == Self.targets.count }
        func replay(against port: Int, _ more: [String] = []) async throws -> CommandLineTool.Result {
            try await RunningInspect.run(
                ["replay", "host:127.0.0.1", "--against", "http://localhost:\(port)"] + more
                    + ["--store", RunningInspect.store(inspect.directory)],
                in: inspect.directory
            )
        }
        let again = try await Self.start()
        let same = try await replay(against: again.port)
        #expect(same.status == 0 && same.output.contains("6 compared: 6 the same\n"), "\(same.output)\(same.errors)")
        #expect(same.output.contains("own origin"), "\(same.output)")

        let new = isRestarted ? try await Self.start(Self.changes.flatMap { ["--change", $0] }) : again
        let port = new.port
        if !isRestarted {
            let change = try await CommandLineTool.run(
                "curl",
                [
                    "-sSf", "--noproxy", "", "-H", "Content-Type: application/json", "-d",
                    "[" + Self.changes.joined(separator: ",") + "]", "http://localhost:\(port)/facility-api/change",
                ]
            )
            #expect(change.status == 0, "\(change.errors)")
        }
        let report = inspect.directory.file("report.xml")
        // Whoever changes a schedule leaves the time of it behind; a stand-in that has always been so does not.
        let noise = isRestarted ? [] : ["--ignore", "json:$..modified"]
        let broken = try await replay(against: port, noise + ["--junit", report])
        #expect(broken.status == 1 && broken.errors.isEmpty, "\(broken.errors)")
        let lines = broken.output.split(separator: "\n")
        #expect(
            lines.filter { $0.hasPrefix("  ") }.map { $0.trimmingCharacters(in: .whitespaces) } == [
                "Harvest Bowl: Friday closes 20:00, before 21:00",
                #"changed  response json $[9].main_schedule.open_times[4].end_time (slug harvest-bowl)  "21:00:00" → "20:00:00""#,
                "Duke's Donuts & Café: phone (none), before 703-555-0113",
                #"removed  response json $.phone_number  "703-555-0113""#, "changed  response status  200 → 500",
            ],
            "\(broken.output)"
        )
        #expect(lines.contains("6 compared: 3 the same, 3 changed"))
        let read = try await CommandLineTool.run(
            "python3",
            [
                "-c",
                "import sys, xml.etree.ElementTree as t; r = t.parse(sys.argv[1]).getroot(); print(r.get('tests'), r.get('failures'), r.find('.//failure').get('message'))",
                report,
            ]
        )
        #expect(read.output == "6 3 Harvest Bowl: Friday closes 20:00, before 21:00\n", "\(read.errors)")

        let json = try await replay(against: port, noise + ["--json"])
        let root = try #require(try JSONSerialization.jsonObject(with: Data(json.outputBytes)) as? [String: Any])
        let words = (root["comparisons"] as? [[String: Any]])?.flatMap { $0["changes"] as? [String] ?? [] }
        #expect(words?.count == 2 && words?.first == "Harvest Bowl: Friday closes 20:00, before 21:00")
        for process in [old, again] + (isRestarted ? [new] : []) {
            #expect(try await process.process.stop().status == 0)
        }
    }
}
