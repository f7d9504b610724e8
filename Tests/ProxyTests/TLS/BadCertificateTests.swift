import Foundation
import NIOCore
import Proxy
import Support
import Testing
import Traffic
import Trust

/// Every certificate that is wrong: nothing of theirs reaches the client, which has our leaf and a 502 that says why.
@Suite(.timeLimit(.minutes(15)))
struct BadCertificateTests {
    /// Answers with what no client may see.
    private static func origin(_ tls: LoopbackOrigin.TLS) async throws -> LoopbackOrigin {
        try await LoopbackOrigin.start(
            tls: tls,
            script: RawRequest.answering { _ in Array("HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nsecret".utf8) }
        )
    }

    @Test("None of them gets a byte to the client, and none of their names gets into our leaf")
    func refused() async throws {
        let certificates = try await BadCertificates()
        let files =
            BadCertificates.bad.map { (kind: $0, tls: certificates.server($0)) }
            + [
                ("expired", "certificate-expired"), ("not-yet-valid", "certificate-not-yet-valid"),
                ("wrong-host", "certificate-name"), ("self-signed", "certificate-self-signed"),
                ("unknown-ca", "certificate-unknown-issuer"), ("weak-rsa-1024", "certificate-weak"),
            ].map { (kind: .init(name: $0.0, cause: $0.1), tls: Certificates.server($0.0)) }
        let good = try await Self.origin(Certificates.server("good"))
        try await RunningProxy.run(configure: { $0.upstreamRootsPEM?.append(certificates.rootsPEM) }) { proxy in
            for (kind, tls) in files {
                let origin = try await Self.origin(tls)
                try await Self.expectRefusal(kind, from: origin, by: proxy)
                #expect(origin.connections.allSatisfy { $0.receivedBytes == 0 }, "\(kind)")
            }
            let client = try await proxy.secureTunnel(to: good.port)
            try await client.send("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
            #expect(try await client.response().text == "secret")
        }
    }

    @Test("What is right is let through, however odd")
    func accepted() async throws {
        let certificates = try await BadCertificates()
        try await RunningProxy.run(configure: { $0.upstreamRootsPEM?.append(certificates.rootsPEM) }) { proxy in
            for kind in BadCertificates.right {
                let origin = try await Self.origin(certificates.server(kind))
                let client = try await proxy.secureTunnel(to: origin.port)
                try await client.send("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
                #expect(try await client.response().text == "secret", "\(kind)")
                try await Self.expectOurLeaf(by: proxy, port: origin.port, kind.name)
            }
        }
    }

    @Test("Our own root is never trusted upstream, even where this machine trusts it")
    func ownRoot() async throws {
        let directory = try TemporaryDirectory()
        try await RunningProxy.run(trustsItself: true) { proxy in
            let leaf = try proxy.authority.leaf(for: try ServerName("localhost"))
            let chain = leaf.chainDER.map { Self.pem($0, "CERTIFICATE") }.joined()
            let tls = LoopbackOrigin.TLS(
                certificateFile: try directory.write(chain, to: "own.pem"),
                keyFile: try directory.write(Self.pem(proxy.authority.leafKeyDER, "PRIVATE KEY"), to: "own-key.pem")
            )
            let origin = try await Self.origin(tls)
            try await Self.expectRefusal(.init(name: "own", cause: "own-root"), from: origin, by: proxy)
            #expect(origin.connections.allSatisfy { $0.receivedBytes == 0 })
        }
    }

    private static func expectRefusal(
        _ kind: BadCertificates.Kind,
        from origin: LoopbackOrigin,
        by proxy: RunningProxy
    ) async throws {
        let client = try await proxy.secureTunnel(to: origin.port)
        let target = "/private/\(kind.name)"
        try await client.send("GET \(target) HTTP/1.1\r\nHost: localhost\r\n\r\n")
        let response = try await client.response()
        #expect(response.code == 502 && response.head.contains("error=tls_"), "\(kind): \(response.head)")
        let said = response.head + response.text
        #expect(!said.contains("secret") && said.utf8.count < 2_000, "\(kind): \(said.prefix(500))")
        // The look at the leaf before this one may be a row too, of a client that left without a word.
        let record = try #require(proxy.sink.soFar.ended.last { $0.exchange.target == target })
        #expect(
            record.failure.hasPrefix("upstream tls \(kind.cause ?? "-")"),
            "\(kind): \(record.failure) \(response.text)"
        )
        #expect(record.exchange.response == nil, "\(kind)")
        try await expectOurLeaf(by: proxy, port: origin.port, kind.name)
    }

    /// Looks at the leaf with openssl's eyes: ours, for the name that was asked for and no other.
    private static func expectOurLeaf(by proxy: RunningProxy, port: Int, _ what: String) async throws {
        let shown = try await CommandLineTool.run(
            "openssl",
            [
                "s_client", "-proxy", "127.0.0.1:\(proxy.port)", "-connect", "localhost:\(port)", "-servername",
                "localhost",
                "-CAfile", proxy.rootFile, "-verify_return_error", "-verify_hostname", "localhost",
            ]
        )
        #expect(shown.output.contains("Verify return code: 0 (ok)"), "\(what): \(shown.errors.suffix(300))")
        #expect(!shown.output.lowercased().contains("their"), "\(what)")
        let text = try await CommandLineTool.run(
            "openssl",
            ["x509", "-noout", "-text"],
            input: shown.outputBytes
        ).output
        #expect(
            text.contains("X509v3 Subject Alternative Name: critical\n                DNS:localhost\n")
                || text.contains("X509v3 Subject Alternative Name: \n                DNS:localhost\n"),
            "\(what): \(text)"
        )
        #expect(!text.lowercased().contains("their"), "\(what)")
    }

    private static func pem(_ der: [UInt8], _ label: String) -> String {
        let lines = Data(der).base64EncodedString(options: [.lineLength64Characters, .endLineWithLineFeed])
        return "-----BEGIN \(label)-----\n\(lines)\n-----END \(label)-----\n"
    }
}
