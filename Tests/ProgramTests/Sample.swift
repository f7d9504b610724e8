import Crypto
import NIOCore
import Traffic

/// An exchange that ended, with its bodies.
struct Sample: Sendable {
    var token: CaptureToken
    var exchange: Exchange
    var requestBody: [UInt8]
    var responseBody: [UInt8]

    init(
        _ token: CaptureToken,
        _ method: String = "GET",
        _ target: String = "/",
        scheme: Scheme = .https,
        host: String = "api.example.test",
        code: Int = 200,
        fields: String = "Content-Type: text/plain\r\n",
        requestBody: [UInt8] = [],
        responseBody: [UInt8] = []
    ) {
        self.token = token
        self.requestBody = requestBody
        self.responseBody = responseBody
        var timeline = Timeline(started: 1_763_647_323_456_789 + Int64(token) * 1000)
        (timeline.send, timeline.wait, timeline.receive, timeline.duration) = (100, 2_000, 300, 2_400)
        exchange = Exchange(
            timeline: timeline,
            method: method,
            scheme: scheme,
            host: host,
            port: scheme.defaultPort,
            target: target,
            request: Message(
                head: ByteBuffer(string: "\(method) \(target) HTTP/1.1\r\nHost: \(host)\r\nX-Case: Kept\r\n\r\n"),
                body: Sample.measure(requestBody)
            ),
            client: Peer(token: 1, address: "127.0.0.1:50000", tls: nil),
            outcome: .completed
        )
        exchange.version = .http11
        exchange.upstreamVersion = .http11
        exchange.code = code
        exchange.upstream = Peer(token: 2, address: "192.0.2.1:443", tls: nil)
        exchange.response = Message(
            head: ByteBuffer(string: "HTTP/1.1 \(code) Whatever\r\n\(fields)\r\n"),
            body: Sample.measure(responseBody)
        )
        exchange.mediaType = MediaType(exchange.response?.fields.first("Content-Type"))?.essence
    }

    /// The same, broken off before any response.
    func failed() -> Sample {
        var sample = self
        sample.exchange.outcome = .failed
        sample.exchange.failure = ExchangeFailure(
            side: .upstream,
            phase: .connect,
            cause: .refused,
            message: "Nobody listens there.",
            retry: true
        )
        (sample.exchange.code, sample.exchange.response, sample.exchange.mediaType) = (nil, nil, nil)
        sample.responseBody = []
        return sample
    }

    private static func measure(_ bytes: [UInt8]) -> Body {
        Body(
            length: Int64(bytes.count),
            kept: Int64(bytes.count),
            sha256: bytes.isEmpty ? [] : Array(SHA256.hash(data: bytes))
        )
    }
}
