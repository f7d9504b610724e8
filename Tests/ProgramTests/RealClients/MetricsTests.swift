import Foundation
import Support
import Testing

/// `/metrics` as Prometheus' own reader takes it.
@Suite(.timeLimit(.minutes(15))) struct MetricsTests {
    private struct Sample: Decodable {
        let name: String
        let labels: [String: String]
        let value: Double
    }

    /// Reads the text strictly, and prints each sample of it.
    private static let reader = """
        import json, sys
        from prometheus_client.parser import text_string_to_metric_families
        families = list(text_string_to_metric_families(sys.stdin.read()))
        assert all(f.documentation and f.type in ("counter", "gauge", "histogram") for f in families), families
        print(json.dumps([{"name": s.name, "labels": s.labels, "value": s.value} for f in families for s in f.samples]))
        """

    private static func ask(_ page: Int, token: String?) async throws -> CommandLineTool.Result {
        let fields = token.map { ["-H", "Authorization: Bearer \($0)"] } ?? []
        return try await CommandLineTool.run(
            "curl",
            ["-sS", "--noproxy", "*", "-w", "\n%{http_code} %{content_type}", "http://127.0.0.1:\(page)/metrics"]
                + fields
        )
    }

    @Test("What passes is counted, and Prometheus' reader takes all of it; without the token there is nothing")
    func counted() async throws {
        let origin = try await LoopbackOrigin.start(
            script: RawRequest.answering { request in
                let status = request.target == "/missing" ? "404 Not Found" : "200 OK"
                return Array("HTTP/1.1 \(status)\r\nContent-Length: 5\r\n\r\nhello".utf8)
            }
        )
        let directory = try TemporaryDirectory()
        let file = directory.file("token")
        let inspect = try await RunningInspect.start(in: directory, ["--web-token-file", file])
        let nobody = try RefusingPort()
        let urls =
            ["/a", "/b", "/missing"].map { "http://127.0.0.1:\(origin.port)\($0)" } + [
                "http://127.0.0.1:\(nobody.port)/"
            ]
        for url in urls {
            _ = try await CommandLineTool.run("curl", ["-sS", "--noproxy", "", "-x", inspect.proxy, "-d", "abc", url])
        }
        withExtendedLifetime(nobody) {}
        #expect(try await Self.ask(inspect.pagePort, token: nil).output.hasSuffix("\n401 text/plain; charset=utf-8"))
        let token = String(decoding: try directory.read("token"), as: UTF8.self).trimmingCharacters(in: .newlines)
        let mode = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int
        #expect(token.count == 32 && mode == 0o600)
        // Curl may have ended before the proxy saw that its connection did.
        var answer = try await Self.ask(inspect.pagePort, token: token)
        let deadline = ContinuousClock.now + Patience.stretched(.seconds(20))
        while !answer.output.contains("\ninspect_connections 0\n"), ContinuousClock.now < deadline {
            answer = try await Self.ask(inspect.pagePort, token: token)
        }
        let parts = answer.output.split(separator: "\n").map(String.init)
        #expect(parts.last == "200 text/plain; version=0.0.4; charset=utf-8", "\(answer)")
        let read = try await CommandLineTool.run(
            try RealClientsTests.python(),
            ["-c", Self.reader],
            input: Array((parts.dropLast().joined(separator: "\n") + "\n").utf8)
        )
        #expect(read.status == 0, "\(read.errors)")
        let samples = try JSONDecoder().decode([Sample].self, from: Data(read.outputBytes))
        func value(_ name: String, _ labels: [String: String] = [:]) -> Double? {
            samples.first { $0.name == name && $0.labels == labels }?.value
        }
        #expect(value("inspect_requests_total", ["outcome": "completed"]) == 3)
        #expect(value("inspect_requests_total", ["outcome": "failed"]) == 1)
        #expect(value("inspect_responses_total", ["class": "2xx"]) == 2)
        #expect(value("inspect_responses_total", ["class": "4xx"]) == 1)
        #expect(
            value("inspect_failures_total", ["side": "upstream", "phase": "connect", "cause": "refused"]) == 1,
            "\(samples.filter { $0.name.contains("failures") })"
        )
        #expect(value("inspect_body_bytes_total", ["direction": "request"]) == 12)
        #expect(value("inspect_body_bytes_total", ["direction": "response"]) == 15)
        #expect(value("inspect_queue_bytes") == 0 && value("inspect_write_lag_seconds") == 0)
        #expect((value("inspect_commit_seconds_count") ?? 0) >= 4)
        #expect(value("inspect_commit_seconds_bucket", ["le": "+Inf"]) == value("inspect_commit_seconds_count"))
        let buckets = samples.filter { $0.name == "inspect_commit_seconds_bucket" }.map(\.value)
        #expect(buckets == buckets.sorted() && (value("inspect_commit_seconds_sum") ?? 0) > 0)
        #expect((value("inspect_store_bytes") ?? 0) > 10_000 && value("inspect_connections") == 0)
        #expect(value("inspect_upstream_connections") != nil)
        #expect((value("process_resident_memory_bytes") ?? 1e9) > 1e6)

        // The file's token opens the page after the next start too.
        #expect(try await inspect.process.stop().status == 0)
        let next = try await RunningInspect.start(in: directory, ["--web-token-file", file])
        #expect(
            try await Self.ask(next.pagePort, token: token).output.hasSuffix(
                "200 text/plain; version=0.0.4; charset=utf-8"
            )
        )
        #expect(try await next.process.stop().status == 0)
        chmod(file, 0o644)
        let open = try await RunningInspect.run(
            ["start", "--port", "0", "--web-port", "0", "--web-token-file", file] + RunningInspect.places(directory),
            in: directory
        )
        let sentence = "\(file) is open to other users of this machine (mode 644); run chmod"
        #expect(open.status == 2 && open.errors.contains(sentence), "\(open.errors)")
    }
}
