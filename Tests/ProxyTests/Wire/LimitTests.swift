import NIOCore
import Support
import Testing
import Traffic

@testable import Proxy

/// The limits of a configuration that no other suite is about, each past its bound.
struct LimitTests {
    private func failure(
        of request: String,
        script: @escaping LoopbackOrigin.Script = { _ in nil },
        configure: (inout ProxyConfiguration) -> Void
    ) async throws -> (code: Int, failure: String) {
        let origin = try await LoopbackOrigin.start(script: script)
        let authority = "127.0.0.1:\(origin.port)"
        var found = (0, "")
        try await RunningProxy.run(configure: configure) { proxy in
            let client = try await proxy.connect()
            try await client.send(request.replacing("ORIGIN", with: authority))
            found.0 = try await client.response().code
            found.1 = try await proxy.record().failure
        }
        return found
    }

    private static let get = "GET http://ORIGIN/ HTTP/1.1\r\nHost: ORIGIN\r\n\r\n"

    @Test("An upstream that takes too long for the first byte of a response is a 504, however long a body may pause")
    func firstByte() async throws {
        let found = try await failure(of: Self.get) { $0.firstByteTimeout = .milliseconds(200) }
        #expect(found.code == 504 && found.failure == "upstream wait timeout")
        // An interim response is a sign of life, and starts the time anew; a body that pauses has another limit.
        let slow: LoopbackOrigin.Script = { unanswered in
            RawRequest(first: unanswered).map {
                .init(
                    consuming: $0.bytes.count,
                    .pause(.milliseconds(1_200)),
                    .send(Array("HTTP/1.1 102 Processing\r\n\r\n".utf8)),
                    .pause(.milliseconds(1_200)),
                    .send(Array("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\no".utf8)),
                    .pause(.milliseconds(2_500)),
                    .send([UInt8(ascii: "k")])
                )
            }
        }
        let origin = try await LoopbackOrigin.start(script: slow)
        try await RunningProxy.run(configure: { $0.firstByteTimeout = .seconds(2) }) { proxy in
            let client = try await proxy.connect()
            try await client.send(Self.get.replacing("ORIGIN", with: "127.0.0.1:\(origin.port)"))
            #expect(try await client.response().code == 102)
            #expect(try await client.response().text == "ok")
            #expect(try await proxy.record().exchange.outcome == .completed)
        }
    }

    @Test("Heads past their limits are refused with 431 and recorded")
    func heads() async throws {
        let fields = (0..<30).map { "X-\($0): y\r\n" }.joined()
        let many = Self.get.replacing("\r\n\r\n", with: "\r\n\(fields)\r\n")
        for configure: (inout ProxyConfiguration) -> Void in [
            { $0.fieldLimitCount = 20 }, { ($0.headLimitBytes, $0.startLineLimitBytes) = (128, 128) },
        ] {
            let found = try await failure(of: many, configure: configure)
            #expect(found.code == 431 && found.failure.hasPrefix("client request"), "\(found)")
        }
    }

    @Test("An upstream that pauses for longer than the idle limit inside a body is given up")
    func idle() async throws {
        let origin = try await LoopbackOrigin.start { unanswered in
            RawRequest(first: unanswered).map {
                .init(
                    consuming: $0.bytes.count,
                    .send(Array("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\no".utf8))
                )
            }
        }
        try await RunningProxy.run(configure: { $0.idleTimeout = .milliseconds(200) }) { proxy in
            let client = try await proxy.connect()
            try await client.send(Self.get.replacing("ORIGIN", with: "127.0.0.1:\(origin.port)"))
            _ = try await client.readToEnd()
            let record = try await proxy.record()
            #expect(record.failure == "upstream receive timeout" && record.exchange.code == 200)
        }
    }

    @Test("An upstream that does not take part in the handshake is a 504")
    func handshake() async throws {
        let silent = try await LoopbackOrigin.start { _ in nil }
        try await RunningProxy.run(configure: { $0.handshakeTimeout = .milliseconds(200) }) { proxy in
            let client = try await proxy.connect()
            let authority = "localhost:\(silent.port)"
            try await client.send("GET https://\(authority)/ HTTP/1.1\r\nHost: \(authority)\r\n\r\n")
            #expect(try await client.response().code == 504)
            #expect(try await proxy.record().failure == "upstream tls timeout")
        }
    }
}
