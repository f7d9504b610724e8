import Foundation
import Support
import Testing

/// Rules of a running proxy as curl sees them, in HTTP/1.1 and in HTTP/2 inside TLS, and as the store tells of them.
@Suite("Rules in flight, with real clients", .timeLimit(.minutes(15))) struct RuledClientsTests {
    private struct Stage {
        let inspect: RunningInspect
        let origin: LoopbackOrigin
        let other: LoopbackOrigin
        let root: String

        /// What curl got: the status, and the body behind it.
        func get(_ path: String, _ version: String, _ more: String...) async throws -> CommandLineTool.Result {
            try await CommandLineTool.run(
                "curl",
                ["-sS", version, "--noproxy", "", "-x", inspect.proxy, "--cacert", root, "-w", " %{http_code}"] + more
                    + ["https://localhost:\(origin.port)\(path)"]
            )
        }

        /// The head that the origin was last asked with for a path.
        func asked(_ path: String) -> String {
            let heads = origin.connections.flatMap { $0.receivedText.components(separatedBy: "\r\n\r\n") }
            return heads.last { $0.contains(" \(path)") } ?? ""
        }
    }

    private static let json = "Content-Type: application/json"

    private static func rules(_ other: Int) -> String {
        """
        rules:
        - {name: local, when: "path:/static/ method:GET,HEAD", respond: {dir: ./static, strip: /static/, index: index.html, missing: upstream}}
        - {name: staging, when: "path:/moved", send: {to: "http://127.0.0.1:\(other)"}}
        - name: beta
          when: path:/beta
          request: {fields: {set: {User-Agent: "Shop/9"}, remove: [X-Debug]}, query: {set: {beta: "1"}, remove: ["utm_*"]}}
          response: {fields: {remove: [X-A]}}
        - name: flaky
          when: method:POST path:/checkout
          respond:
          - {status: 503, fields: {Retry-After: "1"}, times: 2}
          - {status: 201, json: {sku: "${json.$.sku}", count: "${count}"}}
        - {name: own, when: "path:/own process:curl", block: 403}
        - {name: cut, when: "path:/blocked", block: reset}
        - {name: big, when: "path:/cart json:$.total>100", request: {fields: {set: {X-Big: "1"}}}}
        """
    }

    private static func stage(_ body: (Stage) async throws -> Void) async throws {
        let directory = try TemporaryDirectory()
        let authority = try await TestAuthority()
        let leaf = try await authority.issue(for: ["localhost"])
        let answer = "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nX-A: 1\r\nContent-Length: 2\r\n\r\nok"
        let script = RawRequest.answering { _ in Array(answer.utf8) }
        let origin = try await LoopbackOrigin.start(tls: leaf, script: script)
        let other = try await LoopbackOrigin.start(script: script)
        try FileManager.default.createDirectory(atPath: directory.file("static"), withIntermediateDirectories: false)
        try directory.write("mine();", to: "static/app.js")
        try directory.write("secret", to: "outside.txt")
        let file = try directory.write(rules(other.port), to: "rules.yaml")
        let inspect = try await RunningInspect.start(
            in: directory,
            ["--rules", file, "--upstream-ca", authority.rootFile]
        )
        try await body(
            Stage(inspect: inspect, origin: origin, other: other, root: try await inspect.rootFile())
        )
        _ = try await inspect.process.stop()
    }

    @Test(
        "Files, other places, edits, stubs and resets reach curl in either version",
        arguments: ["--http1.1", "--http2"]
    )
    func curl(version: String) async throws {
        try await Self.stage { stage in
            #expect(try await stage.get("/static/app.js", version).output == "mine(); 200")
            #expect(try await stage.get("/static/app.js", version, "-r", "1-4").output == "ine( 206")
            #expect(stage.origin.connections.isEmpty, "Nothing was asked of the upstream")
            #expect(try await stage.get("/static/none.js", version).output == "ok 200")
            let climb = try await stage.get("/static/../outside.txt", version, "--path-as-is")
            #expect(climb.output.hasSuffix(" 404") && !climb.output.contains("secret"), "\(climb)")
            // A slash that is spelled out is a part of a name, and there is no such file.
            #expect(try await stage.get("/static/%2e%2e%2foutside.txt", version, "--path-as-is").output == "ok 200")

            #expect(try await stage.get("/moved/x?a", version).output == "ok 200")
            let moved = stage.other.connections.first?.receivedText ?? ""
            #expect(moved.hasPrefix("GET /moved/x?a HTTP/1.1\r\n"), "\(moved)")
            #expect(moved.lowercased().contains("\r\nhost: 127.0.0.1:\(stage.other.port)\r\n"), "\(moved)")

            let beta = try await stage.get("/beta?utm_a=1&q=%20z", version, "-H", "X-Debug: 1", "-i")
            #expect(beta.output.hasSuffix("ok 200") && !beta.output.lowercased().contains("x-a:"), "\(beta.output)")
            let asked = stage.asked("/beta")
            #expect(asked.contains("GET /beta?q=%20z&beta=1 HTTP/1.1\r\n"), "\(asked)")
            #expect(asked.contains("Shop/9") && !asked.lowercased().contains("x-debug"), "\(asked)")

            #expect(try await stage.get("/own", version).output.hasSuffix(" 403"))
            var codes: [String] = []
            for _ in 0..<4 {
                let stub = try await stage.get("/checkout", version, "-d", #"{"sku":"a\"1"}"#)
                codes.append(String(stub.output.suffix(3)))
                if stub.output.hasSuffix("201") {
                    #expect(stub.output.hasPrefix(#"{"sku":"a\"1","count":""#), "\(stub.output)")
                }
            }
            #expect(codes == ["503", "503", "201", "201"])
            let before = stage.origin.connections.count
            let cut = try await stage.get("/blocked", version)
            #expect([52, 56, 92].contains(cut.status) && stage.origin.connections.count == before, "\(cut)")

            #expect(try await stage.get("/cart", version, "-H", Self.json, "-d", #"{"total": 150}"#).output == "ok 200")
            #expect(stage.asked("/cart").lowercased().contains("x-big: 1"))
            #expect(try await stage.get("/cart", version, "-H", Self.json, "-d", #"{"total": 50}"#).output == "ok 200")
            let all = stage.origin.connections.map { $0.receivedText.lowercased() }.joined()
            #expect(all.components(separatedBy: "x-big: 1").count == 2, "Of two carts one is big")
            try await Self.record(stage)
        }
    }

    /// The store counts by rule, and `rules try` finds on the record what the rules did in flight.
    private static func record(_ stage: Stage) async throws {
        #expect(try await stage.inspect.listing("rule:flaky").matched == 4)
        #expect(try await stage.inspect.listing("rule:big").matched == 1)
        #expect(try await stage.inspect.listing("rule:none path:/cart").matched == 1)
        #expect(try await stage.inspect.listing("rule:cut outcome:failed").matched == 1)
        let modified = try await stage.inspect.listing("is:modified")
        let id = try #require(modified.exchanges.first { $0.target.hasPrefix("/beta") }?.id)
        let store = RunningInspect.store(stage.inspect.directory)
        let shown = try await RunningInspect.run(["show", "\(id)", "--store", store], in: stage.inspect.directory)
        #expect(shown.output.contains("beta ("), "\(shown.output)")
        let tried = try await RunningInspect.run(
            ["rules", "try", stage.inspect.directory.file("rules.yaml"), "--store", store],
            in: stage.inspect.directory
        )
        #expect(tried.status == 0, "\(tried)")
        for name in ["local", "staging", "beta", "flaky", "cut", "big"] {
            #expect(tried.output.contains(name), "\(tried.output)")
        }
    }
}
