import Foundation
import Support
import Testing

/// Real clients fetch over HTTPS through the proxy, with our root trusted and verification on, and the record is what the origin saw.
@Suite(.timeLimit(.minutes(15))) struct RealClientsTests {
    /// An instance and an origin that it verifies.
    struct Stage: Sendable {
        let origin: RecordingOrigin
        let inspect: RunningInspect
        let root: String

        static func set() async throws -> Stage {
            let authority = try await TestAuthority()
            let origin = try await RecordingOrigin.start(tls: authority.issue(for: ["localhost"]))
            let inspect = try await RunningInspect.start(["--upstream-ca", authority.rootFile])
            return Stage(origin: origin, inspect: inspect, root: try await inspect.rootFile())
        }

        func url(_ target: String) -> String { "https://localhost:\(origin.port)\(target)" }

        /// Holds every exchange with the origin against its record: heads byte for byte, bodies byte for byte, none too many or too few.
        ///
        /// - Parameters:
        ///   - count: how many exchanges there were.
        ///   - hasSpares: whether the client may have opened connections and closed them unused, as browsers do.
        ///   - sourceLocation: where a failure is told.
        /// - Throws: when a command fails that reads the record.
        func expectExactRecord(
            _ count: Int,
            hasSpares: Bool = false,
            sourceLocation: SourceLocation = #_sourceLocation
        ) async throws {
            let answered = origin.answered
            #expect(answered.count == count, sourceLocation: sourceLocation)
            let rows = try await inspect.listing("--host", "localhost", "--limit", "1000").exchanges.filter {
                $0.port == origin.port && !(hasSpares && $0.method == "CONNECT")
            }
            #expect(rows.count == count, "\(rows)", sourceLocation: sourceLocation)
            let came = origin.origin.connections.map(\.receivedBytes).reduce(0, +)
            #expect(
                came == answered.map(\.request.bytes.count).reduce(0, +),
                "Bytes beyond the requests",
                sourceLocation: sourceLocation
            )
            for exchange in answered {
                let (request, answer) = (exchange.request, exchange.answer)
                let matching = rows.filter { $0.target == request.target && $0.method == request.method }
                let row = try #require(
                    matching.first,
                    "\(request.target) is not recorded",
                    sourceLocation: sourceLocation
                )
                #expect(matching.count == 1, sourceLocation: sourceLocation)
                #expect(row.outcome == "completed" && row.scheme == "https", "\(row)", sourceLocation: sourceLocation)
                #expect(row.responseBytes == answer.content.count, sourceLocation: sourceLocation)

                let shown = try await inspect.exchange(row.id)
                let sent = shown.request.sentHead.map { Array($0.utf8) } ?? shown.request.headBytes
                #expect(
                    sent == Array(request.bytes[..<request.headBytes]),
                    "\(request.target)",
                    sourceLocation: sourceLocation
                )
                #expect(shown.response?.headBytes == answer.head, "\(request.target)", sourceLocation: sourceLocation)
                #expect(try await inspect.body(row.id, "request") == request.content, sourceLocation: sourceLocation)
                #expect(try await inspect.body(row.id, "response") == answer.content, sourceLocation: sourceLocation)
                #expect(shown.upstreamConnection?.tls?.certificates.isEmpty == false, sourceLocation: sourceLocation)
                #expect(shown.clientConnection.tls?.serverName == "localhost", sourceLocation: sourceLocation)
            }
        }
    }

    @Test("curl gets what the origin sent, and every byte of both sides is in the store")
    func curl() async throws {
        let stage = try await Stage.set()
        let common = ["-sS", "--noproxy", "", "-x", stage.inspect.proxy, "--cacert", stage.root, "-A", "curl-test"]

        // Targets that a proxy likes to tidy up, and a head in an odd order.
        let target = "/length?query&type=-1&a=+(),&empty=&by=curl"
        let fields = ["-H", "x-DUP: 1", "-H", "X-Dup: 2", "-H", "X-Blank;", "-H", "accept:"]
        let exact = try await CommandLineTool.run(
            "curl",
            common + fields + [
                "--http1.1", "-i", "--raw", "--suppress-connect-headers", "--globoff", "--path-as-is",
                stage.url(target),
            ]
        )
        #expect(exact.status == 0, "\(exact.errors)")
        #expect(exact.outputBytes == stage.origin.answered.first?.answer.wire)
        #expect(
            stage.origin.answered.first?.request.text
                == "GET \(target) HTTP/1.1\r\nHost: localhost:\(stage.origin.port)\r\nUser-Agent: curl-test\r\n"
                + "x-DUP: 1\r\nX-Dup: 2\r\nX-Blank:\r\n\r\n"
        )

        let body = try stage.inspect.directory.write(
            String(repeating: "upload \u{1F9C0} ", count: 20_000),
            to: "upload"
        )
        let more: [([String], String)] = [
            (["--compressed"], "/gzip?by=curl"), ([], "/chunked?by=curl"), (["-I"], "/length?head"),
            ([], "/nothing?by=curl"),
            ([], "/moved?"), ([], "/missing?by=curl"), (["-X", "PURGE"], "/length?purge"),
            (["-H", "Expect:", "--data-binary", "@\(body)"], "/echo?length"),
            (["-H", "Expect:", "-H", "Transfer-Encoding: chunked", "--data-binary", "@\(body)"], "/echo?chunked"),
        ]
        for (options, target) in more {
            let result = try await CommandLineTool.run("curl", common + options + [stage.url(target)])
            #expect(result.status == 0, "\(target): \(result.errors)")
            let expected =
                target.hasPrefix("/gzip") ? Array(OriginAnswer.text.utf8) : stage.origin.answered.last?.answer.content
            if !options.contains("-I") { #expect(result.outputBytes == expected, "\(target)") }
        }
        try await stage.expectExactRecord(1 + more.count)
    }

    @Test(
        "Python's requests and httpx verify our certificate, and are recorded exactly",
        arguments: ["requests", "httpx"]
    )
    func python(_ module: String) async throws {
        let stage = try await Stage.set()
        let session =
            module == "requests"
            ? "c = requests.Session(); c.trust_env = False; c.proxies = {'https': proxy}; c.verify = root"
            : "c = httpx.Client(proxy=proxy, verify=ssl.create_default_context(cafile=root), trust_env=False)"
        let body = module == "requests" ? "data" : "content"
        let script = """
            import \(module), ssl, sys
            proxy, root, base = sys.argv[1:]
            \(session)
            for _ in range(2):
                r = c.get(base + '/gzip?by=python&n=%d' % _); assert r.status_code == 200, r
            assert r.text.startswith('Käse'), r.text[:20]
            r = c.post(base + '/echo?by=python', \(body)=bytes(range(256)) * 300); assert r.content == bytes(range(256)) * 300, len(r.content)
            r = c.post(base + '/echo?parts', \(body)=(b'x' * 1000 for _ in range(9))); assert r.content == b'x' * 9000, r
            r = c.head(base + '/length?head'); assert r.headers['X-Odd'].strip() == 'spaced  out', r.headers
            r = c.get(base + '/missing?by=python'); assert r.status_code == 404, r
            """
        let result = try await CommandLineTool.run(
            try Self.python(),
            ["-c", script, stage.inspect.proxy, stage.root, stage.url("")]
        )
        #expect(result.status == 0, "\(result.errors)")
        try await stage.expectExactRecord(6)
    }

    @Test("Chromium with our root in its own store shows a page and its script's requests, recorded exactly")
    func chromium() async throws {
        let stage = try await Stage.set()
        let browser = try await HeadlessChromium(trusting: stage.root)
        let result = try await browser.dump(stage.url("/page?by=chromium"), proxy: stage.inspect.proxy)
        #expect(
            result.output.contains("the origin said from the page"),
            "\(result.output) \(result.errors.suffix(1000))"
        )
        let targets = stage.origin.answered.map(\.request.target)
        #expect(targets == ["/page?by=chromium", "/script.js?by=chromium", "/echo?by=chromium"])
        try await stage.expectExactRecord(3, hasSpares: true)
    }

    /// The Python of the environment that the README's test command makes.
    static func python() throws -> String {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        return try CommandLineTool.find(root.appending(path: ".build/venv/bin/python").path)
    }
}
