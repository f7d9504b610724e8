import NIOCore
import Store
import Traffic

/// Exchanges to be recorded by a test, and the way into a store.
enum Recorded {
    /// 2026-11-20T14:02:03.456Z in microseconds.
    static let start: Int64 = 1_795_183_323_456_000

    /// A whole exchange with a response.
    ///
    /// - Parameters:
    ///   - code: the response's status code.
    ///   - method: the request's method.
    ///   - scheme: http or https.
    ///   - host: the upstream.
    ///   - target: the request target.
    ///   - fields: the response's field lines beside its length.
    ///   - length: the response body's bytes.
    ///   - offset: microseconds after `start`.
    /// - Returns: the exchange, without a number.
    static func exchange(
        code: Int = 200,
        method: String = "GET",
        scheme: Scheme = .https,
        host: String = "api.example.test",
        target: String = "/v2/facilities/?format=json",
        fields: [(String, String)] = [("Content-Type", "application/json")],
        length: Int = 0,
        offset: Int64 = 0
    ) -> Exchange {
        var timeline = Timeline(started: start + offset)
        (timeline.dns, timeline.connect, timeline.tls) = (1_200, 3_400, 8_100)
        (timeline.send, timeline.wait, timeline.receive, timeline.duration) = (200, 12_000, 900, 25_800)
        let head = "\(method) \(target) HTTP/1.1\r\nhost: \(host)\r\nX-Twice: a\r\nX-Twice: b\r\n\r\n"
        let tls = Peer.TLS(version: "TLSv1.3", serverName: host, applicationProtocol: "http/1.1")
        var exchange = Exchange(
            timeline: timeline,
            method: method,
            scheme: scheme,
            host: host,
            port: scheme.defaultPort,
            target: target,
            request: Message(head: ByteBuffer(string: head)),
            client: Peer(token: 1, address: "127.0.0.1:50000", tls: tls),
            outcome: .completed
        )
        let lines = fields.map { "\($0.0): \($0.1)\r\n" }.joined()
        var response = Message(
            head: ByteBuffer(string: "HTTP/1.1 \(code) Because\r\n\(lines)Content-Length: \(length)\r\n\r\n")
        )
        response.body = Body(
            length: Int64(length),
            kept: Int64(length),
            sha256: length == 0 ? [] : Array(repeating: 7, count: 32)
        )
        exchange.response = response
        exchange.code = code
        exchange.mediaType = MediaType(response.fields.first("Content-Type"))?.essence
        exchange.version = .http11
        exchange.upstreamVersion = .http11
        exchange.upstream = Peer(token: 2, address: "192.0.2.10:443", tls: tls)
        return exchange
    }

    /// An exchange whose upstream refused.
    static func refused(offset: Int64 = 0) -> Exchange {
        var exchange = exchange(offset: offset)
        (exchange.response, exchange.code, exchange.mediaType, exchange.upstream) = (nil, nil, nil, nil)
        exchange.outcome = .failed
        exchange.failure = ExchangeFailure(
            side: .upstream,
            phase: .connect,
            cause: .refused,
            message: "The upstream refused the connection.",
            retry: true
        )
        return exchange
    }
}

extension TrafficStore {
    /// Records an exchange and returns its number once it is committed.
    @discardableResult
    func record(_ exchange: Exchange, request: [UInt8] = [], response: [UInt8] = []) async throws -> ExchangeID {
        let receipt = await withCheckedContinuation { continuation in
            let ended = ExchangeEvent.ended(
                UInt64.random(in: 1...UInt64.max),
                exchange,
                request: ByteBuffer(bytes: request),
                response: ByteBuffer(bytes: response)
            )
            submit(CaptureBatch(events: [ended]) { continuation.resume(returning: $0) })
        }
        guard receipt.isRecorded, let id = receipt.ids.first else { throw NotRecorded() }
        return id
    }

    /// Records that exchanges were late, and returns once that is committed.
    func record(late: LateSpell) async throws {
        let receipt = await withCheckedContinuation { continuation in
            submit(CaptureBatch(events: [], late: late) { continuation.resume(returning: $0) })
        }
        guard receipt.isRecorded else { throw NotRecorded() }
    }

    /// The store did not take an exchange.
    struct NotRecorded: Error {}
}
