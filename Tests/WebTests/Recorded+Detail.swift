import Foundation
import NIOCore
import Traffic

extension Recorded {
    /// What a certificate says.
    static let facts = CertificateFacts(
        subject: "CN=api.example.test",
        issuer: "CN=Some Authority",
        names: ["api.example.test", "IP 192.0.2.1"],
        notBefore: 1_700_000_000_000_000,
        notAfter: 1_700_086_400_000_000,
        serial: "0A:FF",
        sha256: "AB:CD",
        key: "P-256",
        signature: "ecdsaWithSHA256"
    )

    /// An exchange with something for every part: a changed head, cookies, a token, certificates, a replay, warnings, a cut body.
    static func rich() -> Exchange {
        var exchange = Recorded.exchange(
            target: "/a?q=caf%C3%A9&flag",
            fields: [("Content-Type", "text/plain"), ("Set-Cookie", "sid=1; Path=/; HttpOnly"), ("set-cookie", "b=2")],
            length: 3
        )
        let token = "eyJhbGciOiJub25lIn0.eyJzdWIiOiJzYW0ifQ."
        let head =
            "GET /a?q=caf%C3%A9&flag HTTP/1.1\r\nhost: api.example.test\r\nProxy-Connection: keep-alive\r\nAuthorization: Bearer \(token)\r\nCookie: a=1; b\r\n\r\n"
        exchange.request.head = ByteBuffer(string: head)
        exchange.request.sentHead = ByteBuffer(
            string: head.replacingOccurrences(of: "Proxy-Connection: keep-alive\r\n", with: "Via: 1.1 inspect\r\n")
        )
        exchange.response?.body.length = 5
        exchange.warnings = ["Two Host fields came."]
        let tls = Peer.TLS(
            version: "TLSv1.3",
            serverName: "api.example.test",
            applicationProtocol: "h2",
            certificates: [[1, 2], [3]]
        )
        exchange.upstream = Peer(token: 9, address: "192.0.2.10:443", tls: tls)
        return exchange
    }
}
