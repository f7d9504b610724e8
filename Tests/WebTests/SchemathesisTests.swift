import Foundation
import Store
import Support
import Testing
import Traffic

/// Schemathesis (the README's test command installs it) makes requests out of the document and holds the answers to it.
@Suite("Requests made from the document get what it says", .timeLimit(.minutes(15)))
struct SchemathesisTests {
    /// A store with something in every place that an address names.
    private static func fill(_ page: RunningPage) async throws {
        let bodies = [
            #"{"count": 1, "results": []}"#, "<script>alert(1)</script>", #"{"jsonrpc": "2.0", "result": 3, "id": 1}"#,
        ]
        for number in 0..<60 {
            let body = Array(bodies[number % bodies.count].utf8)
            let call = Array(#"{"jsonrpc": "2.0", "method": "add", "id": 1}"#.utf8)
            var exchange = Recorded.exchange(
                code: [200, 404, 500, 204][number % 4],
                method: ["GET", "POST"][number % 2],
                host: ["api.example.test", "notices.example.test"][number % 2],
                length: body.count,
                offset: Int64(number) * 1_000_000
            )
            if number % 2 == 1 {
                exchange.request.body = Body(length: Int64(call.count), kept: Int64(call.count), sha256: [1])
            }
            try await page.store.record(exchange, request: number % 2 == 1 ? call : [], response: body)
        }
        try await page.store.record(Recorded.refused(offset: 70_000_000))
        try page.store.mark([1, 2], .tags(["slow"]))
        try page.store.save(SavedSearch(name: "errors", query: "code:>=400"))
        try page.store.index()
    }

    /// What Schemathesis tried.
    private struct Trial {
        let operations: Int
        let cases: Int
        let passed: Int

        /// Reads the summary that Schemathesis prints.
        init(_ output: String) throws {
            let tested = try #require(output.firstMatch(of: /Tested: (\d+)/), "\(output.suffix(6_000))")
            let cases = try #require(output.firstMatch(of: /(\d+) generated, (\d+) passed/), "\(output.suffix(6_000))")
            operations = try #require(Int(tested.1))
            self.cases = try #require(Int(cases.1))
            passed = try #require(Int(cases.2))
        }
    }

    /// Makes requests out of the document.
    ///
    /// - Parameters:
    ///   - page: whose document it is.
    ///   - selection: the operations, and what else Schemathesis is told.
    ///   - limit: how long it may take.
    /// - Returns: what was tried; all of it is as the document says.
    /// - Throws: when Schemathesis cannot be run, or says nothing of what it tried.
    private static func run(
        _ page: RunningPage,
        _ selection: [String],
        within limit: Duration
    ) async throws -> Trial {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let run = try await CommandLineTool.run(
            root.appending(path: ".build/venv/bin/schemathesis").path,
            [
                "run", "http://127.0.0.1:\(page.port)/api/v1/openapi.json", "--header",
                "Authorization: Bearer \(page.token)",
                "--checks",
                "not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance",
                "--mode", "all", "--seed", "7731", "--generation-database", "none", "--no-color", "--request-timeout",
                "\(Patience.seconds(20))",
            ] + selection,
            within: limit
        )
        #expect(run.status == 0, "\(run.output.suffix(6_000))")
        return try Trial(run.output)
    }

    /// Tries every operation but the endless one; those that empty the store come last, since they take away what the others look at.
    ///
    /// - Parameters:
    ///   - phases: how requests are made.
    ///   - seconds: for how long random ones are made; none are unless given.
    /// - Throws: when Schemathesis cannot be run.
    static func conforms(phases: String, fuzzingFor seconds: Int? = nil) async throws {
        let emptying = ["/api/v1/clear", "/api/v1/compact"]
        let rules = HeldRules([try HeldRules.block("first"), try HeldRules.block("second", when: "host:a.test")])
        try await RunningPage.with(control: ReplayRecorder(), rules: rules, bench: .told) { page in
            try await fill(page)
            let document = try await page.get("/api/v1/openapi.json").object()
            let paths = try #require(document["paths"] as? [String: [String: Any]])
            let methods = ["get", "post", "put", "patch", "delete"]
            // Where it has the document from, Schemathesis leaves out by itself.
            let others = ["/api/v1/events", "/api/v1/openapi.json"] + emptying
            let wanted = paths.filter { !others.contains($0.key) }
                .reduce(0) { $0 + $1.value.keys.filter(methods.contains).count }
            let all = try await run(
                page,
                ["--phases", phases] + (["/api/v1/events"] + emptying).flatMap { ["--exclude-path", $0] }
                    + (seconds.map { ["--max-time", "\($0)"] } ?? []),
                within: .seconds(120 + (seconds ?? 0))
            )
            let last = try await run(
                page,
                ["--phases", "examples,coverage"] + emptying.flatMap { ["--include-path", $0] },
                within: .seconds(60)
            )
            print(
                "Schemathesis made \(all.cases) and \(last.cases) requests of \(all.operations) and \(last.operations) operations"
            )
            #expect(all.operations == wanted && last.operations == emptying.count)
            #expect(all.passed == all.cases && last.passed == last.cases)
            // How many it makes of an operation is up to its version; the one that this was written with made 1,900.
            #expect(all.cases >= 40 * all.operations && last.cases >= 5 * last.operations)
        }
    }

    @Test("No failure of ours, no answer that is not described, over every operation but the endless one")
    func conforms() async throws {
        try await Self.conforms(phases: "examples,coverage")
    }
}
