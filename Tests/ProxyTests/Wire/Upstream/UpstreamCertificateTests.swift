import NIOCore
import NIOSSL
import Proxy
import Support
import Testing
import Traffic

/// What becomes of requests to an upstream whose certificate cannot be trusted.
@Suite(.timeLimit(.minutes(15)))
struct UpstreamCertificateTests {
    @Test(
        "A bad certificate is a 502 that says what is wrong; nothing goes to that upstream and nothing comes from it",
        arguments: [
            ("expired", "certificate-expired"), ("not-yet-valid", "certificate-not-yet-valid"),
            ("wrong-host", "certificate-name"),
            ("self-signed", "certificate-self-signed"), ("unknown-ca", "certificate-unknown-issuer"),
        ]
    )
    func refused(name: String, cause: String) async throws {
        let origin = try await LoopbackOrigin.start(
            tls: Certificates.server(name),
            script: RawRequest.answering { _ in Array("HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nsecret".utf8) }
        )
        try await RunningProxy.run { proxy in
            let client = try await proxy.secureTunnel(to: origin.port)
            for _ in 1...2 {
                try await client.send("GET /private HTTP/1.1\r\nHost: localhost\r\n\r\n")
                let response = try await client.response()
                #expect(response.code == 502 && response.head.contains("error=tls_certificate_error"))
                #expect(!response.text.contains("secret") && response.text.contains("localhost"))
            }
            #expect(origin.connections.allSatisfy { $0.receivedBytes == 0 })
            let record = try #require(try await proxy.sink.ended(2).first)
            let shown = try #require(record.exchange.upstream?.tls)
            let leaf = try NIOSSLCertificate.fromPEMFile(Certificates.file("\(name).pem")).first?.toDERBytes()
            #expect(shown.serverName == "localhost" && shown.certificates.first == leaf)
            #expect(
                record.failure == "upstream tls \(cause)" && record.exchange.scheme == .https
                    && record.exchange.target == "/private"
            )
        }
    }

    @Test("An unverified upstream is let through only when the configuration says so")
    func insecure() async throws {
        let origin = try await LoopbackOrigin.start(
            tls: Certificates.server("self-signed"),
            script: RawRequest.answering { _ in Array("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok".utf8) }
        )
        try await RunningProxy.run(configure: { $0.isUpstreamVerified = false }) { proxy in
            let client = try await proxy.secureTunnel(to: origin.port)
            try await client.send("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
            #expect(try await client.response().text == "ok")
            #expect(try await proxy.record().exchange.upstream?.tls?.certificates.count == 1)
        }
    }

    @Test("A client that refuses our certificate leaves a failed row with the host and the alert")
    func clientRefuses() async throws {
        let origin = try await LoopbackOrigin.start(tls: Certificates.server("good")) { _ in nil }
        try await RunningProxy.run { proxy in
            let client = try await proxy.tunnel(to: origin.port)
            await #expect(throws: (any Error).self) {
                try await client.startTLS(name: "localhost", trusting: Certificates.file("root.pem"))
            }
            let record = try await proxy.record()
            #expect(
                record.failure == "client tls unknown-ca" || record.failure == "client tls certificate-unknown",
                "\(record.failure)"
            )
            #expect(
                record.exchange.host == "localhost" && record.exchange.scheme == .https && record.exchange.code == nil
            )
            // Nobody gave words for what mends it.
            let message = try #require(record.exchange.failure?.message)
            let remedy = try #require(TLSRemedy(record.exchange))
            #expect(remedy.step != nil && message.hasSuffix(" \(remedy.explanation)"), "\(message)")
        }
    }

    @Test("A client that leaves during the handshake leaves a failed row")
    func clientLeaves() async throws {
        let origin = try await LoopbackOrigin.start(tls: Certificates.server("good")) { _ in nil }
        try await RunningProxy.run { proxy in
            let client = try await proxy.tunnel(to: origin.port)
            try await client.send([0x16, 3, 1, 2, 0, 1, 0, 1, 0xFC, 3, 3])
            try await client.close()
            #expect(try await proxy.record().failure == "client tls closed")
        }
    }
}
