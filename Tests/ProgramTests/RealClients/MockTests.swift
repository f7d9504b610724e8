import Foundation
import Support
import Testing

/// What was recorded of real servers, given again when they are gone.
@Suite(.timeLimit(.minutes(15))) struct MockTests {
    @Test(
        "Once the API has stopped, its recordings answer curl with the same bytes, from the store and from a HAR file"
    )
    func facilityAPI() async throws {
        let directory = try TemporaryDirectory()
        let api = try RunningProcess(
            try Executable.inspect(),
            ["facility-api", "--port", "0", "--now", "2026-09-15T16:00Z"]
        )
        let line = try await api.line(containing: "listens at")
        let base = String(try #require(line.firstMatch(of: /http:\/\/localhost:\d+/)).output)
        let inspect = try await RunningInspect.start(in: directory)
        let body = #"{"query":{"recordType":"DiningDay"},"resultsLimit":3}"#
        let requests: [[String]] = [
            ["\(base)/whatsopen/v2/facilities/?format=json"], ["-L", "\(base)/whatsopen/v2/facilities"],
            ["\(base)/entrypoint.php?query&type=-1"], ["\(base)/api/3/action/package_search?rows=3&fq=tags:trees"],
            ["\(base)/api/3/action/package_show?id=nothing"], ["\(base)/nm/notices.json"],
            [
                "-d", body,
                "\(base)/database/1/iCloud.BruinLife.MatthewDeCoste/production/public/records/query?ckAPIToken=t",
            ],
        ]
        func ask(_ proxy: String) async throws -> [[UInt8]] {
            var answers: [[UInt8]] = []
            for request in requests {
                let result = try await CommandLineTool.run("curl", ["-sS", "--noproxy", "", "-x", proxy] + request)
                #expect(result.status == 0, "\(result.errors)")
                answers.append(result.outputBytes)
            }
            return answers
        }
        let recorded = try await ask(inspect.proxy)
        #expect(recorded.map(\.count).reduce(0, +) > 100_000)
        let store = RunningInspect.store(directory)
        #expect(try await api.stop().status == 0)
        #expect(try await inspect.process.stop().status == 0)
        let har = directory.file("capture.har")
        #expect(
            try await RunningInspect.run(["export", "--format", "har", "-o", har, "--store", store], in: directory)
                .status == 0
        )
        for source in [["--store", store], ["--from", har]] {
            let mock = try await MockCommandTests.Mock(source)
            #expect(try await ask("http://127.0.0.1:\(mock.port)") == recorded, "\(source)")
            #expect(try await mock.process.stop().status == 0)
        }
    }

    @Test("Without a network, recordings of a name that nobody can resolve are given, and nothing leaves the machine")
    func offline() async throws {
        let store = try CapturedStore()
        try await store.record(Sample(1, "GET", "/there", host: "gone.example.test", responseBody: Array("kept".utf8)))
        let script = """
            ip link set lo up 2>/dev/null || true
            "$1" mock --port 0 --store "$2" --ca-directory "$3" > "$4" &
            mock=$!
            grep -q '^server' <(tail -s .05 --pid=$mock -n +1 -F "$4" 2> /dev/null)
            port=$(sed -n 's/^server  http:..127.0.0.1:\\([0-9]*\\) .*/\\1/p' "$4")
            curl -sS --noproxy '' -x "http://127.0.0.1:$port" --cacert "$3/root.pem" https://gone.example.test/there
            echo
            curl -sS -o /dev/null -w '%{http_code}' --noproxy '' -x "http://127.0.0.1:$port" http://other.example.test/
            kill $mock
            """
        let result = try await CommandLineTool.run(
            "unshare",
            [
                "-rn", "bash", "-c", script, "bash", try Executable.inspect(), store.path, store.file("ca"),
                store.file("log"),
            ],
            within: .seconds(60)
        )
        #expect(result.output == "kept\n501", "\(result.output)\(result.errors)")
    }
}
