import NIOCore
import Proxy
import Support
import Testing
import Traffic

/// What a client and the record are told when an upstream fails.
@Suite(.timeLimit(.minutes(15)))
struct UpstreamFailureTests {
    /// How an upstream goes wrong, and what is to come of it.
    struct Fault: Sendable, CustomStringConvertible {
        let description: String
        let steps: [LoopbackOrigin.Step]
        /// What it does once the client has what came: a reset earlier could take that along.
        let last: [LoopbackOrigin.Step]
        let failure: String
        let proxyStatus: String

        init(
            _ description: String,
            _ steps: [LoopbackOrigin.Step],
            last: [LoopbackOrigin.Step] = [],
            _ failure: String,
            _ proxyStatus: String = ""
        ) {
            self.description = description
            self.steps = steps
            self.last = last
            self.failure = failure
            self.proxyStatus = proxyStatus
        }

        static func text(_ description: String, _ text: String, _ failure: String) -> Fault {
            Fault(description, [.send(Array(text.utf8)), .close], failure, "http_protocol_error")
        }
    }

    private static let beforeTheResponse = [
        Fault("reset", [.reset], "upstream wait reset", "connection_terminated"),
        Fault("closed", [.close], "upstream wait closed", "connection_terminated"),
        .text("HTTP/0.9", "<html>hello</html>", "upstream wait malformed"),
        .text("garbage", "\u{1}\u{2}\u{3}\r\n\r\n\r\n", "upstream wait malformed"),
        .text("another protocol", "SSH-2.0-OpenSSH_9.2\r\n", "upstream wait malformed"),
        .text("a head that does not end", "HTTP/1.1 200 OK\r\nX: y\r\n", "upstream wait unfinished"),
        .text(
            "two framings",
            "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
            "upstream wait ambiguous-framing"
        ),
        .text(
            "two lengths",
            "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello!",
            "upstream wait ambiguous-framing"
        ),
        .text("a bare LF", "HTTP/1.1 200 OK\nContent-Length: 2\n\nok", "upstream wait malformed"),
        .text(
            "a folded line",
            "HTTP/1.1 200 OK\r\nA: b\r\n c\r\nContent-Length: 2\r\n\r\nok",
            "upstream wait malformed"
        ),
        .text("HTTP/2", "HTTP/2.0 200 OK\r\n\r\n", "upstream wait version"),
        .text("101", "HTTP/1.1 101 Switching\r\nUpgrade: x\r\n\r\n", "upstream wait protocol"),
        .text(
            "a huge head",
            "HTTP/1.1 200 OK\r\nX: " + String(repeating: "x", count: 300_000) + "\r\n\r\n",
            "upstream wait too-long"
        ),
    ]

    @Test(
        "Before a response the client gets a 502 that says why, nothing of the upstream, and keeps its connection",
        arguments: beforeTheResponse
    )
    func before(fault: Fault) async throws {
        let origin = try await LoopbackOrigin.start(
            script: { unanswered in
                guard let request = RawRequest(first: unanswered) else { return nil }
                var reply = LoopbackOrigin.Reply(consuming: request.bytes.count)
                reply.steps =
                    request.target == "/bad"
                    ? fault.steps : [.send(Array("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok".utf8))]
                return reply
            }
        )
        try await RunningProxy.run { proxy in
            let client = try await proxy.connect()
            let get = { (target: String) in
                "GET http://127.0.0.1:\(origin.port)\(target) HTTP/1.1\r\nHost: 127.0.0.1:\(origin.port)\r\n\r\n"
            }
            try await client.send(get("/bad"))
            let response = try await client.response()
            #expect(response.code == 502)
            #expect(response.head.contains("\r\nProxy-Status: inspect; error=\(fault.proxyStatus)\r\n"))
            #expect(response.text.contains("127.0.0.1:\(origin.port)") && response.text.hasSuffix(".\n"))
            try await client.send(get("/good"))
            #expect(try await client.response().text == "ok")
            let record = try #require(try await proxy.sink.ended(2).first)
            #expect(
                record.failure == fault.failure && record.exchange.outcome == .failed && record.exchange.code == nil
            )
            #expect(record.exchange.ownResponse == ByteBuffer(string: response.head + response.text))
            if case .send(let bytes) = fault.steps.first {
                #expect(
                    record.exchange.response.map { Array($0.head.readableBytesView.prefix(30)) }
                        == Array(bytes.prefix(30)) || bytes.count > 1_000 || fault.description == "101"
                )
            }
        }
    }

    private static func send(_ text: String) -> [LoopbackOrigin.Step] { [.send(Array(text.utf8))] }

    private static let withinTheResponse = [
        Fault(
            "length",
            send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhello"),
            last: [.close],
            "upstream receive closed"
        ),
        Fault(
            "length, reset",
            send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhello"),
            last: [.reset],
            "upstream receive reset"
        ),
        Fault(
            "chunked",
            send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n"),
            last: [.close],
            "upstream receive closed"
        ),
        Fault(
            "chunk",
            send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\na\r\nhello"),
            last: [.close],
            "upstream receive closed"
        ),
        Fault(
            "bad chunk",
            send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n"),
            last: send("zz\r\n") + [.close],
            "upstream receive bad-chunk"
        ),
        Fault(
            "close-delimited, reset",
            send("HTTP/1.1 200 OK\r\n\r\nhello"),
            last: [.reset],
            "upstream receive reset"
        ),
        Fault(
            "silence",
            send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhello"),
            "upstream receive timeout"
        ),
    ]

    @Test(
        "Within a response the client has what came, and then a break instead of an end",
        arguments: withinTheResponse,
        [false, true]
    )
    func within(fault: Fault, isSecure: Bool) async throws {
        let gate = Gate()
        let origin = try await LoopbackOrigin.start(
            tls: isSecure ? Certificates.server("good") : nil,
            script: { unanswered in
                guard let request = RawRequest(first: unanswered) else { return nil }
                var reply = LoopbackOrigin.Reply(consuming: request.bytes.count)
                reply.steps = fault.steps + [.held(gate)] + fault.last
                return reply
            }
        )
        try await RunningProxy.run(clock: TestClock()) { proxy in
            let client = isSecure ? try await proxy.secureTunnel(to: origin.port) : try await proxy.connect()
            let place = isSecure ? "" : "http://127.0.0.1:\(origin.port)"
            try await client.send("GET \(place)/ HTTP/1.1\r\nHost: localhost\r\n\r\n")
            _ = try await client.read(through: "hello")
            gate.open()
            if fault.last.isEmpty { try await proxy.expire(.seconds(120), client) }
            let rest = String(decoding: try await client.readToEnd(), as: UTF8.self)
            #expect(!rest.hasSuffix("0\r\n\r\n"))
            // An end that cannot be taken for a proper one: a reset, or TLS without close_notify.
            #expect(client.soFar.error != nil)
            let record = try await proxy.record()
            #expect(
                record.failure == fault.failure && record.exchange.outcome == .failed && record.exchange.code == 200
            )
            #expect(record.responseBody == Array("hello".utf8))
        }
    }

    @Test("An upstream that says nothing in time is answered for with a 504")
    func firstByteTimeout() async throws {
        let origin = try await LoopbackOrigin.start { _ in nil }
        try await RunningProxy.run(clock: TestClock()) { proxy in
            let client = try await proxy.connect()
            try await client.send(
                "GET http://127.0.0.1:\(origin.port)/ HTTP/1.1\r\nHost: 127.0.0.1:\(origin.port)\r\n\r\n"
            )
            _ = try await origin.connections("the request") { $0.first?.receivedText.hasSuffix("\r\n\r\n") == true }
            try await proxy.expire(.seconds(120), client)
            let response = try await client.response()
            #expect(response.code == 504 && response.head.contains("error=http_response_timeout"))
            #expect(try await proxy.record().failure == "upstream wait timeout")
        }
    }

    @Test("A refused connection and an unknown name are told apart")
    func unreachable() async throws {
        let gone = try RefusingPort()
        try await RunningProxy.run { proxy in
            let client = try await proxy.connect()
            try await client.send("GET http://127.0.0.1:\(gone.port)/ HTTP/1.1\r\nHost: 127.0.0.1:\(gone.port)\r\n\r\n")
            let refused = try await client.response()
            #expect(refused.code == 502 && refused.head.contains("error=connection_refused"))
            let name = UnknownName.host
            try await client.send("GET http://\(name)/ HTTP/1.1\r\nHost: \(name)\r\n\r\n")
            let unknown = try await client.response()
            #expect(unknown.code == 502 && unknown.head.contains("error=dns_error") && unknown.text.contains(name))
            let failures = try await proxy.sink.ended(2).compactMap(\.exchange.failure)
            #expect(
                failures.map(\.phase) == [.connect, .dns] && failures.allSatisfy { $0.side == .upstream && $0.retry }
            )
            #expect(failures.map(\.cause) == [.refused, .unknownName])
        }
        withExtendedLifetime(gone) {}
    }

    @Test("A handshake that does not end in time is a 504")
    func handshakeTimeout() async throws {
        let origin = try await LoopbackOrigin.start { _ in nil }
        try await RunningProxy.run(clock: TestClock()) { proxy in
            async let tunnel = proxy.secureTunnel(to: origin.port)
            _ = try await origin.connections("a ClientHello") { ($0.first?.receivedBytes ?? 0) > 0 }
            try await proxy.expire(.seconds(10)) { origin.connections.allSatisfy { !$0.isClosed } }
            let client = try await tunnel
            try await client.send("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
            #expect(try await client.response().code == 504)
            #expect(try await proxy.record().failure == "upstream tls timeout")
        }
    }
}
