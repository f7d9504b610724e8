import NIOCore
import Proxy
import Support
import Testing
import Traffic

/// The limits of a configuration that no other suite is about, each past its bound.
@Suite(.timeLimit(.minutes(15)))
struct LimitTests {
    private static let get = "GET http://ORIGIN/ HTTP/1.1\r\nHost: ORIGIN\r\n\r\n"

    @Test("An upstream that takes too long for the first byte of a response is a 504, however long a body may pause")
    func firstByte() async throws {
        let silent = try await LoopbackOrigin.start { _ in nil }
        try await RunningProxy.run(clock: TestClock(), configure: { $0.firstByteTimeout = .seconds(2) }) { proxy in
            let client = try await proxy.connect()
            try await client.send(Self.get.replacing("ORIGIN", with: "127.0.0.1:\(silent.port)"))
            _ = try await silent.connections("the request") { $0.first?.receivedText.hasSuffix("\r\n\r\n") == true }
            try await proxy.expire(.seconds(2), client)
            #expect(try await client.response().code == 504)
            #expect(try await proxy.record().failure == "upstream wait timeout")
        }
        // An interim response is a sign of life, and starts the time anew; a body that pauses has another limit.
        let gates = [Gate(), Gate(), Gate()]
        let origin = try await LoopbackOrigin.start { unanswered in
            RawRequest(first: unanswered).map {
                .init(
                    consuming: $0.bytes.count,
                    .held(gates[0]),
                    .send(Array("HTTP/1.1 102 Processing\r\n\r\n".utf8)),
                    .held(gates[1]),
                    .send(Array("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\no".utf8)),
                    .held(gates[2]),
                    .send([UInt8(ascii: "k")])
                )
            }
        }
        try await RunningProxy.run(clock: TestClock(), configure: { $0.firstByteTimeout = .seconds(2) }) { proxy in
            let client = try await proxy.connect()
            try await client.send(Self.get.replacing("ORIGIN", with: "127.0.0.1:\(origin.port)"))
            _ = try await origin.connections("the request") { $0.first?.receivedText.hasSuffix("\r\n\r\n") == true }
            try await proxy.pass(.milliseconds(1_900))
            gates[0].open()
            #expect(try await client.response().code == 102)
            try await proxy.pass(.milliseconds(1_900))
            gates[1].open()
            #expect(try await client.read(through: "\r\n\r\no").hasPrefix("HTTP/1.1 200 OK\r\n"))
            try await proxy.pass(.seconds(60))
            gates[2].open()
            #expect(try await client.read(count: 1) == [UInt8(ascii: "k")])
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
            try await RunningProxy.run(configure: configure) { proxy in
                let client = try await proxy.connect()
                try await client.send(many.replacing("ORIGIN", with: "127.0.0.1:9"))
                #expect(try await client.response().code == 431)
                #expect(try await proxy.record().failure == "client request too-long")
            }
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
        try await RunningProxy.run(clock: TestClock(), configure: { $0.idleTimeout = .milliseconds(200) }) { proxy in
            let client = try await proxy.connect()
            try await client.send(Self.get.replacing("ORIGIN", with: "127.0.0.1:\(origin.port)"))
            _ = try await client.read(through: "\r\n\r\no")
            try await proxy.expire(.milliseconds(200), client)
            _ = try await client.readToEnd()
            let record = try await proxy.record()
            #expect(record.failure == "upstream receive timeout" && record.exchange.code == 200)
        }
    }

    @Test("An upstream of HTTP/2 that never says whether it takes WebSockets is a 504")
    func settings() async throws {
        // It agrees on HTTP/2 and says nothing in it.
        var tls = Certificates.server("good")
        tls.protocols = ["h2"]
        let silent = try await LoopbackOrigin.start(tls: tls) { _ in nil }
        try await RunningProxy.run(clock: TestClock(), configure: { $0.matchesProtocols = false }) { proxy in
            let client = try await proxy.connect()
            let authority = "localhost:\(silent.port)"
            try await client.send(
                "GET https://\(authority)/ HTTP/1.1\r\nHost: \(authority)\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
                    + "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
            )
            _ = try await silent.connections("HTTP/2") { $0.first?.receivedText.hasPrefix("PRI * HTTP/2.0") == true }
            try await proxy.expire(.seconds(10), client)
            #expect(try await client.response().code == 504)
            #expect(try await proxy.record().failure == "upstream connect timeout")
        }
    }

    @Test("An upstream of HTTP/2 that leaves before it says whether it takes WebSockets is a 502")
    func leavesUnsettled() async throws {
        var tls = Certificates.server("good")
        tls.protocols = ["h2"]
        let leaving = try await LoopbackOrigin.start(tls: tls) { received in
            received.isEmpty ? nil : .init(consuming: received.count, .close)
        }
        try await RunningProxy.run(clock: TestClock(), configure: { $0.matchesProtocols = false }) { proxy in
            let client = try await proxy.connect()
            let authority = "localhost:\(leaving.port)"
            try await client.send(
                "GET https://\(authority)/ HTTP/1.1\r\nHost: \(authority)\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
                    + "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
            )
            #expect(try await client.response().code == 502)
            #expect(try await proxy.record().failure == "upstream connect closed")
        }
    }

    @Test("An upstream that does not take part in the handshake is a 504")
    func handshake() async throws {
        let silent = try await LoopbackOrigin.start { _ in nil }
        try await RunningProxy.run(clock: TestClock()) { proxy in
            let client = try await proxy.connect()
            let authority = "localhost:\(silent.port)"
            try await client.send("GET https://\(authority)/ HTTP/1.1\r\nHost: \(authority)\r\n\r\n")
            _ = try await silent.connections("a ClientHello") { ($0.first?.receivedBytes ?? 0) > 0 }
            try await proxy.expire(.seconds(10), client)
            #expect(try await client.response().code == 504)
            #expect(try await proxy.record().failure == "upstream tls timeout")
        }
    }
}
