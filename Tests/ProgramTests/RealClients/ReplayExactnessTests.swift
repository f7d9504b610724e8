import Foundation
import Support
import Testing

/// What an origin gets from a replay is what it got from the client.
@Suite(.timeLimit(.minutes(15))) struct ReplayExactnessTests {
    /// Requests in which every byte may be told from what a library would have made of it.
    private static let requests = [
        "GET /echo?query&type=-1 HTTP/1.1\r\nhOsT: HOST\r\naccept: */*\r\nX-b: 2\r\nx-A:   1  \r\nX-B: 1\r\n\r\n",
        "GET /echo? HTTP/1.1\r\nHost: HOST\r\n\r\n",
        "GET /echo?fq=owner:%22Parks,%20x%22+formats:%22CSV%22&ids=(99,10),(1,2)&&=&a=%zz HTTP/1.1\r\nHost: HOST\r\nX-Latin: caf\u{e9}\r\n\r\n",
        "POST /echo/./a//b/%2e%2E;p=1?x#no HTTP/1.1\r\nX-First: 1\r\nHost: HOST\r\nContent-Length: 10\r\n\r\nex\r\nactly\n",
        "DELETE /echo HTTP/1.1\r\nHost: HOST\r\nContent-Length: 0\r\n\r\n",
        "PaTcH /echo HTTP/1.1\r\nHost: HOST\r\nTransfer-Encoding: chunked\r\nX-Odd:\r\n\r\nb\r\nin a chunk!\r\n0\r\n\r\n",
        "GET /echo?hop HTTP/1.1\r\nHost: HOST\r\nx-DUP: 1\r\nX-Dup: 2\r\nConnection: x-hop\r\nX-Hop: 1\r\n\r\n",
    ]

    @Test(
        "The target, the case and order of fields, and the body are the same bytes; chunked stays chunked",
        arguments: [false, true]
    )
    func exact(isSecure: Bool) async throws {
        let authority = try await TestAuthority()
        let origin = try await RecordingOrigin.start(
            tls: isSecure ? try await authority.issue(for: ["localhost"]) : nil
        )
        let inspect = try await RunningInspect.start(["--upstream-ca", authority.rootFile])
        let root = try await inspect.rootFile()
        for request in Self.requests {
            let client = try await RawClient.connect(port: inspect.port)
            let host = "localhost:\(origin.port)"
            try await client.send("CONNECT \(host) HTTP/1.1\r\nHost: \(host)\r\n\r\n")
            _ = try await client.read(through: "\r\n\r\n")
            if isSecure { try await client.startTLS(name: "localhost", trusting: root) }
            let bytes = request.replacingOccurrences(of: "HOST", with: host).unicodeScalars.map {
                UInt8(truncatingIfNeeded: $0.value)
            }
            try await client.send(bytes)
            _ = try await client.read(through: "\r\n\r\n")
        }
        let count = Self.requests.count
        _ = try await inspect.listing(with: "the requests") { $0.total == count }
        let ids = (1...count).map { "\($0)" }
        let store = RunningInspect.store(inspect.directory)
        let replayed = try await RunningInspect.run(["replay"] + ids + ["--store", store], in: inspect.directory)
        #expect(
            replayed.status == 0 && replayed.output.contains("\(count) compared: \(count) the same\n"),
            "\(replayed.output)\(replayed.errors)"
        )
        let answered = origin.answered.map(\.request)
        try #require(answered.count == 2 * count)
        for (first, second) in zip(answered.prefix(count), answered.dropFirst(count)) {
            #expect(first.bytes == second.bytes, "\(first.text)")
            #expect(!first.bytes.isEmpty)
        }
        #expect(answered[count].target == "/echo?query&type=-1" && answered[count + 1].target == "/echo?")
        let chunked = try #require(answered.last { $0.method == "PaTcH" })
        #expect(chunked.content == Array("in a chunk!".utf8) && chunked.field("transfer-encoding") == "chunked")
        let last = try #require(answered.last)
        #expect(last.text.contains("x-DUP: 1\r\nX-Dup: 2\r\n"))
        #expect(last.field("x-hop") == nil, "What Connection names stops at the proxy")
        for id in 1...count {
            #expect(try await inspect.exchange(id).replayOf == nil)
            #expect(try await inspect.exchange(count + id).replayOf == id)
        }
        #expect(try await inspect.listing().total == 2 * count)

        #expect(try await inspect.process.stop().status == 0)
        let alone = try await RunningInspect.run(["replay", "1", "--store", store], in: inspect.directory)
        #expect(alone.status == 2 && alone.errors.split(separator: "\n").count == 1, "\(alone.errors)")
    }

    @Test("Edits reach the origin, and nothing else changes; credentials stay at home unless they are let go")
    func edits() async throws {
        let (origin, other) = (try await RecordingOrigin.start(), try await RecordingOrigin.start())
        let inspect = try await RunningInspect.start()
        let url = "http://localhost:\(origin.port)/echo?query&type=-1"
        let fields = ["-H", "Cookie: sid=secret", "-H", "X-Api-Key: k", "-H", "User-Agent:"]
        _ = try await CommandLineTool.run("curl", ["-sS", "--noproxy", "", "-x", inspect.proxy] + fields + [url])
        func replay(_ options: String...) async throws -> CommandLineTool.Result {
            let store = RunningInspect.store(inspect.directory)
            return try await RunningInspect.run(["replay", "1", "--store", store] + options, in: inspect.directory)
        }
        let to = "http://localhost:\(other.port)"
        let edited = try await replay(
            "--to",
            to,
            "--method",
            "PUT",
            "--header",
            "X-New: 1",
            "--query",
            "type=2",
            "--body",
            "abc"
        )
        #expect(edited.status == 0 && edited.output.contains("held back"), "\(edited.output)\(edited.errors)")
        #expect(!edited.output.contains("secret"))
        let remark = "'inspect replay --query' is now 'inspect replay --query-item'"
        #expect(edited.errors.components(separatedBy: remark).count == 2)
        #expect(edited.errors.contains("inspect: 'inspect replay --method' is now 'inspect replay --set-method'\n"))
        #expect(
            other.answered.last?.request.text
                == "PUT /echo?query&type=2 HTTP/1.1\r\nHost: localhost:\(other.port)\r\nAccept: */*\r\nX-New: 1\r\nContent-Length: 3\r\n\r\nabc"
        )
        #expect(try await replay("--to", to + "/v2", "--send-credentials").status == 0)
        #expect(other.answered.last?.request.field("cookie") == "sid=secret")
        #expect(other.answered.last?.request.target == "/v2/echo?query&type=-1")
        #expect(try await replay("--remove-header", "accept").status == 0)
        #expect(origin.answered.last?.request.field("accept") == nil)
        #expect(origin.answered.last?.request.field("cookie") == "sid=secret")
        let wrong = try await replay("--header", "Content-Length: 7")
        #expect(
            wrong.status == 1 && wrong.output.contains("Content-Length says 7, but the body has 0 bytes"),
            "\(wrong.output)"
        )
        let editor = try inspect.directory.write(
            "#!/bin/sh\nsed -i.bak 's/type=-1/type=edited/; s/^Accept:.*/X-Mine: yes/' \"$1\"\n",
            to: "editor"
        )
        let byHand = try await CommandLineTool.run(
            try Executable.inspect(),
            ["replay", "1", "--edit", "--store", RunningInspect.store(inspect.directory)],
            environment: ["EDITOR": "sh \(editor)", "VISUAL": nil]
        )
        #expect(byHand.status == 0, "\(byHand.output)\(byHand.errors)")
        #expect(origin.answered.last?.request.target == "/echo?query&type=edited")
        #expect(origin.answered.last?.request.field("x-mine") == "yes")
    }

    @Test("A request of HTTP/2 goes out in HTTP/2 again, and in HTTP/1.1 where another place speaks that")
    func http2() async throws {
        let stage = try await HTTP2ClientTests.Stage.set(.hypercorn)
        let origin = try await RecordingOrigin.start()
        let url = "https://localhost:\(stage.upstream.port)/echo?query&type=-1"
        let options = ["-sS", "--http2", "--noproxy", "", "-x", stage.inspect.proxy, "--cacert", stage.root]
        let first = try await CommandLineTool.run(
            "curl",
            options + ["-H", "X-Dup: 1", "-H", "x-dup: 2", "-d", "a body", url]
        )
        #expect(first.output == "a body", "\(first.errors)")
        let command = ["replay", "1", "--store", RunningInspect.store(stage.inspect.directory)]
        let again = try await RunningInspect.run(command, in: stage.inspect.directory)
        #expect(again.status == 0 && again.output.hasPrefix("same"), "\(again.output)\(again.errors)")
        let to = ["--to", "http://localhost:\(origin.port)"]
        let elsewhere = try await RunningInspect.run(command + to, in: stage.inspect.directory)
        #expect(elsewhere.status == 0, "\(elsewhere.output)\(elsewhere.errors)")
        let rows = try await stage.inspect.listing().exchanges
        #expect(rows.map(\.upstreamProtocol) == ["HTTP/1.1", "HTTP/2", "HTTP/2"])
        #expect(rows.map(\.target) == Array(repeating: "/echo?query&type=-1", count: 3))
        let request = try #require(origin.answered.last?.request)
        #expect(request.content == Array("a body".utf8) && request.field("host") == "localhost:\(origin.port)")
        #expect(request.text.contains("x-dup: 1\r\nx-dup: 2\r\n"), "\(request.text)")
    }

    @Test("A replay never reaches the proxy itself, whatever it is told to go to")
    func loops() async throws {
        let origin = try await RecordingOrigin.start()
        let inspect = try await RunningInspect.start()
        let url = "http://localhost:\(origin.port)/echo"
        _ = try await CommandLineTool.run("curl", ["-sS", "--noproxy", "", "-x", inspect.proxy, url])
        let store = RunningInspect.store(inspect.directory)
        for port in [inspect.port, inspect.pagePort] {
            let run = try await RunningInspect.run(
                ["replay", "1", "--against", "http://127.0.0.1:\(port)", "--store", store],
                in: inspect.directory
            )
            #expect(run.status == 1 && run.output.contains("200 → failed"), "\(run.output)\(run.errors)")
        }
        let failed = try await inspect.listing("code:failed").exchanges
        #expect(failed.count == 2 && failed.allSatisfy { $0.failure?.cause == "loop" })
    }

    @Test("Many are sent at the rate asked, so many at once, each recorded and linked")
    func many() async throws {
        let origin = try await RecordingOrigin.start()
        let inspect = try await RunningInspect.start()
        let url = "http://localhost:\(origin.port)/echo"
        _ = try await CommandLineTool.run("curl", ["-sS", "--noproxy", "", "-x", inspect.proxy, url])
        let start = ContinuousClock.now
        let run = try await RunningInspect.run(
            ["replay", "1", "--times", "100", "--rate", "100", "--parallel", "8", "--json"]
                + ["--store", RunningInspect.store(inspect.directory)],
            in: inspect.directory
        )
        let took = ContinuousClock.now - start
        #expect(run.status == 0, "\(run.errors)")
        // The hundredth is due after 990 ms.
        #expect(took >= .milliseconds(990))
        let root = try #require(try JSONSerialization.jsonObject(with: Data(run.outputBytes)) as? [String: Any])
        #expect(root["equal"] as? Bool == true && root["same"] as? Int == 100)
        #expect((root["comparisons"] as? [Any])?.count == 100)
        #expect(origin.answered.count == 101)
        #expect(try await inspect.listing("is:replay").matched == 100)
    }
}
