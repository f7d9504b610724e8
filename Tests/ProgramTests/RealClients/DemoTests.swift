import Foundation
import Support
import Testing

/// The demonstration as a newcomer runs it, and what is in the store after.
@Suite(.demo, .timeLimit(.minutes(15))) struct DemoTests {
    /// One request that the demonstration says it has sent.
    struct Sent: Sendable {
        let code: String
        let method: String
    }

    @Test("demo --once is answered as planned and ends well, and the counts in the store are those of what it sent")
    func once() async throws {
        let run = try DemoRun.ended()
        let (directory, demo) = (run.directory, run.result)
        #expect(demo.status == 0, "\(demo.errors)")
        let sent = Self.sent(demo.errors)
        #expect(sent.count > 20, "\(demo.errors)")

        let listing = try await StoredListing.read(in: directory, ["--limit", "1000"])
        #expect(listing.total == sent.count && listing.exchanges.count == sent.count)
        let codes = Dictionary(grouping: sent, by: \.code).mapValues(\.count)
        #expect(listing.counts("code") == codes)
        for code in ["200", "301", "304", "404", "429", "500", "tunnelled"] { #expect(codes[code] != nil, "\(codes)") }
        let methods = Dictionary(grouping: sent, by: \.method).mapValues(\.count)
        #expect(listing.counts("method") == methods)
        for method in ["GET", "HEAD", "POST", "OPTIONS", "CONNECT"] { #expect(methods[method] != nil, "\(methods)") }
        let schemes = listing.counts("scheme")
        #expect((schemes["https"] ?? 0) > 0 && (schemes["http"] ?? 0) > 0 && schemes["none"] == methods["CONNECT"])
        #expect(schemes.values.reduce(0, +) == sent.count)
        let clients = listing.counts("client")
        for client in [
            "What's Open iOS", "What's Open Android", "Virtual Meeting Finder", "Toronto Open Data", "Bruin Life",
        ] { #expect(clients[client] != nil, "\(clients)") }

        let failing = try await StoredListing.read(in: directory, ["--code", "500", "--method", "GET"])
        #expect(failing.matched == sent.filter { $0.code == "500" && $0.method == "GET" }.count)
        #expect(
            failing.exchanges.allSatisfy { $0.code == 500 && $0.method == "GET" }
                && failing.matched == failing.exchanges.count
        )
        let store = directory.file("data/inspect/demo.db")
        for command in ["filter --code 500 --method GET", "export --format har -o demo.har"] {
            #expect(demo.output.contains("  inspect \(command) --store \(store)\n"), "\(demo.output)")
        }
    }

    /// The bugs of the clients and their servers that our notes name, as rules.
    private static let knownBugs =
        (1...12).map { "WO-T\($0)" } + (1...3).map { "WO-Sv\($0)" } + (1...7).map { "VM-V\($0)" }
        + (1...8).map { "CK-C\($0)" } + (1...6).map { "BL-B\($0)" }

    @Test(
        "demo tells its story in ten lines, and check names every known bug in what it recorded, as often as the story says"
    )
    func story() async throws {
        let run = try DemoRun.ended()
        let (directory, demo) = (run.directory, run.result)
        #expect(demo.status == 0, "\(demo.errors)")
        let lines = demo.output.components(separatedBy: "\n")
        let heading = try #require(lines.firstIndex { $0.hasPrefix("What ") })
        let story = lines[(heading + 1)...].prefix { $0.hasPrefix("  ") }
        #expect(story.count == 10, "\(story)")
        #expect(story.contains { $0.contains("→") && $0.contains("Duke's Donuts & Café: Friday closes 15:00") })
        #expect(story.contains { $0.contains("added alert") })
        #expect(story.contains { $0.contains("Said 200 and failed inside: ") })
        #expect(
            story.contains {
                $0.hasPrefix("  The iPhone app shows ") && $0.contains(#/ wrong for \d+ minutes a week, /#)
            }
        )

        let check = try await RunningInspect.run(
            ["check", "--json", "--store", RunningInspect.store(directory)],
            in: directory
        )
        #expect(check.status == 1)
        let report = try JSONDecoder().decode(Report.self, from: Data(check.outputBytes))
        let found = report.rules.filter { $0.count > 0 }
        for bug in Self.knownBugs { #expect(found.contains { $0.rule == bug }, "\(bug)") }
        let breaches = found.filter { $0.severity == "breach" }
        let total = breaches.reduce(0) { $0 + $1.count }
        #expect(story.last?.contains("Breaches: \(total) of \(breaches.count) rules") == true, "\(story.last ?? "")")
    }

    @Test("A rule changes one answer: the demonstration, the record, the counts and a dry run say the same of it")
    func rule() async throws {
        let run = try DemoRun.ended()
        let (directory, demo) = (run.directory, run.result)
        let file = directory.file("data/inspect/demo.rules.yaml")
        let said = demo.output.components(separatedBy: "\n").drop { $0 != "What a rule changed" }.dropFirst()
            .prefix { $0.hasPrefix("  ") }
        #expect(said.count == 2, "\(demo.output)")
        let first = try #require(said.first)
        #expect(first.contains("was changed by closes early ($.main_schedule.open_times[4].end_time)"), "\(first)")
        #expect(first.contains("the app shows Gold Leaf Grill: Friday closes 15:00, before 20:00"), "\(first)")
        let touched = try await StoredListing.read(in: directory, ["rule:\"closes early\""])
        let listing = try await StoredListing.read(in: directory, [])
        let id = try #require(touched.exchanges.first?.id)
        #expect(touched.matched == 1 && first.hasPrefix("  Exchange \(id) was changed"))
        #expect(
            said.last?.contains("would have touched 1 of \(listing.total) exchanges: inspect rules try \(file) ")
                == true,
            "\(said)"
        )
        let shown = try await RunningInspect.run(
            ["show", "\(id)", "--store", RunningInspect.store(directory)],
            in: directory
        )
        #expect(shown.output.contains("Changed by: closes early"), "\(shown.output)")
        let tried = try await RunningInspect.run(
            ["rules", "try", file, "--store", RunningInspect.store(directory)],
            in: directory
        )
        #expect(tried.status == 0 && tried.output.contains("1 of \(listing.total) exchanges"), "\(tried.output)")
    }

    @Test(
        "The four clients' traffic gives a document that validates, is the same every time, and that the traffic keeps to"
    )
    func openAPI() async throws {
        let directory = try DemoRun.ended().directory
        #expect(try DemoRun.ended().result.status == 0)
        let store = ["--store", RunningInspect.store(directory)]
        func inspect(_ arguments: String...) async throws -> CommandLineTool.Result {
            try await RunningInspect.run(arguments + store, in: directory)
        }
        let (json, yaml) = (directory.file("api.json"), directory.file("api.yaml"))
        let written = try await inspect("export", "--format", "openapi", "-o", json, "--title", "Campus & city")
        #expect(
            written.status == 0 && written.output.isEmpty && written.errors.contains("operations from "),
            "\(written.errors)"
        )
        #expect(
            try await inspect("export", "--format", "openapi", "--yaml", "-o", yaml, "--title", "Campus & city").status
                == 0
        )
        let again = try await inspect("export", "--format", "openapi", "--title", "Campus & city")
        #expect(again.outputBytes == (try directory.read("api.json")), "the same captures give the same document")

        let program = """
            import json, sys, yaml
            from openapi_spec_validator import validate
            first, second = json.load(open(sys.argv[1])), yaml.safe_load(open(sys.argv[2]))
            validate(first)
            validate(second)
            print(first == second, first["info"]["title"], "/whatsopen" in str(list(first["paths"])) or "/api/facilities/" in first["paths"])
            """
        let valid = try await CommandLineTool.run(try RealClientsTests.python(), ["-c", program, json, yaml])
        #expect(valid.output == "True Campus & city True\n", "\(valid.output)\(valid.errors)")

        for file in [json, yaml] {
            let check = try await inspect("check", "--openapi", file, "--rule", "OA")
            #expect(check.status == 0 && check.output.contains("no rule is broken"), "\(check.output)\(check.errors)")
        }
    }

    /// What `check --json` says.
    private struct Report: Decodable {
        struct Rule: Decodable {
            let rule: String
            let severity: String
            let count: Int
        }
        let rules: [Rule]
    }

    /// Reads the lines of progress, `  200  GET target  (client)`; a tunnel has an arrow for its code.
    private static func sent(_ progress: String) -> [Sent] {
        progress.split(separator: "\n").compactMap { line in
            guard line.hasPrefix("  ") else { return nil }
            let words = line.split(separator: " ")
            guard words.count >= 3 else { return nil }
            return Sent(code: words[0] == "→" ? "tunnelled" : String(words[0]), method: String(words[1]))
        }
    }
}
