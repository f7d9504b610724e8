import NIOCore
import Traffic

extension Exchange {
    /// A completed GET with everything plain about it.
    static func plain(
        _ method: String = "GET",
        scheme: Scheme? = .https,
        host: String = "api.example.test",
        target: String = "/v2/facilities/",
        code: Int? = 200,
        started: Int64 = 1_760_000_000_000_000,
        outcome: Outcome = .completed,
        mediaType: String? = "application/json",
        version: HTTPVersion? = .http11,
        client: Peer = .plainClient
    ) -> Exchange {
        var exchange = Exchange(
            timeline: Timeline(started: started),
            method: method,
            scheme: scheme,
            host: host,
            port: 443,
            target: target,
            request: Message(head: ByteBuffer(string: "\(method) \(target) HTTP/1.1\r\nHost: \(host)\r\n\r\n")),
            client: client,
            outcome: outcome
        )
        exchange.version = version
        exchange.code = code
        exchange.mediaType = mediaType
        exchange.timeline.duration = outcome == .pending ? nil : 1234
        if let code { exchange.response = Message(head: ByteBuffer(string: "HTTP/1.1 \(code) OK\r\n\r\n")) }
        if outcome == .failed {
            exchange.failure = ExchangeFailure(
                side: .upstream,
                phase: .connect,
                cause: .refused,
                message: "It refused.",
                retry: true
            )
        }
        return exchange
    }

    /// The exchange with the measure of a response body.
    func with(responseBody bytes: [UInt8], length: Int? = nil, digest: UInt8? = nil) -> Exchange {
        var exchange = self
        exchange.response?.body = .measured(bytes, length: length, digest: digest)
        return exchange
    }
}

extension Body {
    /// A measure as the proxy makes it, with a stand-in for the digest that depends on the bytes.
    static func measured(_ bytes: [UInt8], length: Int? = nil, digest: UInt8? = nil) -> Body {
        // Eight bytes at a time, since some bodies have megabytes.
        let sum = bytes.withUnsafeBytes { raw in
            let words = raw.count / 8 * 8
            var hash: UInt64 = 14_695_981_039_346_656_037
            for place in stride(from: 0, to: words, by: 8) {
                hash = (hash ^ raw.loadUnaligned(fromByteOffset: place, as: UInt64.self)) &* 1_099_511_628_211
            }
            for byte in raw[words...] { hash = (hash ^ UInt64(byte)) &* 1_099_511_628_211 }
            return hash
        }
        let sha256 = (0..<32).map { digest ?? UInt8(truncatingIfNeeded: sum >> UInt64(($0 % 8) * 8)) }
        return Body(length: Int64(length ?? bytes.count), kept: Int64(bytes.count), sha256: sha256)
    }
}

extension Peer {
    static let plainClient = Peer(token: 1, address: "127.0.0.1:50000", tls: nil)
}

/// Bytes that differ from place to place, so that a chunk in the wrong place shows.
func pattern(_ count: Int, seed: Int = 0) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: ($0 &* 31) ^ ($0 >> 8) ^ seed) }
}
