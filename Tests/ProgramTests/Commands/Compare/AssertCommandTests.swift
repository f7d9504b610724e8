import Foundation
import Lenses
import NIOCore
import Support
import Testing
import Traffic

@Suite(.timeLimit(.minutes(15))) struct AssertCommandTests {
    /// Five that took 2.4 ms, `/slow` that took 400 ms and failed inside, and a tunnel that stood for an hour.
    private static func store() async throws -> CapturedStore {
        let store = try CapturedStore()
        for token in 1...5 { try await store.record(Sample(UInt64(token), "GET", "/items/\(token)")) }
        var slow = Sample(6, "GET", "/slow?a=1&b=<2>", code: 500)
        slow.exchange.timeline.duration = 400_000
        try await store.record(slow)
        var tunnel = Sample(7, "CONNECT", "")
        (tunnel.exchange.scheme, tunnel.exchange.code, tunnel.exchange.response) = (nil, nil, nil)
        (tunnel.exchange.outcome, tunnel.exchange.timeline.duration) = (.tunnelled, 3_600_000_000)
        try await store.record(tunnel)
        return store
    }

    @Test("What holds is status 0, what does not is status 1 with the exchanges that speak against it")
    func outcomes() async throws {
        let store = try await Self.store()
        let good = try await store.inspect(
            "assert",
            "code:200",
            "--count",
            "5",
            "--p95",
            "<3ms",
            "--slowest",
            "<=2.4ms"
        )
        #expect(good.status == 0 && good.errors.isEmpty, "\(good.output)\(good.errors)")
        #expect(
            good.output.contains("ok      count 5: 5 exchanges") && good.output.contains("ok      p95 <3ms: 2.4 ms")
        )

        let broken = try await store.inspect("assert", "code:5xx", "--count", "0")
        #expect(broken.status == 1 && broken.errors.isEmpty)
        #expect(broken.output.contains("FAILED  count 0: 1 exchange\n") && broken.output.contains("/slow?a=1"))

        let few = try await store.inspect("assert", "path:/nowhere", "--count", ">=1")
        #expect(few.status == 1 && few.output.contains("FAILED  count >=1: 0 exchanges"))

        // A tunnel's hour is no answering time.
        let slow = try await store.inspect("assert", "--p50", "<100ms", "--p99", "<100ms", "--json")
        #expect(slow.status == 1)
        let root = try #require(try JSONSerialization.jsonObject(with: Data(slow.outputBytes)) as? [String: Any])
        let assertions = try #require(root["assertions"] as? [[String: Any]])
        #expect(root["holds"] as? Bool == false && assertions.map { $0["holds"] as? Bool } == [true, false])
        #expect(assertions.last?["value"] as? Double == 400 && assertions.last?["offenders"] as? Int == 1)
        let rows = try #require(assertions.last?["exchanges"] as? [[String: Any]])
        #expect(rows.map { $0["id"] as? Int } == [6])
    }

    @Test("An answer that says 200 and failed inside is counted, and so is none")
    func failedInside() async throws {
        let store = try CapturedStore(classifier: LensSet.standard)
        for (token, answer) in [(1, #"{"data": {"a": 1}}"#), (2, #"{"data": null, "errors": [{"message": "no"}]}"#)] {
            var sample = Sample(
                UInt64(token),
                "POST",
                "/graphql",
                fields: "Content-Type: application/json\r\n",
                requestBody: Array(#"{"query": "{ a }"}"#.utf8),
                responseBody: Array(answer.utf8)
            )
            sample.exchange.request.head = ByteBuffer(
                string: "POST /graphql HTTP/1.1\r\nHost: a.test\r\nContent-Type: application/json\r\n\r\n"
            )
            try await store.record(sample)
        }
        let broken = try await store.inspect("assert", "is:failed-inside", "--count", "0")
        #expect(broken.status == 1 && broken.output.contains("FAILED  count 0: 1 exchange\n"), "\(broken.output)")
        #expect(try await store.inspect("assert", "is:failed-inside id:1", "--count", "0").status == 0)
        #expect(try await store.inspect("assert", "is:failed-inside", "--count", "1").status == 0)
    }

    @Test("What could be looked at in part only is told, though the assertion holds")
    func partly() async throws {
        let store = try CapturedStore(classifier: LensSet.standard)
        var sample = Sample(1, "GET", "/graphql", responseBody: Array(#"{"data": null, "errors": [{"mess"#.utf8))
        sample.exchange.response?.body.length += 100
        try await store.record(sample)
        let ran = try await store.inspect("assert", "is:failed-inside", "--count", "0")
        #expect(ran.status == 0 && ran.output.contains("\nOne exchange was searched in part only"), "\(ran.output)")
        let object = try await store.inspect("assert", "is:failed-inside", "--count", "0", "--json")
        #expect(object.output.contains(#""searchedInPart":1,"#), "\(object.output)")
        let counted = try await store.inspect("stats", "is:failed-inside")
        #expect(counted.output.contains("\nOne exchange was searched in part only"), "\(counted.output)")
        let figures = try await store.inspect("stats", "is:failed-inside", "--json")
        #expect(figures.output.contains(#""searchedInPart":1,"#), "\(figures.output)")
        let checked = try await store.inspect("check", "is:failed-inside")
        #expect(
            checked.status == 0 && checked.output.contains("\nOne exchange was searched in part only"),
            "\(checked)"
        )
        let findings = try await store.inspect("check", "is:failed-inside", "--json")
        #expect(findings.output.contains(#""searchedInPart":1,"#), "\(findings.output)")
        let junit = ["is:failed-inside", "--junit", "/dev/stdout", "--store", store.path]
        for command in [["assert", "--count", "0"], ["check"]] {
            let report = try await CommandLineTool.run(try Executable.inspect(), command + junit)
            #expect(
                report.output.contains("\n  <system-out>One exchange was searched in part only"),
                "\(report.output)"
            )
        }
        let whole = try await store.inspect("assert", "path:/graphql", "--count", "1", "--json")
        #expect(whole.output.contains(#""searchedInPart":0,"#), "\(whole.output)")
    }

    @Test(
        "What fails fails as well where nobody reads what it says",
        arguments: ["assert path:/nowhere --count 1", "assert path:/nowhere --count 1 --json", "status", "diff 1 6"]
    )
    func unread(_ command: String) async throws {
        let store = try await Self.store()
        let ran = try await UnreadOutput.run(command.split(separator: " ").map(String.init) + ["--store", store.path])
        #expect(ran.output == "1\n" && ran.errors.isEmpty, "\(ran)")
    }

    @Test("Where nothing was timed no time holds, and of many offenders the newest are listed")
    func limits() async throws {
        let store = try await Self.store()
        let untimed = try await store.inspect("assert", "code:tunnelled", "--p95", "<2h")
        #expect(untimed.status == 1 && untimed.output.contains("nothing was timed"))
        let many = try await store.inspect("assert", "--count", "<=3", "--limit", "2")
        let lines = many.output.split(separator: "\n")
        #expect(many.status == 1 && lines.last == "and 5 more", "\(many.output)")
        #expect(lines.dropLast().suffix(2).map { $0.split(separator: " ").first } == ["7", "6"])
    }

    @Test("The JUnit report is XML with a test case for each, whatever a target has in it")
    func junit() async throws {
        let store = try await Self.store()
        let report = store.file("report.xml")
        let run = try await store.inspect("assert", "path:/slow", "--count", "0", "--p95", "<1s", "--junit", report)
        #expect(run.status == 1)
        let read = try await CommandLineTool.run(
            "python3",
            [
                "-c",
                """
                import sys, xml.etree.ElementTree as tree
                suite = tree.parse(sys.argv[1]).getroot()
                print(suite.tag, suite.get("tests"), suite.get("failures"))
                for case in suite.iter("testcase"):
                    failure = case.find("failure")
                    print(case.get("name"), "|", "" if failure is None else failure.get("message") + " | " + failure.text)
                """, report,
            ]
        )
        let lines = read.output.split(separator: "\n")
        #expect(lines.count == 3 && lines.first == "testsuite 2 1", "\(read.output)\(read.errors)")
        #expect(lines.dropFirst().first?.hasPrefix("count 0 | count 0: 1 exchange | 6 500 GET ") == true)
        #expect(lines.dropFirst().first?.contains("/slow?a=1&b=<2>") == true && lines.last == "p95 <1s | ")
    }

    @Test(
        "What cannot be asserted is one line",
        arguments: [
            ([], "nothing is asserted"), (["--count", "many"], "--count many: expected a number"),
            (["--p95", "300"], "--p95 300: expected a time with its unit"), (["--p95", "<0ms"], "nothing can be <0ms"),
            (["--count", "1", "cod:200"], "code"),
        ]
    )
    func mistakes(_ arguments: [String], _ expected: String) async throws {
        let store = try CapturedStore()
        try await store.record(Sample(1, "GET", "/"))
        let run = try await CommandLineTool.run(
            try Executable.inspect(),
            ["assert"] + arguments + ["--store", store.path]
        )
        #expect(run.status == 2 && run.output.isEmpty && run.errors.contains(expected), "\(run.errors)")
    }

    @Test("An archive stands in for a store, and leaves nothing behind")
    func readsArchives() async throws {
        let store = try await Self.store()
        _ = try await store.inspect("export", "-o", store.file("out.har"))
        let temporary = store.file("tmp")
        try FileManager.default.createDirectory(atPath: temporary, withIntermediateDirectories: true)
        func check(_ count: String, _ file: String) async throws -> CommandLineTool.Result {
            try await CommandLineTool.run(
                try Executable.inspect(),
                ["assert", "code:5xx", "--count", count, "--from", store.file(file)],
                environment: ["TMPDIR": temporary]
            )
        }
        #expect(try await check("1", "out.har").status == 0)
        #expect(try await check("0", "out.har").status == 1)
        let missing = try await check("0", "none.har")
        #expect(missing.status == 2 && missing.errors.hasPrefix("inspect: cannot read "), "\(missing.errors)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: temporary).isEmpty)
    }
}
