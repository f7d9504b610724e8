import Foundation
import Support
import Testing

/// HTTP/2 as others wrote it on both sides of the running product: nghttp, h2load, curl and httpx; nginx, hypercorn and the FacilityAPI.
@Suite(.timeLimit(.minutes(15))) struct HTTP2ClientTests {
    /// An upstream and an instance that reaches it by a reverse and by an explicit address.
    struct Stage: Sendable {
        let authority: TestAuthority
        let upstream: RealUpstream
        let inspect: RunningInspect
        /// The root that clients are to trust.
        let root: String
        /// Its reverse address, without a slash.
        let reverse: String

        static func set(_ kind: RealUpstream.Kind, _ more: [String] = []) async throws -> Stage {
            let directory = try TemporaryDirectory()
            let authority = try await TestAuthority()
            let upstream = try await RealUpstream.start(kind, authority, in: directory)
            // A client may speak HTTP/2 where the upstream does not.
            let matching = upstream.kind == .facilityAPI ? ["--no-match-protocols"] : []
            let modes = ["explicit@0", "reverse:https://localhost:\(upstream.port)@0"].flatMap {
                ["--listen-mode", $0]
            }
            let inspect = try await RunningInspect.start(
                in: directory,
                ["--upstream-ca", upstream.rootFile] + modes + matching + more
            )
            let address = try #require(try inspect.listeners().first { $0.key.hasPrefix("reverse") }?.value)
            return Stage(
                authority: authority,
                upstream: upstream,
                inspect: inspect,
                root: try await inspect.rootFile(),
                reverse: "https://\(address)"
            )
        }

        /// What the upstream answers to its target when it is asked directly.
        func direct() async throws -> [UInt8] {
            let url = "https://localhost:\(upstream.port)\(upstream.kind.target)"
            let result = try await CommandLineTool.run(
                "curl",
                ["-sSf", "--noproxy", "*", "--cacert", upstream.rootFile, url]
            )
            guard result.status == 0 else { throw Unexpected(result.errors) }
            return result.outputBytes
        }

        /// Holds the record against what was done since a row: so many more, each over with its versions and so long a response.
        ///
        /// - Parameters:
        ///   - count: how many there have to be.
        ///   - last: the newest row before.
        ///   - response: the bytes of each response.
        ///   - sourceLocation: where a failure is told.
        /// - Returns: the newest row now.
        /// - Throws: when a command fails that reads the record.
        @discardableResult
        func expectRows(
            _ count: Int,
            after last: Int = 0,
            response: [UInt8],
            sourceLocation: SourceLocation = #_sourceLocation
        ) async throws -> Int {
            func new(_ listing: StoredListing) -> [StoredListing.Row] { listing.exchanges.filter { $0.id > last } }
            let rows = new(
                try await inspect.listing(with: "\(count) rows") { listing in
                    new(listing).count { $0.outcome != "pending" } >= count
                }
            )
            #expect(rows.count == count, sourceLocation: sourceLocation)
            let wrong = rows.filter {
                $0.outcome != "completed" || $0.code != 200 || $0.protocol != "HTTP/2"
                    || $0.upstreamProtocol != upstream.kind.version || $0.responseBytes != response.count
            }
            #expect(
                wrong.isEmpty,
                "\(wrong.count) of \(rows.count): \(wrong.prefix(3))",
                sourceLocation: sourceLocation
            )
            for row in [rows.first, rows.last].compactMap({ $0 }) {
                #expect(try await inspect.body(row.id, "response") == response, sourceLocation: sourceLocation)
            }
            return rows.map(\.id).max() ?? last
        }
    }

    @Test("h2load, curl and nghttp get what the upstream sends, many at once", arguments: RealUpstream.Kind.allCases)
    func clients(kind: RealUpstream.Kind) async throws {
        let stage = try await Stage.set(kind)
        let answer = try await stage.direct()
        var last = try await h2load(stage, answer)
        last = try await curl(stage, answer, after: last)
        guard kind != .facilityAPI else { return }
        last = try await nghttp(stage, after: last)
        if kind == .nginx { try await priorKnowledge(stage, after: last) }
        if kind == .hypercorn { try await upload(stage) }
    }

    /// A hundred streams at once on each of two connections: none fails, and each is a row.
    private func h2load(_ stage: Stage, _ answer: [UInt8]) async throws -> Int {
        let result = try await CommandLineTool.run(
            "h2load",
            ["-n", "200", "-c", "2", "-m", "100", stage.reverse + stage.upstream.kind.target]
        )
        let report = "200 succeeded, 0 failed, 0 errored, 0 timeout"
        #expect(result.status == 0 && result.output.contains(report), "\(result.output) \(result.errors)")
        #expect(result.output.contains("status codes: 200 2xx"), "\(result.output)")
        #expect(result.output.contains("Application protocol: h2"), "\(result.output)")
        return try await stage.expectRows(200, response: answer)
    }

    /// HTTP/2 inside a tunnel, by ALPN.
    private func curl(_ stage: Stage, _ answer: [UInt8], after last: Int) async throws -> Int {
        let url = "https://localhost:\(stage.upstream.port)\(stage.upstream.kind.target)"
        let outputs = (0..<20).flatMap { ["-o", stage.inspect.directory.file("out-\($0)"), url] }
        let result = try await CommandLineTool.run(
            "curl",
            ["-sS", "--noproxy", "", "-x", stage.inspect.proxy, "--cacert", stage.root, "--http2", "-Z"]
                + ["-w", "%{http_version} %{http_code};"] + outputs
        )
        #expect(result.status == 0 && result.output == String(repeating: "2 200;", count: 20), "\(result.errors)")
        for number in 0..<20 { #expect(Array(try stage.inspect.directory.read("out-\(number)")) == answer) }
        return try await stage.expectRows(20, after: last, response: answer)
    }

    /// One stream, and sixty at once.
    private func nghttp(_ stage: Stage, after last: Int) async throws -> Int {
        let one = try await CommandLineTool.run("nghttp", [stage.reverse + "/large"])
        #expect(one.status == 0 && one.outputBytes == RealUpstream.large, "\(one.errors)")
        let many = try await CommandLineTool.run("nghttp", ["-n", "-s", "-m", "60", stage.reverse + "/large"])
        #expect(
            many.status == 0 && many.output.components(separatedBy: " 200 ").count == 61,
            "\(many.output) \(many.errors)"
        )
        return try await stage.expectRows(61, after: last, response: RealUpstream.large)
    }

    /// nghttp sends content with trailers, and gets it back.
    private func upload(_ stage: Stage) async throws {
        let file = try stage.inspect.directory.write(
            String(repeating: "upload \u{1F9C0} ", count: 20_000),
            to: "upload"
        )
        let sent = try await CommandLineTool.run(
            "nghttp",
            ["-H", ":method: POST", "-d", file, "--trailer", "x-sum: 1", stage.reverse + "/echo"]
        )
        let content = try stage.inspect.directory.read("upload")
        #expect(sent.status == 0 && sent.outputBytes == Array(content), "\(sent.errors)")
        let row = try #require(try await stage.inspect.listing("--method", "POST").exchanges.first)
        #expect(row.outcome == "completed" && row.protocol == "HTTP/2" && row.upstreamProtocol == "HTTP/2")
        #expect(try await stage.inspect.body(row.id, "request") == Array(content))
    }

    /// curl speaks HTTP/2 by prior knowledge inside a tunnel without TLS.
    private func priorKnowledge(_ stage: Stage, after last: Int) async throws {
        let url = "http://localhost:\(try #require(stage.upstream.plainPort))/large"
        let result = try await CommandLineTool.run(
            "curl",
            ["-sS", "--noproxy", "", "-p", "-x", stage.inspect.proxy, "--http2-prior-knowledge", url]
        )
        #expect(result.status == 0 && result.outputBytes == RealUpstream.large, "\(result.errors)")
        let row = try await stage.expectRows(1, after: last, response: RealUpstream.large)
        #expect(try await stage.inspect.listing("id:\(row)").exchanges.map(\.scheme) == ["http"])
    }

    @Test("A first request with 56 kB of fields passes; one with too many is a 431 that ends nothing else")
    func largeHeads() async throws {
        let stage = try await Stage.set(.hypercorn)
        let common = [
            "-sS", "--noproxy", "", "-x", stage.inspect.proxy, "--cacert", stage.root, "--http2", "-w",
            " %{http_code};",
        ]
        func fields(_ count: Int, _ size: Int) -> [String] {
            (0..<count).flatMap { ["-H", "x-\($0): " + String(repeating: "y", count: size)] }
        }
        let url = "https://localhost:\(stage.upstream.port)/echo"
        let large = try await CommandLineTool.run("curl", common + fields(7, 8_000) + [url])
        #expect(large.status == 0 && large.output == " 200;", "\(large.output) \(large.errors)")
        // Two transfers of one connection, since --next keeps it.
        let many = try await CommandLineTool.run("curl", common + fields(1_010, 1) + [url, "--next"] + common + [url])
        #expect(many.status == 0 && many.output.contains(" 431;") && many.output.hasSuffix(" 200;"), "\(many.output)")
        let rows = try await stage.inspect.listing().exchanges
        #expect(rows.map(\.outcome).sorted() == ["completed", "completed", "failed"], "\(rows)")
        #expect(rows.first { $0.outcome == "failed" }?.failure?.cause == "too-long")
    }

    @Test("httpx has many requests on one connection, with content both ways")
    func httpx() async throws {
        let stage = try await Stage.set(.hypercorn)
        let script = """
            import asyncio, httpx, ssl, sys
            proxy, root, base = sys.argv[1:]
            async def main():
                context = ssl.create_default_context(cafile=root)
                async with httpx.AsyncClient(http2=True, proxy=proxy, verify=context, trust_env=False, timeout=\(Patience.seconds(30))) as client:
                    first = await client.get(base + "/large")
                    assert first.http_version == "HTTP/2" and first.headers["x-version"] == "2", first
                    async def send(number):
                        content = bytes(range(256)) * (number * 10)
                        answer = await client.post(base + f"/echo?{number}", content=content)
                        assert answer.status_code == 200 and answer.content == content, (number, answer)
                    await asyncio.gather(*(send(number) for number in range(40)))
            asyncio.run(main())
            """
        let result = try await CommandLineTool.run(
            try RealClientsTests.python(),
            ["-c", script, stage.inspect.proxy, stage.root, "https://localhost:\(stage.upstream.port)"]
        )
        #expect(result.status == 0, "\(result.errors)")
        let rows = try await stage.inspect.listing(with: "41 rows") { $0.exchanges.count >= 41 }.exchanges
        #expect(rows.count == 41)
        #expect(
            rows.allSatisfy {
                $0.outcome == "completed" && $0.protocol == "HTTP/2" && $0.upstreamProtocol == "HTTP/2"
            }
        )
        for row in rows where row.method == "POST" {
            let size = (Int(row.target.split(separator: "?").last ?? "") ?? -1) * 2_560
            #expect(row.requestBytes == size && row.responseBytes == size, "\(row)")
        }
        let last = try #require(rows.first { $0.target == "/echo?39" })
        let content = [UInt8]((0..<99_840).map { UInt8(truncatingIfNeeded: $0) })
        #expect(try await stage.inspect.body(last.id, "request") == content)
        #expect(try await stage.inspect.body(last.id, "response") == content)
    }
}
