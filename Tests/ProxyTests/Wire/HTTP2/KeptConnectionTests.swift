import Proxy
import Support
import Testing
import Traffic

/// Requests of HTTP/2 that are for no connection of HTTP/1, though one to their upstream is kept.
@Suite(.timeLimit(.minutes(15)))
struct KeptConnectionTests {
    @Test("An extended CONNECT is not sent on a kept connection of HTTP/1, and its client is told that it cannot be")
    func extendedConnect() async throws {
        let origin = try await LoopbackOrigin.start(
            tls: Certificates.server("good"),
            script: RawRequest.answering { _ in Array("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok".utf8) }
        )
        try await RunningProxy.run(configure: { $0.matchesProtocols = false }) { proxy in
            let client = try await proxy.tunnel(to: origin.port)
            try await client.startTLS(name: "localhost", trusting: proxy.rootFile, protocols: ["h2"])
            let place = [(":scheme", "https"), (":authority", "localhost:\(origin.port)"), (":path", "/")]
            let get = H2Frames.headers([(":method", "GET")] + place, H2Frames.endStream)
            try await client.send(H2Frames.opening + get)
            #expect(try await proxy.record().exchange.outcome == .completed)
            let connect = [(":method", "CONNECT"), (":protocol", "websocket")] + place
            try await client.send(H2Frames.headers(connect, 0, stream: 3))
            let records = try await proxy.sink.ended(2)
            #expect(records.last?.failure == "upstream connect no-extended-connect")
            let requests = origin.connections.flatMap { $0.receivedText.ranges(of: " HTTP/1.1\r\n") }
            #expect(requests.count == 1, "\(origin.connections.map(\.receivedText))")
        }
    }
}
