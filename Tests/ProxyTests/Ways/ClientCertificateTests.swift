import Proxy
import Support
import Testing
import Traffic

/// Certificates that we show to upstreams, judged by openssl.
@Suite(.timeLimit(.minutes(15)))
struct ClientCertificateTests {
    @Test("An upstream that insists on a certificate gets the one for its name, and one that is not named gets none")
    func shown() async throws {
        let directory = try TemporaryDirectory()
        let (key, certificate) = (directory.file("client.key"), directory.file("client.pem"))
        let made = try await CommandLineTool.run(
            "openssl",
            [
                "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-noenc", "-days", "9",
                "-subj", "/CN=the client of the test", "-keyout", key, "-out", certificate,
            ]
        )
        #expect(made.status == 0, "\(made.errors)")
        let server = try RunningProcess(
            try CommandLineTool.find("openssl"),
            [
                "s_server", "-accept", "127.0.0.1:0", "-cert", Certificates.file("good.pem"), "-key",
                Certificates.file("good-key.pem"), "-Verify", "1", "-verify_return_error", "-CAfile", certificate,
                "-www",
            ]
        )
        let line = try await server.line(containing: "ACCEPT 127.0.0.1:")
        let port = try #require(Int(line.split(separator: ":").last ?? ""))
        let pem = try [certificate, key].map {
            String(decoding: try directory.read(String($0.split(separator: "/").last ?? "")), as: UTF8.self)
        }
        func answer(for pattern: String) async throws -> (RawResponse, RecordingSink.Ended) {
            var found: (RawResponse, RecordingSink.Ended)?
            try await RunningProxy.run(configure: {
                $0.clientCertificates = [
                    ClientCertificate(hosts: try #require(HostPattern(pattern)), pem: pem.joined(), file: "client.pem")
                ]
            }) { proxy in
                let client = try await proxy.secureTunnel(to: port)
                try await client.send("GET / HTTP/1.0\r\n\r\n")
                found = (try await client.response(), try await proxy.record())
            }
            return try #require(found)
        }
        let (page, record) = try await answer(for: "local*")
        #expect(page.code == 200 && page.text.contains("the client of the test"), "\(page.text.suffix(600))")
        #expect(record.exchange.outcome == .completed)
        let (refusal, failure) = try await answer(for: "other.test")
        #expect(refusal.code == 502 && failure.exchange.outcome == .failed, "\(refusal)")
        _ = try await server.destroy()
    }
}
