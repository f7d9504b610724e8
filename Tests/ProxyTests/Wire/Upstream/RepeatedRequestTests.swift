import Proxy
import Support
import Testing
import Traffic

/// Requests whose first try comes to nothing on a connection that carried another one before.
@Suite(.timeLimit(.minutes(15)))
struct RepeatedRequestTests {
    /// An origin of HTTP/2 that answers the first request of a connection, and does something else about a later one.
    private static func http2(_ later: @escaping @Sendable (UInt8) -> [LoopbackOrigin.Step]) async throws
        -> LoopbackOrigin
    {
        var tls = Certificates.server("good")
        tls.protocols = ["h2"]
        return try await LoopbackOrigin.start(tls: tls) { unanswered in
            H2Frames.reply(to: unanswered) { frames in
                guard let stream = frames.first(where: { $0.type == 1 })?.stream else { return nil }
                guard stream == 1 else { return later(stream) }
                return [.send(H2Frames.headers([(":status", "204")], H2Frames.endStream))]
            }
        }
    }

    /// The same of HTTP/1.1, which closes the connection over a later request.
    private static func http1() async throws -> LoopbackOrigin {
        try await LoopbackOrigin.start(tls: Certificates.server("good")) { unanswered in
            guard let request = RawRequest(first: unanswered) else { return nil }
            let answer = Array("HTTP/1.1 204 No Content\r\n\r\n".utf8)
            return .init(consuming: request.bytes.count, request.target == "/first" ? .send(answer) : .close)
        }
    }

    private static func get(_ path: String, _ origin: LoopbackOrigin) -> String {
        let authority = "localhost:\(origin.port)"
        return "GET https://\(authority)\(path) HTTP/1.1\r\nHost: \(authority)\r\n\r\n"
    }

    @Test("Where a second try finds no connection, the row tells that there was a first", arguments: [true, false])
    func unreachable(isHTTP2: Bool) async throws {
        // RST_STREAM with REFUSED_STREAM: nothing was done with the request.
        let origin =
            isHTTP2
            ? try await Self.http2 { [.send(H2Frames.frame(3, 0, stream: $0, [0, 0, 0, 7]))] } : try await Self.http1()
        try await RunningProxy.run(configure: { $0.matchesProtocols = false }) { proxy in
            let client = try await proxy.connect()
            try await client.send(Self.get("/first", origin))
            #expect(try await client.response().code == 204)
            try await origin.stop()
            try await client.send(Self.get("/second", origin))
            #expect(try await client.response().code == 502)
            let row = try #require(try await proxy.sink.ended(2).last)
            #expect(row.failure == "upstream connect refused")
            let exchange = row.exchange
            #expect(
                exchange.warnings == [
                    "The request was sent before: the upstream had closed a kept connection, or not begun with it."
                ]
            )
            #expect(exchange.upstream == nil && exchange.upstreamStream == nil && exchange.upstreamVersion == nil)
            let timeline = exchange.timeline
            #expect(timeline.connect == nil && timeline.tls == nil && timeline.dns == nil)
            #expect(timeline.send == nil && timeline.wait == nil && timeline.duration != nil)
        }
    }

    @Test("A request is not sent again once a part of a stream's response came", arguments: [0, 1, 2])
    func withinHeaders(number: Int) async throws {
        // No END_HEADERS, the half of a frame, and no frame at all.
        let whole = H2Frames.headers([(":status", "200")], 0, stream: 3)
        let parts = [H2Frames.frame(1, 0, stream: 3, Array(whole.dropFirst(9))), Array(whole.dropLast(5)), []]
        let origin = try await Self.http2 { _ in
            parts[number].isEmpty ? [.close] : [.send(parts[number]), .close]
        }
        try await RunningProxy.run(configure: { $0.matchesProtocols = false }) { proxy in
            let client = try await proxy.connect()
            try await client.send(Self.get("/first", origin))
            #expect(try await client.response().code == 204)
            try await client.send(Self.get("/second", origin))
            // Sent again, it is the first of its connection.
            #expect(try await client.response().code == (parts[number].isEmpty ? 204 : 502))
            #expect(origin.connections.count == (parts[number].isEmpty ? 2 : 1))
            // It is said once.
            let warnings = try await proxy.sink.ended(2).last?.exchange.warnings ?? []
            let again =
                "The upstream had closed a kept connection, or not begun with the request; it was sent again on a new one."
            #expect(warnings.filter { $0.contains("kept connection") } == (parts[number].isEmpty ? [again] : []))
        }
    }
}
