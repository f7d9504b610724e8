import Foundation
import Support
import Testing

/// Slow and broken networks as curl sees them, in HTTP/1.1 and in HTTP/2 inside TLS.
@Suite("Slow and broken networks, with real clients", .timeLimit(.minutes(15))) struct SlowNetworkTests {
    private struct Stage {
        let inspect: RunningInspect
        let origin: LoopbackOrigin
        let root: String

        /// What curl got: the body, then status, size and seconds behind it.
        func get(_ path: String, _ version: String, _ more: String...) async throws -> CommandLineTool.Result {
            try await CommandLineTool.run(
                "curl",
                [
                    "-sS", version, "--noproxy", "", "-x", inspect.proxy, "--cacert", root, "-w",
                    " %{http_code} %{size_download} %{time_total}",
                ] + more + ["https://localhost:\(origin.port)\(path)"]
            )
        }

        /// How long a response took, in seconds, where all of its bytes came.
        func seconds(_ path: String, _ version: String, size: Int, _ more: String...) async throws -> Double {
            let result = try await CommandLineTool.run(
                "curl",
                [
                    "-sS", version, "--noproxy", "", "-x", inspect.proxy, "--cacert", root, "-o", "/dev/null", "-w",
                    "%{size_download} %{time_total}",
                ] + more + ["https://localhost:\(origin.port)\(path)"]
            )
            let words = result.output.split(separator: " ")
            #expect(result.status == 0 && words.first.flatMap { Int($0) } == size, "\(path): \(result)")
            return words.last.flatMap { Double($0) } ?? 0
        }
    }

    private static let rules = """
        rules:
        - {name: line, when: "path:/line", throttle: {down: 800kbit, up: 800kbit}}
        - {name: far, when: "path:/far", throttle: {rtt: 600ms}}
        - {name: late, when: "path:/late", delay: {request: 200ms, response: 300ms}}
        - {name: typed, when: "path:/typed type:text", delay: 400ms}
        - {name: cut, when: "path:/cut", fault: {cut: 1k}}
        - {name: third, when: "path:/third", fault: {cut: 1k, every: 3}}
        - {name: status, when: "path:/status", fault: status-only}
        - {name: length, when: "path:/length", fault: bad-length}
        - {name: lost, when: "path:/lost", fault: reset}
        - {name: never, when: "path:/never", throttle: offline}
        - {name: endless, when: "path:/endless", throttle: {down: 8kbit}}
        """

    private static func stage(_ options: [String]? = nil, _ body: (Stage) async throws -> Void) async throws {
        let directory = try TemporaryDirectory()
        let authority = try await TestAuthority()
        let leaf = try await authority.issue(for: ["localhost"])
        let big = String(repeating: "x", count: 100_000)
        let origin = try await LoopbackOrigin.start(
            tls: leaf,
            script: RawRequest.answering { _ in
                Array("HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 100000\r\n\r\n\(big)".utf8)
            }
        )
        let file = try directory.write(rules, to: "rules.yaml")
        let inspect = try await RunningInspect.start(
            in: directory,
            (options ?? ["--rules", file]) + ["--upstream-ca", authority.rootFile, "--no-match-protocols"]
        )
        try await body(Stage(inspect: inspect, origin: origin, root: try await inspect.rootFile()))
        #expect(try await inspect.process.stop().status == 0)
    }

    @Test("Lines, round trips and delays take their time, and every byte comes", arguments: ["--http1.1", "--http2"])
    func slow(version: String) async throws {
        try await Self.stage { stage in
            #expect(try await stage.seconds("/line", version, size: 100_000) >= 0.9)
            let body = String(repeating: "y", count: 100_000)
            #expect(try await stage.seconds("/line", version, size: 100_000, "-d", body) >= 1.9)
            #expect(stage.origin.connections.contains { $0.receivedText.hasSuffix(body) })
            #expect(try await stage.seconds("/far", version, size: 100_000) >= 0.6)
            #expect(try await stage.seconds("/late", version, size: 100_000) >= 0.5)
            #expect(try await stage.seconds("/typed", version, size: 100_000) >= 0.4)
            #expect(try await stage.get("/never", version, "-m", "1").status == 28)

            #expect(try await stage.inspect.listing("rule:line").matched == 2)
            #expect(try await stage.inspect.listing("rule:line,far,late,typed is:modified").matched == 0)
            let id = try #require(try await stage.inspect.listing("rule:late").exchanges.first?.id)
            let store = RunningInspect.store(stage.inspect.directory)
            let shown = try await RunningInspect.run(["show", "\(id)", "--store", store], in: stage.inspect.directory)
            #expect(shown.output.contains("late: delay 200 ms") && shown.output.contains("late: delay 300 ms"))
            let tried = try await RunningInspect.run(
                ["rules", "try", stage.inspect.directory.file("rules.yaml"), "--store", store],
                in: stage.inspect.directory
            )
            #expect(tried.output.contains("line (throttle down 800 kbit/s, up 800 kbit/s)"), "\(tried.output)")
        }
    }

    @Test("What breaks off is told by curl, and every third does", arguments: ["--http1.1", "--http2"])
    func faults(version: String) async throws {
        try await Self.stage { stage in
            let broken: Int32 = version == "--http2" ? 92 : 18
            let cut = try await stage.get("/cut", version)
            #expect(cut.status == broken && cut.output.contains(" 200 1000 "), "\(cut)")
            var states: [Int32] = []
            for _ in 0..<6 { states.append(try await stage.get("/third", version, "-o", "/dev/null").status) }
            #expect(states == [0, 0, broken, 0, 0, broken])
            let status = try await stage.get("/status", version)
            // curl takes a status line with nothing behind it for a response of HTTP/1.1 without a body.
            #expect(status.status == (version == "--http2" ? 92 : 0) && status.output.hasPrefix(" 200 0 "), "\(status)")
            let length = try await stage.get("/length", version, "-o", "/dev/null")
            #expect(length.status == broken, "\(length)")
            let lost = try await stage.get("/lost", version)
            #expect([52, 56, 92].contains(lost.status), "\(lost)")
            #expect(stage.origin.connections.contains { $0.receivedText.contains(" /lost") })

            #expect(try await stage.inspect.listing("rule:cut,status,length,lost outcome:failed").matched == 4)
            #expect(try await stage.inspect.listing("rule:third is:modified").matched == 2)
            #expect(try await stage.inspect.listing("rule:cut is:modified").exchanges.first?.responseBytes == 1_000)
        }
    }

    @Test("A proxy that is told to stop does not wait for what is slow, and the client has it whole")
    func stopping() async throws {
        try await Self.stage { stage in
            async let endless = stage.get("/endless", "--http1.1", "-o", "/dev/null")
            _ = try await stage.inspect.listing(with: "the slow response") { $0.exchanges.count == 1 }
            #expect(try await stage.inspect.process.stop().status == 0)
            // What the proxy had waited for in vain would be cut.
            let result = try await endless
            #expect(result.status == 0 && result.output.contains(" 200 100000 "), "\(result)")
        }
    }

    @Test("--throttle is a rule for all traffic, which is listed and switched off, of start and of run")
    func option() async throws {
        try await Self.stage(["--throttle", "regular-3g"]) { stage in
            #expect(try await stage.seconds("/", "--http1.1", size: 100_000) >= 1)
            let store = RunningInspect.store(stage.inspect.directory)
            func rules(_ words: String...) async throws -> String {
                try await RunningInspect.run(["rules"] + words + ["--store", store], in: stage.inspect.directory).output
            }
            let listed = try await rules()
            #expect(listed.contains("throttle") && listed.contains("on "), "\(listed)")
            #expect(try await rules("off", "throttle") == "0 of 1 rule is on\n")
            #expect(try await stage.seconds("/", "--http1.1", size: 100_000) > 0)
            #expect(try await stage.inspect.listing("rule:throttle").matched == 1)
        }
        let directory = try TemporaryDirectory()
        let words = ["run", "--throttle", "wifi"] + RunningInspect.places(directory) + ["--", "true"]
        let result = try await RunningInspect.run(words, in: directory)
        #expect(result.status == 0 && result.errors.contains("inspect: 1 of 1 rule is on\n"), "\(result.errors)")
        let unknown = try await RunningInspect.run(
            ["run", "--throttle", "wify"] + RunningInspect.places(directory) + ["--", "true"],
            in: directory
        )
        #expect(unknown.status == 2 && unknown.errors.contains("did you mean wifi?"), "\(unknown.errors)")
    }
}
