import Foundation
import Support
import Testing
import Traffic

/// What an export sends when it is run, held to what was recorded.
@Suite("Exported requests, run by what they are written for", .timeLimit(.minutes(15)))
struct ScriptExportTests {
    /// An origin, and a store with requests that went to it.
    private struct Stage {
        let origin: LoopbackOrigin
        let store: CapturedStore
        let arrived = Watched<[RawRequest]>([])

        init(_ requests: [OddRequest]) async throws {
            let arrived = arrived
            origin = try await LoopbackOrigin.start(
                script: RawRequest.answering { request in
                    arrived.update { $0.append(request) }
                    return Array("HTTP/1.1 200 OK\r\nContent-Length: 3\r\nConnection: keep-alive\r\n\r\nyes".utf8)
                }
            )
            store = try CapturedStore()
            for (index, request) in requests.enumerated() {
                try await store.record(request.sample(UInt64(index + 1), port: origin.port))
            }
        }

        func export(_ format: String) async throws -> String {
            let file = store.file("out.\(format)")
            let result = try await store.inspect("export", "--format", format, "-o", file)
            #expect(result.status == 0 && result.errors.isEmpty, "\(result.errors)")
            return file
        }
    }

    private static var folder: String { (try? RealClientsTests.python())?.replacing("/python", with: "") ?? "" }

    @Test("curl sends method, target, field lines and body byte for byte")
    func curl() async throws {
        let stage = try await Stage(OddRequest.exact)
        let script = try await stage.export("curl")
        let result = try await CommandLineTool.run("bash", ["-eu", "-o", "pipefail", script])
        #expect(result.status == 0 && result.output.hasPrefix("yes"), "\(result.errors)")
        try expectExact(stage)
    }

    @Test("Python sends method, target, field lines and body byte for byte")
    func python() async throws {
        let stage = try await Stage(OddRequest.exact)
        let result = try await CommandLineTool.run(try RealClientsTests.python(), [try await stage.export("python")])
        #expect(result.status == 0, "\(result.errors)")
        try expectExact(stage)
    }

    @Test("HTTPie sends method, field values and body, and nothing of a method that it would take for an address")
    func httpie() async throws {
        let stage = try await Stage(OddRequest.exact)
        let requests = OddRequest.exact.filter { $0.method.allSatisfy(\.isLetter) }
        let script = try await stage.export("httpie")
        let path = Self.folder + ":" + (ProcessInfo.processInfo.environment["PATH"] ?? "")
        let home = try TemporaryDirectory()
        let result = try await CommandLineTool.run(
            "bash",
            ["-eu", "-o", "pipefail", script],
            environment: ["PATH": path, "HOME": home.path]
        )
        #expect(result.status == 0, "\(result.output) \(result.errors)")
        let arrived = stage.arrived.value
        #expect(arrived.count == requests.count)
        for (request, came) in zip(requests, arrived) {
            #expect(came.method == request.method && came.content == request.body, "\(request.target)")
            let lines = OddRequest.lines(Array(came.bytes[..<came.headBytes])).dropFirst().map { $0.lowercased() }
            for line in request.expected(port: stage.origin.port).dropFirst() where !line.hasPrefix("X-Twice") {
                #expect(lines.contains(line.lowercased()), "\(line) in \(lines)")
            }
        }
    }

    @Test("JavaScript's fetch sends method, field values and body")
    func javaScript() async throws {
        let requests = OddRequest.exact.filter { $0.method != "-X" }
        let stage = try await Stage(requests)
        let module = stage.store.file("out.mjs")
        let written = try await stage.store.inspect("export", "--format", "javascript", "-o", module)
        #expect(written.status == 0, "\(written.errors)")
        let result = try await CommandLineTool.run("node", [module])
        #expect(result.status == 0, "\(result.errors)")
        let arrived = stage.arrived.value
        #expect(arrived.count == requests.count)
        for (request, came) in zip(requests, arrived) {
            #expect(came.method == request.method && came.content == request.body, "\(request.target)")
            for field in request.fields where field.name != "X-Twice" {
                #expect(came.field(field.name) == field.value, "\(field.name)")
            }
        }
    }

    @Test("Swift compiles")
    func swift() async throws {
        let stage = try await Stage(OddRequest.exact)
        let result = try await CommandLineTool.run(
            "swiftc",
            ["-typecheck", "-swift-version", "6", try await stage.export("swift")],
            within: .seconds(150)
        )
        #expect(result.status == 0, "\(result.errors)")
    }

    @Test("A Postman collection has the shape of version 2.1 and holds the requests")
    func postman() async throws {
        let stage = try await Stage(OddRequest.exact)
        let bytes = try await stage.store.inspect("export", "--format", "postman").outputBytes
        let root = try #require(try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any])
        let info = try #require(root["info"] as? [String: String])
        #expect(
            info["schema"]?.hasSuffix("/collection/v2.1.0/collection.json") == true && info["name"]?.isEmpty == false
        )
        let items = try #require(root["item"] as? [[String: Any]])
        #expect(items.count == OddRequest.exact.count)
        for (wanted, item) in zip(OddRequest.exact, items) {
            #expect(item["name"] is String && item["response"] is [Any])
            let request = try #require(item["request"] as? [String: Any])
            #expect(request["method"] as? String == wanted.method)
            let headers = try #require(request["header"] as? [[String: String]])
            #expect(
                headers.map { "\($0["key"] ?? "")=\($0["value"] ?? "")" }
                    == ["Host=127.0.0.1:\(stage.origin.port)"] + wanted.fields.map { "\($0.name)=\($0.value)" }
            )
            let url = try #require(request["url"] as? [String: Any])
            #expect(url["host"] as? [String] == ["127.0.0.1"] && url["port"] as? String == "\(stage.origin.port)")
            #expect((url["raw"] as? String)?.hasPrefix("http://127.0.0.1:\(stage.origin.port)/") == true)
            guard !wanted.body.isEmpty else { continue }
            let body = try #require(request["body"] as? [String: Any])
            let file = (body["file"] as? [String: String])?["content"].flatMap { Data(base64Encoded: $0) }
            let sent = file.map(Array.init) ?? (body["raw"] as? String).map { Array($0.utf8) }
            #expect(sent == wanted.body)
        }
    }

    @Test("Raw messages are read by h11 as what was recorded, chunked ones too")
    func raw() async throws {
        let store = try CapturedStore()
        for token in 1...3 {
            let body = Array("body \(token)\n".utf8)
            let framing = token == 2 ? "Transfer-Encoding: chunked" : "Content-Length: \(body.count)"
            try await store.record(
                Sample(UInt64(token), "GET", "/\(token)", fields: "\(framing)\r\n", responseBody: body)
            )
        }
        let file = store.file("out.raw")
        #expect(try await store.inspect("export", "--format", "raw", "-o", file).status == 0)
        let script = """
            import h11, sys
            data = open(sys.argv[1], "rb").read()
            while data:
                client, server = h11.Connection(h11.CLIENT), h11.Connection(h11.SERVER)
                server.receive_data(data)
                request = server.next_event()
                assert isinstance(server.next_event(), h11.EndOfMessage)
                client.send(h11.Request(method=request.method, target=request.target, headers=request.headers))
                client.send(h11.EndOfMessage())
                client.receive_data(server.trailing_data[0])
                body = b""
                while True:
                    event = client.next_event()
                    assert event is not h11.NEED_DATA, body
                    if isinstance(event, h11.Data): body += bytes(event.data)
                    if isinstance(event, h11.EndOfMessage): break
                print(request.target.decode(), body.decode().strip())
                data = client.trailing_data[0]
            """
        let result = try await CommandLineTool.run(try RealClientsTests.python(), ["-c", script, file])
        #expect(result.status == 0 && result.output == "/1 body 1\n/2 body 2\n/3 body 3\n", "\(result.errors)")
    }

    @Test("What cannot be sent again is counted in one line")
    func leavesOut() async throws {
        let store = try CapturedStore()
        try await store.record(Sample(1))
        var tunnel = Sample(2, "CONNECT", "api.example.test:443")
        (tunnel.exchange.scheme, tunnel.exchange.outcome, tunnel.exchange.code) = (nil, .tunnelled, nil)
        try await store.record(tunnel)
        let result = try await store.inspect("export", "--format", "curl")
        #expect(result.status == 0)
        #expect(result.output.contains("# 1: GET https://api.example.test/\n") && !result.output.contains("CONNECT"))
        #expect(result.errors.hasPrefix("inspect: 1 exchange was left out: ") && result.errors.hasSuffix("again\n"))
    }

    private func expectExact(_ stage: Stage) throws {
        let arrived = stage.arrived.value
        #expect(arrived.count == OddRequest.exact.count)
        for (request, came) in zip(OddRequest.exact, arrived) {
            let lines = OddRequest.lines(Array(came.bytes[..<came.headBytes]))
            #expect(lines == request.expected(port: stage.origin.port))
            #expect(came.content == request.body, "\(request.target)")
        }
    }
}
