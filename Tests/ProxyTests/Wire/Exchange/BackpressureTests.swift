import NIOCore
import Proxy
import Support
import Testing
import Traffic

/// A slow reader stalls the sender, not memory.
@Suite(.timeLimit(.minutes(15)))
struct BackpressureTests {
    /// What may lie in sockets and in the proxy while the reader is stalled; the rest has to stay with the sender.
    ///
    /// The sockets of the peers hold little, and with them the proxy's, which grow by what the other end takes and gives.
    private static let limitBytes = 24 << 20
    private static let totalBytes = 40 << 20

    @Test("A client that does not read stalls the upstream, and has everything in the end", arguments: [false, true])
    func download(isSecure: Bool) async throws {
        let origin = try await LoopbackOrigin.start(
            tls: isSecure ? Certificates.server("good") : nil,
            holdsLittle: true,
            script: { unanswered in
                RawRequest(first: unanswered).map {
                    .init(
                        consuming: $0.bytes.count,
                        .send(Array("HTTP/1.1 200 OK\r\nContent-Length: \(Self.totalBytes)\r\n\r\n".utf8)),
                        .stream([UInt8](repeating: 120, count: 1 << 20), times: Self.totalBytes >> 20)
                    )
                }
            }
        )
        try await RunningProxy.run(configure: { $0.bodyLimitBytes = 1_000 }) { proxy in
            let client =
                isSecure
                ? try await proxy.secureTunnel(to: origin.port, holdsLittle: true)
                : try await proxy.connect(holdsLittle: true)
            try await client.setReading(false)
            let place = isSecure ? "" : "http://127.0.0.1:\(origin.port)"
            try await client.send("GET \(place)/ HTTP/1.1\r\nHost: localhost\r\n\r\n")
            let stalled = try await Self.stalledCount(of: origin)
            #expect(stalled < Self.limitBytes, "the origin got rid of \(stalled) bytes")
            try await client.setReading(true)
            var left = Self.totalBytes
            _ = try await client.read(through: "\r\n\r\n")
            while left > 0 {
                let count = min(left, 1 << 20)
                _ = try await client.read(count: count)
                left -= count
            }
            let record = try await proxy.record()
            #expect(
                record.exchange.response?.body.length == Int64(Self.totalBytes)
                    && record.exchange.response?.body.kept == 1_000
            )
        }
    }

    @Test("A record that is not committed stalls what is to be recorded")
    func record() async throws {
        let origin = try await LoopbackOrigin.start(
            holdsLittle: true,
            script: { unanswered in
                RawRequest(first: unanswered).map {
                    .init(
                        consuming: $0.bytes.count,
                        .send(Array("HTTP/1.1 200 OK\r\nContent-Length: \(Self.totalBytes)\r\n\r\n".utf8)),
                        .stream([UInt8](repeating: 120, count: 1 << 20), times: Self.totalBytes >> 20)
                    )
                }
            }
        )
        try await RunningProxy.run(
            RecordingSink(.whenAsked),
            configure: {
                $0.captureLimitBytes = 4 << 20
                $0.bodyLimitBytes = 1 << 30
            }
        ) { proxy in
            let client = try await proxy.connect()
            try await client.send("GET http://127.0.0.1:\(origin.port)/ HTTP/1.1\r\nHost: localhost\r\n\r\n")
            let stalled = try await Self.stalledCount(of: origin)
            #expect(stalled < Self.limitBytes, "the origin got rid of \(stalled) bytes")
            proxy.sink.commit()
            let record = try await proxy.record()
            #expect(record.responseBody.count == Self.totalBytes)
        }
    }

    /// How many bytes an origin has got rid of when it gets no further.
    private static func stalledCount(of origin: LoopbackOrigin) async throws -> Int {
        _ = try await origin.connections("its first bytes gone") { ($0.first?.sentBytes ?? 0) > 0 }
        return try await origin.settled({ $0.first?.sentBytes }, for: .milliseconds(500)).first?.sentBytes ?? 0
    }
}
