import Foundation
import NIOCore
import Support
import Testing
import Traffic

/// A running `inspect mock`, asked with curl.
@Suite(.timeLimit(.minutes(15))) struct MockCommandTests {
    /// One mock over a store, and the way to ask it.
    final class Mock: Sendable {
        let process: RunningProcess
        let directory: TemporaryDirectory
        let port: Int

        init(_ arguments: [String]) async throws {
            directory = try TemporaryDirectory()
            process = try RunningProcess(
                try Executable.inspect(),
                ["mock", "--port", "0", "--ca-directory", directory.file("ca")] + arguments
            )
            let line = try await process.line(containing: "server ")
            port = try #require(line.firstMatch(of: /:([0-9]+) and/).flatMap { Int($0.output.1) })
        }

        /// What curl prints with the response's head.
        func ask(_ target: String, _ arguments: String...) async throws -> String {
            try await CommandLineTool.run(
                "curl",
                ["-sS", "-i", "--noproxy", "*", "--globoff", "--max-time", "\(Patience.seconds(20))"] + arguments
                    + ["http://127.0.0.1:\(port)\(target)"]
            ).output
        }

        /// What curl gets when the mock is its proxy.
        func askThrough(_ url: String, _ arguments: String...) async throws -> CommandLineTool.Result {
            try await CommandLineTool.run(
                "curl",
                [
                    "-sS", "--noproxy", "", "-x", "http://127.0.0.1:\(port)", "--globoff", "--max-time",
                    "\(Patience.seconds(20))",
                ]
                    + ["--cacert", directory.file("ca/root.pem")] + arguments + [url]
            )
        }
    }

    private static func mock(_ samples: [Sample], _ arguments: String...) async throws -> (CapturedStore, Mock) {
        let store = try CapturedStore()
        for sample in samples { try await store.record(sample) }
        return (store, try await Mock(arguments + ["--store", store.path]))
    }

    private static func text(_ text: String) -> [UInt8] { Array(text.utf8) }

    @Test("A head is given again in its order and case with its duplicates, its framing mended, the body byte for byte")
    func heads() async throws {
        let fields =
            "x-ONE: 1\r\nSet-Cookie: a=1\r\nset-cookie: b=2\r\nTransfer-Encoding: chunked\r\nConnection: close\r\nX-Last: é\r\n"
        let (_, mock) = try await Self.mock([
            Sample(1, "GET", "/a?x=1&y=%20", fields: fields, responseBody: [0, 255, 10])
        ])
        let answer = try await CommandLineTool.run(
            "curl",
            ["-sS", "-i", "--noproxy", "*", "http://127.0.0.1:\(mock.port)/a?y=%20&x=1"]
        )
        let head =
            "HTTP/1.1 200 Whatever\r\nx-ONE: 1\r\nSet-Cookie: a=1\r\nset-cookie: b=2\r\nX-Last: é\r\nContent-Length: 3\r\n\r\n"
        #expect(answer.outputBytes == Array(head.utf8) + [0, 255, 10])
    }

    @Test("Recordings of one request come in their order, then the last again; or always the last")
    func order() async throws {
        let samples = ["one", "two", "three"].enumerated().map { position, body in
            Sample(UInt64(position + 1), "GET", "/turn", responseBody: Self.text(body))
        }
        let (_, mock) = try await Self.mock(samples)
        var bodies: [String] = []
        for _ in 0..<5 {
            bodies.append(try await mock.ask("/turn").split(separator: "\r\n\r\n").last.map(String.init) ?? "")
        }
        #expect(bodies == ["one", "two", "three", "three", "three"])
        let (_, last) = try await Self.mock(samples, "--order", "last")
        #expect(try await last.ask("/turn").hasSuffix("\r\n\r\nthree"))
    }

    @Test("HEAD is answered by GET's recording, and a client that has the content gets a 304")
    func headAndConditional() async throws {
        let fields = "Content-Type: text/plain\r\nETag: \"v1\"\r\nContent-Length: 4\r\n"
        let (_, mock) = try await Self.mock([Sample(1, "GET", "/page", fields: fields, responseBody: Self.text("text"))]
        )
        let head = try await mock.ask("/page", "-I")
        #expect(head.hasPrefix("HTTP/1.1 200 ") && head.contains("Content-Length: 4\r\n") && head.hasSuffix("\r\n\r\n"))
        let known = try await mock.ask("/page", "-H", "If-None-Match: \"x\", W/\"v1\"")
        #expect(known == "HTTP/1.1 304 Not Modified\r\nETag: \"v1\"\r\n\r\n")
        #expect(try await mock.ask("/page", "-H", "If-None-Match: \"v2\"").hasSuffix("text"))
    }

    @Test(
        "A range is cut out of the whole, where the client's condition holds; what is asked for otherwise is given whole"
    )
    func ranges() async throws {
        let fields =
            "Content-Type: text/plain\r\nETag: \"v1\"\r\nLast-Modified: Fri, 20 Nov 2026 10:00:00 GMT\r\nContent-Length: 10\r\n"
        var asked = Sample(3, "GET", "/asked", responseBody: Self.text("all of it"))
        asked.exchange.request.head = ByteBuffer(
            string: "GET /asked HTTP/1.1\r\nHost: a.test\r\nRange: bytes=0-1\r\n\r\n"
        )
        let (_, mock) = try await Self.mock([
            Sample(1, "GET", "/page", fields: fields, responseBody: Self.text("0123456789")),
            Sample(4, "GET", "/twice", responseBody: Self.text("aaaa")),
            Sample(5, "GET", "/twice", responseBody: Self.text("bbbb")),
            Sample(2, "GET", "/none", fields: "Accept-Ranges: none\r\n", responseBody: Self.text("0123456789")), asked,
        ])
        func part(_ range: String, _ more: String..., at target: String = "/page") async throws -> String {
            let fields = ([range.isEmpty ? "X-None: 1" : "Range: \(range)"] + more).flatMap { ["-H", $0] }
            let url = "http://127.0.0.1:\(mock.port)\(target)"
            let format = "|%{http_code}|%header{content-range}|%header{content-length}"
            return try await CommandLineTool.run("curl", ["-sS", "--noproxy", "*", "-w", format] + fields + [url])
                .output
        }
        #expect(try await part("bytes=2-4") == "234|206|bytes 2-4/10|3")
        #expect(try await part("bytes=7-") == "789|206|bytes 7-9/10|3")
        #expect(try await part("bytes=-2") == "89|206|bytes 8-9/10|2")
        #expect(try await part("bytes=8-99999999999999999999") == "89|206|bytes 8-9/10|2")
        #expect(try await part("bytes=10-") == "|416|bytes */10|0")
        for odd in ["bytes=0-1,4-5", "lines=0-1", "bytes=5-3", "bytes=a-"] {
            #expect(try await part(odd) == "0123456789|200||10", "\(odd)")
        }
        let held = ["If-Range: \"v1\"", "If-Range: Fri, 20 Nov 2026 10:00:00 GMT"]
        for condition in held {
            #expect(try await part("bytes=0-0", condition) == "0|206|bytes 0-0/10|1", "\(condition)")
        }
        let broken = ["If-Range: \"v2\"", "If-Range: W/\"v1\"", "If-Range: Sat, 21 Nov 2026 10:00:00 GMT"]
        for condition in broken {
            #expect(try await part("bytes=0-0", condition) == "0123456789|200||10", "\(condition)")
        }
        let known = [
            "If-None-Match: \"v1\"", "If-None-Match: *", "If-None-Match: \"a,b\", \"v1\"",
            "If-Modified-Since: Fri, 20 Nov 2026 10:00:00 GMT", "If-Modified-Since: Sat, 21 Nov 2026 10:00:00 GMT",
        ]
        for condition in known { #expect(try await part("bytes=0-0", condition) == "|304||", "\(condition)") }
        let news = ["If-Modified-Since: Thu, 19 Nov 2026 10:00:00 GMT", "If-Modified-Since: yesterday"]
        for condition in news { #expect(try await part("", condition) == "0123456789|200||10", "\(condition)") }
        let both = try await part("", "If-None-Match: \"v2\"", "If-Modified-Since: Fri, 20 Nov 2026 10:00:00 GMT")
        #expect(both == "0123456789|200||10")
        var parts: [String] = []
        for range in ["bytes=0-1", "", "bytes=0-1", "bytes=2-3", "", "bytes=0-0", ""] {
            parts.append(String(try await part(range, at: "/twice").prefix { $0 != "|" }))
        }
        #expect(parts == ["aa", "aaaa", "aa", "aa", "bbbb", "b", "bbbb"])
        #expect(try await part("bytes=0-1", at: "/none") == "0123456789|200||10")
        #expect(try await part("bytes=0-1", at: "/asked").hasPrefix("all of it|200|"))
    }

    @Test("Content codings stay for a client that accepts them and are undone for one that does not")
    func codings() async throws {
        // "plain" in gzip.
        let coded: [UInt8] = [
            31, 139, 8, 0, 0, 0, 0, 0, 2, 3, 43, 200, 73, 204, 204, 3, 0, 207, 98, 32, 25, 5, 0, 0, 0,
        ]
        var sample = Sample(1, "GET", "/z", fields: "Content-Encoding: gzip\r\nETag: \"z\"\r\n", responseBody: coded)
        sample.exchange.request.head = ByteBuffer(string: "GET /z HTTP/1.1\r\nAccept-Encoding: gzip\r\n\r\n")
        let (_, mock) = try await Self.mock([sample])
        let plain = try await mock.ask("/z")
        #expect(
            plain.contains("Content-Length: 5\r\n") && plain.hasSuffix("plain") && !plain.contains("Content-Encoding")
        )
        let kept = try await mock.ask(
            "/z",
            "-H",
            "Accept-Encoding: br, gzip;q=0.5",
            "--raw",
            "-o",
            "/dev/null",
            "-D",
            "-"
        )
        #expect(kept.contains("Content-Encoding: gzip\r\n") && kept.contains("Content-Length: 25\r\n"))
        let refused = try await mock.ask("/z", "-H", "Accept-Encoding: gzip;q=0, *")
        #expect(refused.hasSuffix("plain"))
    }

    @Test("A miss names the nearest recording and the parts that differ, in text and in JSON, and on the terminal")
    func misses() async throws {
        let (_, mock) = try await Self.mock([
            Sample(1, "GET", "/v2/facilities/?format=json&limit=20", responseBody: Self.text("[]")),
            Sample(
                2,
                "POST",
                "/v2/query",
                requestBody: Self.text(#"{"a":{"b":1},"c":2}"#),
                responseBody: Self.text("{}")
            ),
        ])
        let text = try await mock.ask("/v2/facilities/?limit=30&open_now")
        #expect(text.hasPrefix("HTTP/1.1 501 Not Recorded\r\n") && text.contains("X-Inspect-Miss: query\r\n"))
        for line in [
            "No recording answers GET http://127.0.0.1:\(mock.port)/v2/facilities/?limit=30&open_now.",
            "The nearest is exchange 1: GET https://api.example.test/v2/facilities/?format=json&limit=20 -> 200",
            "  query: format=json recorded, not here", "  query: limit=30 here, limit=20 recorded",
            "  query: open_now here, not recorded",
        ] {
            #expect(text.contains(line), "\(text)")
            _ = try await mock.process.line(containing: line)
        }
        let body = try await mock.ask(
            "/v2/query",
            "-H",
            "Accept: application/json",
            "-d",
            #"{"c":2,"a":{"b":3}}"#
        )
        #expect(body.contains("Content-Type: application/json\r\n") && body.contains("X-Inspect-Miss: body\r\n"))
        #expect(body.hasSuffix(#""differences":[{"part":"body","here":"/a/b 3","recorded":"1"}]}"#), "\(body)")
        #expect(body.contains("\"miss\":\"One part differs from the nearest recording.\""), "\(body)")
        #expect(try await mock.ask("/v2/query", "-d", #"{"c":2,"a":{"b":1}}"#).hasPrefix("HTTP/1.1 200 "))
        #expect(try await mock.ask("/v2/query").contains("X-Inspect-Miss: method, body\r\n"))
        #expect(try await mock.ask("/v3/query", "-X", "DELETE").contains("X-Inspect-Miss: method, path, body\r\n"))
    }

    @Test("What cannot be given again is a miss that says why: a cut body, a WebSocket, a 304 alone, a broken response")
    func unusable() async throws {
        var cut = Sample(1, "GET", "/cut", responseBody: Self.text("begin"))
        cut.exchange.response?.body.length = 500
        var socket = Sample(2, "GET", "/socket", code: 101, fields: "Upgrade: websocket\r\n")
        socket.exchange.version = .webSocket
        var broken = Sample(4, "GET", "/broken", responseBody: Self.text("half"))
        broken.exchange.outcome = .failed
        broken.exchange.failure = ExchangeFailure(
            side: .upstream,
            phase: .receive,
            cause: .closed,
            message: "It closed."
        )
        let (_, mock) = try await Self.mock([
            cut, socket, Sample(3, "GET", "/known", code: 304, fields: "ETag: \"k\"\r\n"), broken,
            Sample(
                5,
                "GET",
                "/part",
                code: 206,
                fields: "Content-Range: bytes 0-1/9\r\n",
                responseBody: Self.text("pa")
            ),
            Sample(6, "GET", "/early", code: 103), Sample(7, "GET", "/odd", fields: "Odd Name: x\r\n"),
        ])
        for (target, reason) in [
            ("/early", "Only an interim response (103) was recorded."), ("/odd", "The recorded head is not HTTP. "),
            ("/cut", "Only 5 of the 500 bytes of the content were kept."), ("/socket", "is a tunnel or a WebSocket"),
            ("/known", "Only a 304 was recorded"), ("/broken", "The recorded response broke off (It closed.)"),
            ("/part", "Only a part of the content was recorded"),
        ] {
            let answer = try await mock.ask(target)
            #expect(answer.hasPrefix("HTTP/1.1 501 ") && answer.contains(reason), "\(target): \(answer)")
        }
        let upgrade = try await mock.ask("/socket", "-H", "Connection: Upgrade", "-H", "Upgrade: websocket")
        #expect(upgrade.contains("WebSockets are recorded but cannot be given again."))
        #expect(try await mock.ask("/known", "-H", "If-None-Match: \"other\"").hasPrefix("HTTP/1.1 304 "))
    }

    @Test("An exchange without a response is a miss that says so, no 502; a closed connection is closed again")
    func failures() async throws {
        var closed = Sample(2, "GET", "/closed").failed()
        closed.exchange.failure = ExchangeFailure(side: .upstream, phase: .wait, cause: .closed, message: "It left.")
        let (_, mock) = try await Self.mock([Sample(1, "GET", "/refused").failed(), closed])
        let refused = try await mock.ask("/refused")
        #expect(refused.hasPrefix("HTTP/1.1 501 Not Recorded\r\n") && refused.contains("X-Inspect-Miss: recording\r\n"))
        #expect(refused.contains("Proxy-Status: inspect-mock; error=destination_unavailable;"), "\(refused)")
        let reason = "The recorded exchange failed before a response (Nobody listens there.)."
        #expect(refused.contains(reason), "\(refused)")
        let result = try await CommandLineTool.run(
            "curl",
            ["-sS", "--noproxy", "*", "http://127.0.0.1:\(mock.port)/closed"]
        )
        #expect(result.status == 52 || result.status == 56, "\(result)")
        _ = try await mock.process.line(containing: "fail  GET 127.0.0.1:\(mock.port)/closed  from 2: It left.")
    }

    @Test("As a proxy it keeps hosts apart, over TLS too, and a host that was not recorded is a miss")
    func proxying() async throws {
        let (_, mock) = try await Self.mock([
            Sample(1, "GET", "/who", host: "one.example.test", responseBody: Self.text("one")),
            Sample(2, "GET", "/who", host: "two.example.test", responseBody: Self.text("two")),
            Sample(3, "GET", "/who", scheme: .http, host: "two.example.test", responseBody: Self.text("plain two")),
        ])
        #expect(try await mock.askThrough("https://one.example.test/who").output == "one")
        #expect(try await mock.askThrough("https://two.example.test/who", "--http1.1").output == "two")
        #expect(try await mock.askThrough("http://two.example.test/who").output == "plain two")
        let other = try await mock.askThrough("https://three.example.test/who", "-i").output
        #expect(other.contains("501") && other.lowercased().contains("x-inspect-miss: host"))
        #expect(other.contains("host: three.example.test:443 here, "))
        #expect(try await mock.ask("/who", "-H", "Host: one.example.test").hasSuffix("one"))
    }

    @Test("A name that is neither recorded nor given is refused: it may be a web site's that leads here")
    func names() async throws {
        let (store, mock) = try await Self.mock([Sample(1, "GET", "/who", responseBody: Self.text("one"))])
        for host in ["localhost", "a.localhost:1", "127.0.0.1", "api.example.test"] {
            #expect(try await mock.ask("/who", "-H", "Host: \(host)").hasSuffix("one"), "\(host)")
        }
        let refused = try await mock.ask("/who", "-H", "Host: evil.example.test")
        #expect(refused.hasPrefix("HTTP/1.1 421 ") && refused.contains("can give it this one"), "\(refused)")
        let named = try await Mock(["--allow-host", "Mine.example.test", "--store", store.path])
        #expect(try await named.ask("/who", "-H", "Host: mine.example.test").hasSuffix("one"))
        let wrong = try await store.inspect("mock", "--allow-host", "a.test:80")
        #expect(wrong.status == 2 && wrong.errors.contains("expected a host name alone"), "\(wrong.errors)")
    }

    @Test("The port speaks HTTPS as a server too, by HTTP/1.1 and HTTP/2, and HTTP/2 without TLS")
    func protocols() async throws {
        let (_, mock) = try await Self.mock([Sample(1, "GET", "/p", responseBody: Self.text("yes"))])
        let format = [
            "-sS", "--noproxy", "*", "-w", " %{http_version}", "--cacert", mock.directory.file("ca/root.pem"),
        ]
        for (options, url, printed) in [
            (["--http1.1"], "https://localhost:\(mock.port)/p", "yes 1.1"),
            (["--http2"], "https://localhost:\(mock.port)/p", "yes 2"),
            (["--http2-prior-knowledge"], "http://localhost:\(mock.port)/p", "yes 2"),
            (["--http1.0"], "http://localhost:\(mock.port)/p", "yes 1.1"),
        ] {
            let result = try await CommandLineTool.run("curl", format + options + [url])
            #expect(result.output == printed, "\(options): \(result)")
        }
    }

    @Test("A recorded wait is waited for again when asked")
    func latency() async throws {
        var slow = Sample(1, "GET", "/slow", responseBody: Self.text("slow"))
        slow.exchange.timeline.wait = 300_000
        let (_, mock) = try await Self.mock([slow], "--latency", "as-recorded")
        let started = ContinuousClock.now
        #expect(try await mock.ask("/slow").hasSuffix("slow"))
        #expect(started.duration(to: .now) >= .milliseconds(300))
    }

    @Test("A query or a host chooses the recordings, and nothing to answer with is one clear line")
    func selection() async throws {
        let samples = [
            Sample(1, "GET", "/s", host: "one.example.test", responseBody: Self.text("one")),
            Sample(2, "GET", "/s", host: "two.example.test", responseBody: Self.text("two")),
        ]
        let (store, mock) = try await Self.mock(samples, "--host", "two.example.test")
        #expect(try await mock.ask("/s").hasSuffix("two"))
        let none = try await store.inspect("mock", "code:599", "--ca-directory", store.file("ca"))
        #expect(none.status == 2)
        #expect(none.errors == "inspect: there is no recorded response to answer with; widen the query\n")
        let missing = try await store.inspect("mock", "missing.har")
        #expect(missing.status == 2 && missing.errors == "inspect: there is no file missing.har to answer from\n")
        _ = try await store.inspect("export", "code:599", "-o", store.file("empty.har"))
        let named = try await store.inspect(
            "mock",
            "--from",
            store.file("empty.har"),
            "--ca-directory",
            store.file("ca")
        )
        #expect(named.status == 2 && named.errors == none.errors)
        let former = try await store.inspect("mock", store.file("empty.har"), "--ca-directory", store.file("ca"))
        let remark = "inspect: 'inspect mock FILE' is now 'inspect mock --from FILE'\n"
        #expect(former.status == 2 && former.errors == remark + none.errors)
    }
}
