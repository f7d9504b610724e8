import Crypto
import NIOCore
import Traffic

/// A GET of 1 KB of JSON as the proxy records it; every number makes a different body.
struct SampleExchange {
    let number: CaptureToken

    private static let peer = Peer(token: 1, address: "127.0.0.1:50000", tls: nil)
    private static let upstream = Peer(
        token: 2,
        address: "192.0.2.1:443",
        tls: Peer.TLS(version: "TLSv1.3", serverName: "api.example.test", applicationProtocol: "http/1.1")
    )

    /// The event that ends it, with its body.
    var ended: ExchangeEvent { .ended(number, exchange, request: ByteBuffer(), response: body) }

    private var body: ByteBuffer {
        let padding = String(repeating: #"{"slug":"hall","start_day":0,"end_day":6},"#, count: 22)
        return ByteBuffer(string: #"{"request":\#(number),"rows":[\#(padding.dropLast())]}"#)
    }

    /// Its record.
    var exchange: Exchange {
        let body = body
        let target = "/v2/facilities/?page=\(number % 1_000)"
        var exchange = Exchange(
            timeline: Timeline(started: 1_760_000_000_000_000 + Int64(number) * 250),
            method: number % 10 == 0 ? "POST" : "GET",
            scheme: .https,
            host: "api.example.test",
            port: 443,
            target: target,
            request: Message(
                head: ByteBuffer(
                    string:
                        "GET \(target) HTTP/1.1\r\nHost: api.example.test\r\nUser-Agent: bench/1\r\nAccept: application/json\r\n\r\n"
                )
            ),
            client: Self.peer,
            outcome: .completed
        )
        exchange.code = number % 50 == 0 ? 500 : 200
        exchange.mediaType = "application/json"
        exchange.version = .http11
        exchange.upstreamVersion = .http11
        exchange.upstream = Self.upstream
        exchange.timeline.wait = 800
        exchange.timeline.receive = 40
        exchange.timeline.duration = 900
        exchange.response = Message(
            head: ByteBuffer(
                string:
                    "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: \(body.readableBytes)\r\nServer: bench\r\n\r\n"
            ),
            body: Body(
                length: Int64(body.readableBytes),
                kept: Int64(body.readableBytes),
                sha256: Array(SHA256.hash(data: Array(body.readableBytesView)))
            )
        )
        return exchange
    }
}
