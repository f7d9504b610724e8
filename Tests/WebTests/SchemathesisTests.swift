import Foundation
import Support
import Testing
import Traffic

@testable import Web

/// Schemathesis (the README's test command installs it) makes requests out of the document and holds the answers to it.
@Suite("Requests made from the document get what it says", .timeLimit(.minutes(10)))
struct SchemathesisTests {
    /// A store with something in every place that an address names.
    private func fill(_ page: RunningPage) async throws {
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

    private func run(_ page: RunningPage, _ selection: [String], phases: String = "examples,coverage,fuzzing")
        async throws -> CommandLineTool.Result
    {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        return try await CommandLineTool.run(
            root.appending(path: ".build/venv/bin/schemathesis").path,
            [
                "run", "http://127.0.0.1:\(page.port)/api/v1/openapi.json", "--header",
                "Authorization: Bearer \(page.token)",
                "--checks",
                "not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance",
                "--phases", phases, "--mode", "all", "--max-examples", "10", "--seed", "7731",
                "--no-color", "--request-timeout", "20", "--max-time", "100",
            ] + selection,
            within: .seconds(240)
        )
    }

    @Test("No failure of ours, no answer that is not described, over every operation but the endless one")
    func conforms() async throws {
        try await RunningPage.with(control: ReplayRecorder()) { page in
            try await fill(page)
            let all = try await run(
                page,
                [
                    "--exclude-path", "/api/v1/events", "--exclude-path", "/api/v1/clear", "--exclude-path",
                    "/api/v1/compact",
                ]
            )
            #expect(all.status == 0, "\(all.output.suffix(6_000))")
            // Last, since they take away what the others look at.
            let emptying = try await run(
                page,
                ["--include-path", "/api/v1/clear", "--include-path", "/api/v1/compact"],
                phases: "examples,coverage"
            )
            #expect(emptying.status == 0, "\(emptying.output.suffix(6_000))")
        }
    }
}
