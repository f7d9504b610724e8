import Foundation
import Lenses
import Support
import Testing
import Traffic

@Suite(.timeLimit(.minutes(15))) struct ShowCommandTests {
    /// `{"b":1,"a":"x"}` as gzip made it.
    private static func gzipped() async throws -> (plain: [UInt8], coded: [UInt8]) {
        let plain = Array(#"{"b":1.10,"a":"x"}"#.utf8)
        let result = try await CommandLineTool.run("gzip", ["-c"], input: plain)
        return (plain, result.outputBytes)
    }

    @Test("show prints heads as they came, and decoded JSON set out")
    func shows() async throws {
        let store = try CapturedStore()
        let coded = try await Self.gzipped().coded
        try await store.record(
            Sample(
                1,
                fields: "Content-Type: application/json\r\nContent-Encoding: gzip\r\nX-oDD: \u{1B}[2J\r\n",
                responseBody: coded
            )
        )
        let result = try await store.inspect("show", "1")
        #expect(result.status == 0)
        #expect(result.output.contains("GET / HTTP/1.1\nHost: api.example.test\nX-Case: Kept\n"))
        #expect(
            result.output.contains(
                "HTTP/1.1 200 Whatever\nContent-Type: application/json\nContent-Encoding: gzip\nX-oDD: \\e[2J\n"
            )
        )
        #expect(result.output.contains("{\n  \"b\": 1.10,\n  \"a\": \"x\"\n}"))
        #expect(result.output.contains("2.4 ms, send 100 µs, wait 2 ms, receive 300 µs"))
        #expect(!result.output.contains("\u{1B}"))
    }

    @Test("Nothing that others wrote reaches a pipe as a terminal's command, which a pager behind it may pass on")
    func pipes() async throws {
        let store = try CapturedStore()
        let (planted, shown) = ("\u{1B}[2J\u{9B}8m\u{202E}", "\\e[2J\\u{9B}8m\\u{202E}")
        var sample = Sample(1).failed()
        sample.exchange.failure = ExchangeFailure(
            side: .upstream,
            phase: .connect,
            cause: Cause(rawValue: "cause\(planted)"),
            message: "message\(planted)",
            retry: true
        )
        let tls = Peer.TLS(version: "tls\(planted)", serverName: "sni\(planted)", applicationProtocol: "alpn\(planted)")
        sample.exchange.client = Peer(token: 1, address: "client\(planted)", tls: tls)
        sample.exchange.upstream = Peer(token: 2, address: "upstream\(planted)", tls: tls)
        sample.exchange.warnings = ["warning\(planted)"]
        try await store.record(sample)
        let one = try await store.inspect("show", "1").output
        for word in ["cause", "message", "tls", "sni", "alpn", "client", "upstream", "warning"] {
            #expect(one.contains(word + shown), "\(word) in \(one)")
        }
        let list = try await store.inspect("ls").output
        #expect(list.contains("cause" + shown), "\(list)")
        for scalar in (one + list).unicodeScalars where scalar != "\n" && scalar != "\t" {
            #expect(VisibleText.isVisible(scalar), "U+\(String(scalar.value, radix: 16))")
        }
    }

    @Test("--body gives the decoded bytes in a pipe, with --raw the stored ones")
    func givesBodies() async throws {
        let store = try CapturedStore()
        let body = try await Self.gzipped()
        let request = (0...255).map { UInt8($0) }
        try await store.record(
            Sample(
                1,
                "POST",
                fields: "Content-Type: application/json\r\nContent-Encoding: gzip\r\n",
                requestBody: request,
                responseBody: body.coded
            )
        )
        #expect(try await store.inspect("show", "1", "--body", "response").outputBytes == body.plain)
        #expect(try await store.inspect("show", "1", "--body", "response", "--raw").outputBytes == body.coded)
        #expect(try await store.inspect("show", "1", "--body", "request", "--raw").outputBytes == request)
    }

    @Test("Whatever is wrong with a coding, what there is is shown with a note, in the view, in a pipe and in exports")
    func showsFaulty() async throws {
        let store = try CapturedStore()
        for (index, body) in try await FaultyBody.all().enumerated() {
            let fields = "Content-Type: application/json\r\nContent-Encoding: \(body.coding)\r\n"
            let id = try await store.record(Sample(UInt64(index + 1), fields: fields, responseBody: body.bytes))
            let piped = try await store.inspect("show", "\(id)", "--body", "response")
            #expect(piped.outputBytes == body.shown && piped.status == 0, "\(body)")
            #expect(piped.errors.hasPrefix("inspect: ") && piped.errors.contains(body.words), "\(body)")
            let view = try await store.inspect("show", "\(id)").output
            #expect(view.contains(body.words), "\(body)")
            #expect(body.shown.count > 100 || view.contains("\"a\": \"wrong\""), "\(body)")
            let json = try await store.inspect("show", "\(id)", "--json").output
            #expect(json.contains(body.words.replacing("\"", with: "\\\"")), "\(body)")
        }
        let har = try await store.inspect("export", "--format", "har").outputBytes
        let object = try JSONSerialization.jsonObject(with: Data(har)) as? [String: Any]
        let entries = try #require((object?["log"] as? [String: Any])?["entries"] as? [[String: Any]])
        let bodies = try await FaultyBody.all()
        #expect(entries.count == bodies.count)
        for (entry, body) in zip(entries, bodies) {
            let content = try #require((entry["response"] as? [String: Any])?["content"] as? [String: Any])
            #expect((content["comment"] as? String)?.contains(body.words) == true, "\(body)")
            let text = try #require(content["text"] as? String)
            let isBase64 = content["encoding"] as? String == "base64"
            let bytes = isBase64 ? Data(base64Encoded: text).map { Array($0) } : Array(text.utf8)
            #expect(bytes == body.shown, "\(body)")
        }
    }

    @Test("A body that is larger than a read comes out whole")
    func givesLargeBodies() async throws {
        let store = try CapturedStore()
        let body = (0..<1_500_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }
        try await store.record(Sample(1, fields: "Content-Type: application/octet-stream\r\n", responseBody: body))
        #expect(try await store.inspect("show", "1", "--body", "response", "--raw").outputBytes == body)
    }

    @Test("--json is one object with everything")
    func givesJSON() async throws {
        let store = try CapturedStore()
        try await store.record(Sample(1, responseBody: Array("hi".utf8)))
        let result = try await store.inspect("show", "1", "--json")
        let object = try #require(try JSONSerialization.jsonObject(with: Data(result.outputBytes)) as? [String: Any])
        let body = try #require((object["response"] as? [String: Any])?["body"] as? [String: Any])
        #expect(body["text"] as? String == "hi")
        #expect(body["sha256"] as? String == "8f434346648f6b96df89dda901c5176b10a6d83961dd3c1ac88b59b2dc327aa4")
    }

    @Test("What a lens reads is said first, alone with --decoded, and as an object in JSON")
    func decodes() async throws {
        let store = try CapturedStore()
        let body = Array(#"{"meta": {}, "meetings": []}"#.utf8)
        try await store.record(
            Sample(1, "GET", "/feed?query", fields: "Content-Type: application/json\r\n", responseBody: body)
        )
        try await store.record(Sample(2, "GET", "/a.png", fields: "Content-Type: image/png\r\n"))
        let shown = try await store.inspect("show", "1").output
        let words = try #require(shown.firstRange(of: "Decoded  Virtual Meeting Finder"))
        let head = try #require(shown.firstRange(of: "GET /feed?query HTTP"))
        #expect(words.lowerBound < head.lowerBound)
        let alone = try await store.inspect("show", "1", "--decoded").output
        #expect(alone.hasPrefix("Decoded  Virtual Meeting Finder (meetings)\nFAILED    "))
        #expect(alone.contains("\nRequest   "))
        #expect(!alone.contains("HTTP/1.1"))
        for arguments in [["--json"], ["--json", "--decoded"]] {
            let result = try await CommandLineTool.run(
                try Executable.inspect(),
                ["show", "1", "--store", store.path] + arguments
            )
            let object = try JSONSerialization.jsonObject(with: Data(result.outputBytes)) as? [String: Any]
            let view = arguments.count == 1 ? object?["decoded"] as? [String: Any] : object
            #expect(view?["lens"] as? String == "meetings" && view?["sections"] is [Any])
        }
        let unread = try await store.inspect("show", "2", "--decoded")
        #expect(unread.status == 2 && unread.errors.hasPrefix("inspect: no lens reads exchange 2; "))
        #expect(try await !store.inspect("show", "2").output.contains("Decoded"))
        #expect(try await store.inspect("show", "2", "--json").output.contains("\"decoded\":null"))
        let both = try await store.inspect("show", "1", "--decoded", "--body", "response")
        #expect(both.status == 2 && both.errors.contains("--decoded and --body exclude each other"))
    }

    @Test("A JSON body is printed once, with the digits of its numbers; --decoded has it as a tree")
    func printsOnce() async throws {
        let store = try CapturedStore(classifier: LensSet.standard)
        let body = Array(#"{"number": 12345678901234567890, "word": "only once"}"#.utf8)
        try await store.record(
            Sample(
                1,
                "POST",
                "/any?page=2",
                fields: "Content-Type: application/json\r\n",
                requestBody: Array(#"{"asked": "just once"}"#.utf8),
                responseBody: body
            )
        )
        let shown = try await store.inspect("show", "1").output
        for text in ["only once", "12345678901234567890", "just once"] {
            #expect(shown.components(separatedBy: text).count == 2, "\(text) in \(shown)")
        }
        #expect(shown.contains("\nParameters\n  page  2\n"), "what the bodies do not say stays: \(shown)")
        let decoded = try await store.inspect("show", "1", "--decoded").output
        #expect(decoded.contains("number  12345678901234567890\n"), "\(decoded)")
        #expect(decoded.contains("word  only once\n"), "\(decoded)")
    }

    @Test("The title of a CONNECT is its authority, once")
    func titles() async throws {
        let store = try CapturedStore()
        try await store.record(Sample(1, "CONNECT", "gateway.test:443", host: "gateway.test").failed())
        var tunnel = Sample(2, "CONNECT", "mail.test:993", host: "mail.test").failed()
        (tunnel.exchange.scheme, tunnel.exchange.outcome, tunnel.exchange.failure) = (nil, .tunnelled, nil)
        try await store.record(tunnel)
        #expect(try await store.inspect("show", "1").output.hasPrefix("#1  CONNECT gateway.test:443  failed\n"))
        #expect(try await store.inspect("show", "2").output.hasPrefix("#2  CONNECT mail.test:993  tunnelled\n"))
    }

    @Test("An exchange, or a response, that is not there is one clear line")
    func explains() async throws {
        let store = try CapturedStore()
        try await store.record(Sample(1).failed())
        let missing = try await store.inspect("show", "99")
        #expect(missing.status == 2 && missing.errors == "inspect: there is no exchange 99 in the store\n")
        let unanswered = try await store.inspect("show", "1", "--body", "response")
        #expect(unanswered.status == 2 && unanswered.errors == "inspect: exchange 1 has no response\n")
        #expect(
            try await store.inspect("show", "1").output.contains("Nobody listens there. (sending it again is safe)")
        )
    }
}
