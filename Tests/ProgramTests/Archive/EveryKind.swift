import Crypto
import Foundation
import Lenses
import NIOCore
import Support
import Traffic

/// A store with an exchange of every kind that is recorded: what archives must carry.
enum EveryKind {
    /// Records them all.
    static func store() async throws -> CapturedStore {
        let store = try CapturedStore(classifier: LensSet.standard)
        try await record(into: store)
        return store
    }

    /// Records them all in a store that is there.
    static func record(into store: CapturedStore) async throws {
        var makers = Makers()
        let coded = try await codedBodies()
        let text = Array("{\"text\": \"zażółć \\u0000 😀\", \"big\": [1.5e3, -0]}\n".utf8)
        makers.add { $0.responseBody = text }
        makers.add(type: "text/plain; charset=iso-8859-1") { $0.responseBody = [0x63, 0x61, 0x66, 0xE9, 0x80] }
        makers.add(type: "text/plain; charset=windows-1252") { $0.responseBody = [0x80, 0x81, 0x41, 0xFF] }
        makers.add(type: "text/plain; charset=utf-16") { $0.responseBody = [0xFE, 0xFF, 0x00, 0x41, 0x01, 0x05] }
        makers.add(type: "text/plain; charset=shift_jis") { $0.responseBody = [0x82, 0xA0] }
        makers.add(type: "text/plain") { $0.responseBody = [0xEF, 0xBB, 0xBF] + text }
        makers.add(type: "image/png") { $0.responseBody = (0...255).map { UInt8($0) } }
        makers.add(type: "application/json") { $0.responseBody = [0xFF, 0xFE, 0x00] }
        for (name, bytes) in coded {
            makers.add(type: "application/json", more: "Content-Encoding: \(name)\r\n") { $0.responseBody = bytes }
        }
        let gzip = coded.first { $0.name == "gzip" }?.bytes ?? []
        makers.add(type: "text/plain; charset=iso-8859-1", more: "Content-Encoding: gzip\r\n") {
            $0.responseBody = gzip
        }
        makers.add(type: "text/html", more: "Content-Encoding: x-unknown\r\n") { $0.responseBody = [1, 2, 3, 0xFF] }
        makers.add(type: "text/html", more: "Content-Encoding: gzip\r\n") { $0.responseBody = Array("not coded".utf8) }
        makers.add(type: "text/html", more: "Content-Encoding: gzip\r\n") { $0.responseBody = Array(gzip.dropLast(9)) }
        // Cut bodies: what passed is longer than what is kept.
        makers.add(type: "text/plain") { $0.cut(.response, Array("the beginning, zażół".utf8).dropLast(), of: 5000) }
        makers.add(type: "image/gif") { $0.cut(.response, [1, 2, 3], of: 4000) }
        makers.add(type: "text/plain", more: "Content-Encoding: gzip\r\n") {
            $0.cut(.response, gzip.dropLast(12)[...], of: 99_999)
        }
        makers.add(type: "text/plain") { $0.cut(.request, [][...], of: 77) }
        // Requests.
        makers.add("POST") { $0.requestBody = Array("a=1&b=%C3%A9".utf8) }
        makers.add("PUT") { $0.requestBody = [0, 1, 2, 0xFF, 0xFE] }
        makers.add("POST", requestMore: "Content-Encoding: gzip\r\nContent-Type: application/json\r\n") {
            $0.requestBody = gzip
        }
        makers.add("DELETE") {
            $0.exchange.request.sentHead = ByteBuffer(string: "DELETE / HTTP/1.1\r\nHost: other\r\n\r\n")
        }
        makers.add {
            $0.exchange.request.head = ByteBuffer(
                string: "GET http://api.example.test/ HTTP/1.1\r\nHost:api.example.test\r\n\r\n"
            )
        }
        makers.add {
            $0.exchange.request.head = ByteBuffer(
                bytes: Array("GET /\u{1} HTTP/1.1\r\nX: ".utf8) + [0xE9] + Array("\r\n\r\n".utf8)
            )
            $0.exchange.request.sentHead = ByteBuffer(bytes: [0x47, 0xE9, 0x0A])
        }
        makers.add(target: "/a?x=1&y=%zz&q=|{}\"<>&tail=?") { _ in }
        makers.add(target: "/frag#ment") { _ in }
        makers.add(
            more:
                "Set-Cookie: a=b; Expires=Wed, 21 Oct 2026 07:28:00 GMT; Path=/; HttpOnly\r\nSet-Cookie: c=d; Secure; SameSite=Lax\r\n",
            code: 302
        ) {
            $0.exchange.request.head = ByteBuffer(
                string: "GET / HTTP/1.1\r\nCookie: a=b; c=\"d e\"\r\ncookie: x=y\r\n\r\n"
            )
        }
        makers.add(more: "Location: /next\r\nX-Dup: 1\r\nx-dup: 2\r\n", code: 301) { _ in }
        makers.add {
            $0.exchange.interim = [
                ByteBuffer(string: "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n"),
                ByteBuffer(bytes: [0x48, 0xFF, 0x0D, 0x0A]),
            ]
            $0.exchange.response?.trailers = ByteBuffer(string: "X-Sum: 1\r\n")
            $0.exchange.request.trailers = ByteBuffer(string: "X-Odd:  spaced \r\n\r\n")
        }
        makers.add { sample in
            (sample.exchange.version, sample.exchange.upstreamVersion) = (.http2, .http2)
            (sample.exchange.stream, sample.exchange.upstreamStream) = (1, 7)
            sample.exchange.request.head = ByteBuffer(
                string: "GET / HTTP/2\r\nhost: api.example.test\r\naccept: */*\r\n\r\n"
            )
            sample.exchange.response?.head = ByteBuffer(string: "HTTP/2 200\r\ncontent-type: text/plain\r\n\r\n")
            sample.exchange.upstream = Peer(
                token: 88,
                address: "[2001:db8::1]:443",
                tls: Peer.TLS(
                    version: "TLSv1.3",
                    serverName: "api.example.test",
                    applicationProtocol: "h2",
                    certificates: [[0x30, 1, 2]]
                )
            )
        }
        makers.add {
            $0.exchange.client = Peer(
                token: 77,
                address: "127.0.0.1:1",
                tls: .init(version: "TLSv1.2", serverName: nil, applicationProtocol: nil),
                process: LocalProcess(id: 4711, name: "Web Content"),
                hello: "t13d1516h2_8daaf6152771_e5627efa2ab1",
                runtime: .chromium
            )
            $0.exchange.warnings = ["odd", "and \"quoted\""]
            $0.exchange.replayOf = 3
            $0.exchange.rules = [
                RuleUse(rule: "as the beta app", phase: .requestHead, action: "request", what: "UA, query \"a\""),
                RuleUse(rule: "slow", phase: .responseBody, action: "delay", what: "", note: "skipped: no body"),
            ]
            $0.exchange.rules[0].microseconds = 1_234_567
            $0.exchange.ownResponse = ByteBuffer(bytes: [0x48, 0x54, 0xFF])
            $0.exchange.timeline.blocked = 1
            $0.exchange.timeline.tls = 12_345
        }
        makers.add {
            $0 = $0.failed()
            $0.exchange.timeline.wait = nil
            $0.exchange.upstream = nil
            $0.exchange.ownResponse = ByteBuffer(string: "HTTP/1.1 502 Bad Gateway\r\n\r\nno")
        }
        makers.add { sample in
            sample.responseBody = Array("half of".utf8)
            sample.exchange.outcome = .failed
            sample.exchange.failure = ExchangeFailure(
                side: .upstream,
                phase: .receive,
                cause: .reset,
                message: "Broken off."
            )
        }
        makers.add { sample in
            sample.responseBody = Array("data: 1".utf8)
            sample.exchange.outcome = .cancelled
            sample.exchange.failure = ExchangeFailure(side: .client, phase: .deliver, cause: .closed, message: "Left.")
        }
        makers.add { sample in
            (sample.exchange.outcome, sample.exchange.method, sample.exchange.scheme) = (.failed, "", nil)
            (sample.exchange.host, sample.exchange.port, sample.exchange.target) = ("", 0, "")
            (sample.exchange.response, sample.exchange.code, sample.exchange.mediaType) = (nil, nil, nil)
            sample.exchange.request.head = ByteBuffer(bytes: [0x16, 0x03, 0x01, 0x00])
            sample.exchange.failure = ExchangeFailure(
                side: .client,
                phase: .request,
                // No member stands for it; the archives keep it all the same.
                cause: Cause(rawValue: "of-another-version"),
                message: "No."
            )
        }
        makers.add { sample in
            (sample.exchange.outcome, sample.exchange.method, sample.exchange.scheme) = (.tunnelled, "CONNECT", nil)
            (sample.exchange.target, sample.exchange.version) = ("api.example.test:443", .http11)
            sample.exchange.request.body = Body(length: 321, kept: 0, sha256: [])
            sample.exchange.response?.body = Body(length: 654, kept: 0, sha256: [])
            (sample.exchange.code, sample.exchange.mediaType) = (nil, nil)
        }
        var events = makers.events
        events += try streams(from: makers.next)
        try await store.submit(events)
        var pending = Sample(999, "POST", "/pending")
        pending.exchange.timeline.wait = nil
        try await store.open(pending)
    }

    /// One text in every coding, and two of them stacked.
    private static func codedBodies() async throws -> [(name: String, bytes: [UInt8])] {
        let program = """
            import gzip, zlib, sys
            t = b'{"a": "coded caf\\xc3\\xa9"}' * 9
            for b in (gzip.compress(t, mtime=0), zlib.compress(t), gzip.compress(zlib.compress(t), mtime=0)): print(b.hex())
            """
        let result = try await CommandLineTool.run("python3", ["-c", program])
        let bodies = result.output.split(separator: "\n").map { line in
            stride(from: 0, to: line.utf8.count, by: 2).compactMap { offset in
                UInt8(line.dropFirst(offset).prefix(2), radix: 16)
            }
        }
        return zip(["gzip", "deflate", "deflate, gzip"], bodies).map { (name: $0, bytes: $1) }
    }

    /// A WebSocket, an event stream and a gRPC call with their messages.
    private static func streams(from token: CaptureToken) throws -> [ExchangeEvent] {
        func message(
            _ kind: StreamMessage.Kind,
            _ side: MessageSide,
            _ opcode: UInt8,
            _ bytes: [UInt8],
            size: Int64? = nil
        ) -> StreamMessage {
            StreamMessage(
                side: side,
                time: 1_763_647_323_500_001 + Int64(opcode),
                kind: kind,
                opcode: opcode,
                wireBytes: Int64(bytes.count),
                size: size ?? Int64(bytes.count),
                payload: ByteBuffer(bytes: bytes)
            )
        }
        var events: [ExchangeEvent] = []
        func stream(_ token: CaptureToken, _ sample: Sample, _ messages: [StreamMessage]) {
            var exchange = sample.exchange
            for message in messages { exchange.messages.add(message.side) }
            var opened = exchange
            (opened.outcome, opened.timeline.duration) = (.pending, nil)
            events.append(.opened(token, opened))
            events += messages.map { .message(token, $0) }
            events.append(
                .ended(
                    token,
                    exchange,
                    request: .init(bytes: sample.requestBody),
                    response: .init(bytes: sample.responseBody)
                )
            )
        }
        var socket = Sample(token, "GET", "/socket", scheme: .wss, code: 101, fields: "Upgrade: websocket\r\n")
        socket.exchange.version = .webSocket
        socket.exchange.request.body = Body(length: 60, kept: 0, sha256: [])
        socket.exchange.response?.body = Body(length: 90, kept: 0, sha256: [])
        socket.exchange.mediaType = nil
        var compressed = message(.webSocket, .response, 1, Array("inflated text".utf8))
        (compressed.isCompressed, compressed.wireBytes, compressed.problem) = (true, 9, "Something was odd.")
        var close = message(.webSocket, .response, 8, [0x03, 0xE8] + Array("bye".utf8))
        close.status = 1000
        let frames = [
            message(.webSocket, .request, 1, Array("zażółć".utf8)), message(.webSocket, .response, 2, [0, 1, 0xFF]),
            compressed,
            message(.webSocket, .request, 9, []), message(.webSocket, .response, 1, Array("cut".utf8), size: 900),
            message(.webSocket, .response, 1, [0xC3]), close, message(.webSocket, .request, 8, []),
        ]
        stream(token, socket, frames)
        var named = message(.event, .response, 0, Array("data of it".utf8))
        (named.eventName, named.eventID) = ("update", "7")
        let feed = Sample(
            token + 1,
            "GET",
            "/feed",
            fields: "Content-Type: text/event-stream\r\n",
            responseBody: Array("data: x\n\n".utf8)
        )
        stream(token + 1, feed, [message(.event, .response, 0, Array("x".utf8)), named])
        var trailers = message(.grpc, .response, 0x80, Array("grpc-status: 0\r\n".utf8))
        trailers.status = 0
        let call = Sample(
            token + 2,
            "POST",
            "/pkg.Service/Call",
            fields: "Content-Type: application/grpc\r\n",
            requestBody: [0, 0, 0, 0, 1, 9],
            responseBody: [0, 0, 0, 0, 0]
        )
        stream(token + 2, call, [message(.grpc, .request, 0, [9]), message(.grpc, .response, 1, []), trailers])
        return events
    }

    /// Numbers the samples.
    private struct Makers {
        private(set) var events: [ExchangeEvent] = []
        private(set) var next: CaptureToken = 1

        mutating func add(
            _ method: String = "GET",
            target: String = "/",
            type: String = "application/json",
            more: String = "",
            requestMore: String = "",
            code: Int = 200,
            _ change: (inout Sample) -> Void
        ) {
            var sample = Sample(next, method, target, code: code, fields: "Content-Type: \(type)\r\n\(more)")
            if !requestMore.isEmpty {
                sample.exchange.request.head = ByteBuffer(
                    string: "\(method) \(target) HTTP/1.1\r\nHost: a\r\n\(requestMore)\r\n"
                )
            }
            sample.exchange.mediaType = MediaType(type)?.essence
            change(&sample)
            sample.measure()
            next += 1
            events.append(
                .ended(
                    sample.token,
                    sample.exchange,
                    request: .init(bytes: sample.requestBody),
                    response: .init(bytes: sample.responseBody)
                )
            )
        }
    }
}

extension Sample {
    /// Keeps only the beginning of a body.
    fileprivate mutating func cut(_ side: MessageSide, _ bytes: ArraySlice<UInt8>, of length: Int64) {
        let body = Body(
            length: length,
            kept: Int64(bytes.count),
            sha256: Array(SHA256.hash(data: Array("\(length)".utf8)))
        )
        if side == .request {
            (requestBody, exchange.request.body) = (Array(bytes), body)
        } else {
            responseBody = Array(bytes)
            exchange.response?.body = body
        }
    }

    /// Measures the bodies that have no measure yet.
    fileprivate mutating func measure() {
        func body(_ bytes: [UInt8]) -> Body {
            Body(length: Int64(bytes.count), kept: Int64(bytes.count), sha256: Array(SHA256.hash(data: bytes)))
        }
        if exchange.request.body.length == 0, !requestBody.isEmpty { exchange.request.body = body(requestBody) }
        if exchange.response?.body.length == 0, !responseBody.isEmpty { exchange.response?.body = body(responseBody) }
    }
}
