import Foundation
import Support
import Testing

@Suite("inspect assert", .timeLimit(.minutes(2)))
struct AssertCommandTests {
    private static func store() async throws -> CapturedStore {
        let store = try CapturedStore()
        for token in 1...20 {
            var sample = Sample(UInt64(token), "GET", "/\(token)?a=<b>&c=\"d\"", code: token > 17 ? 503 : 200)
            sample.exchange.timeline.duration = Int64(token) * 10_000
            try await store.record(sample)
        }
        return store
    }

    @Test(
        "An expectation holds or fails with the exit status",
        arguments: [
            (["code:5xx", "--count", "3"], 0), (["code:5xx", "--count", "0"], 1), (["code:5xx", "--count", ">=5"], 1),
            (["code:5xx", "--count", "1..4"], 0), (["code:5xx"], 0), (["code:404"], 1),
            (["code:404", "--count", "0"], 0),
            (["--p95", "<191ms"], 0), (["--p95", "<190ms"], 1), (["--p50", "<=100ms", "--p99", "<=200ms"], 0),
            (["--slowest", "<200ms"], 1), (["code:404", "--count", "0", "--p95", "<1ms"], 0),
        ] as [([String], Int32)]
    )
    func holds(arguments: [String], status: Int32) async throws {
        let store = try await Self.store()
        let result = try await CommandLineTool.run(
            try Executable.inspect(),
            ["assert"] + arguments + ["--store", store.path]
        )
        #expect(result.status == status, "\(result.output)\(result.errors)")
        #expect(result.output.contains("FAIL") == (status == 1))
    }

    @Test("The offending rows are printed, and written as JUnit that an XML reader takes")
    func reports() async throws {
        let store = try await Self.store()
        let result = try await store.inspect(
            "assert",
            "code:5xx",
            "--count",
            "0",
            "--p95",
            "<150ms",
            "--slowest",
            "<1s",
            "--junit",
            store.file("out.xml")
        )
        #expect(result.status == 1)
        #expect(result.output.contains("FAIL  count 0: 3") && result.output.contains("FAIL  p95 <150ms: 200 ms"))
        #expect(result.output.contains("ok    slowest <1s: 200 ms") && result.output.contains("/18?"))
        let program = """
            import sys, xml.etree.ElementTree as E
            r = E.parse(sys.argv[1]).getroot()
            print(r.get('tests'), r.get('failures'), [(c.get('name'), len(c)) for c in r.iter('testcase')], '/18?a=<b>' in r.find('.//failure').text)
            """
        let read = try await CommandLineTool.run("python3", ["-c", program, store.file("out.xml")])
        #expect(
            read.output == "3 2 [('count 0', 1), ('p95 <150ms', 1), ('slowest <1s', 0)] True\n",
            "\(read.output)\(read.errors)"
        )
    }

    @Test("An archive stands in for a store, and leaves nothing behind")
    func readsArchives() async throws {
        let store = try await Self.store()
        _ = try await store.inspect("export", "-o", store.file("out.har"))
        let temporary = store.file("tmp")
        try FileManager.default.createDirectory(atPath: temporary, withIntermediateDirectories: true)
        func check(_ count: String) async throws -> CommandLineTool.Result {
            try await CommandLineTool.run(
                try Executable.inspect(),
                ["assert", "code:5xx", "--count", count, "--har", store.file("out.har")],
                environment: ["TMPDIR": temporary]
            )
        }
        #expect(try await check("3").status == 0)
        #expect(try await check("0").status == 1)
        #expect(try FileManager.default.contentsOfDirectory(atPath: temporary).isEmpty)
        let missing = try await CommandLineTool.run(
            try Executable.inspect(),
            ["assert", "--har", store.file("none.har")]
        )
        #expect(missing.status == 2 && missing.errors.hasPrefix("inspect: cannot read "))
    }

    @Test("A number that cannot be read is one clear line", arguments: [["--count", "many"], ["--p95", "fast"]])
    func explains(arguments: [String]) async throws {
        let store = try await Self.store()
        let result = try await CommandLineTool.run(
            try Executable.inspect(),
            ["assert", "--store", store.path] + arguments
        )
        #expect(result.status == 2 && result.errors.hasPrefix("inspect: \(arguments[0]) \(arguments[1]): expected "))
        #expect(result.errors.filter { $0 == "\n" }.count == 1)
    }
}
