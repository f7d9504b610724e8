import NIOCore
import Traffic

/// Exchanges made up for the archive tests, with the bodies that a store would hold.
struct SampleExchange {
    var exchange: Exchange
    var requestBody: [UInt8] = []
    var responseBody: [UInt8] = []

    /// A GET that was answered; heads are given with bare line feeds.
    init(
        _ id: ExchangeID = 1,
        head: String = "GET /a?x=1 HTTP/1.1\nHost: api.example.test\n\n",
        target: String = "/a?x=1",
        scheme: Scheme? = .https,
        requestBody: [UInt8] = [],
        response: String? = "HTTP/1.1 200 OK\nContent-Type: text/plain\n\n",
        responseBody: [UInt8] = [],
        code: Int? = 200
    ) {
        var timeline = Timeline(started: 1_763_647_323_456_789)
        (timeline.blocked, timeline.dns, timeline.connect, timeline.tls) = (100, 1_200, 3_000, 5_500)
        (timeline.send, timeline.wait, timeline.receive, timeline.duration) = (40, 2_000, 560, 12_400)
        exchange = Exchange(
            timeline: timeline,
            method: String(head.prefix { $0 != " " }),
            scheme: scheme,
            host: "api.example.test",
            port: scheme?.defaultPort ?? 443,
            target: target,
            request: Message(head: Self.buffer(head), body: Self.measure(requestBody)),
            client: Peer(token: 1, address: "127.0.0.1:50000", tls: nil),
            outcome: .completed
        )
        exchange.id = id
        exchange.version = .http11
        exchange.upstreamVersion = .http11
        exchange.code = code
        exchange.upstream = Peer(token: 9, address: "[2001:db8::1]:443", tls: nil)
        if let response {
            exchange.response = Message(head: Self.buffer(response), body: Self.measure(responseBody))
        }
        self.requestBody = requestBody
        self.responseBody = responseBody
    }

    var record: ExchangeRecord { ExchangeRecord(exchange: exchange) }

    /// Reads the bodies as a store does.
    func source(_ id: ExchangeID, _ side: MessageSide, _ offset: Int64, _ limitBytes: Int) -> [UInt8] {
        Array((side == .request ? requestBody : responseBody).dropFirst(Int(offset)).prefix(min(limitBytes, 1000)))
    }

    static func buffer(_ head: String) -> ByteBuffer {
        ByteBuffer(string: head.split(separator: "\n", omittingEmptySubsequences: false).joined(separator: "\r\n"))
    }

    private static func measure(_ bytes: [UInt8]) -> Body {
        Body(
            length: Int64(bytes.count),
            kept: Int64(bytes.count),
            sha256: bytes.isEmpty ? [] : Array(repeating: 0xAB, count: 32)
        )
    }
}
