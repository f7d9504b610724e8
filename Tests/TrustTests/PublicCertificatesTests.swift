import Foundation
import Testing

/// The certificates of `certs/`: each fails for the one reason its name says.
@Suite(.timeLimit(.minutes(15)))
struct PublicCertificatesTests {
    private let directory = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("certs").path

    private func verify(_ name: String, _ options: [String]) async throws -> OpenSSL.Answer {
        try await OpenSSL.run(
            ["verify", "-x509_strict", "-auth_level", "2", "-purpose", "sslserver", "-CAfile", directory + "/root.pem"]
                + options + [directory + "/\(name).pem"]
        )
    }

    @Test(
        "The good one is accepted for each of its names, until 2099",
        arguments: [["-verify_hostname", "localhost"], ["-verify_ip", "127.0.0.1"], ["-verify_ip", "::1"]]
    )
    func good(options: [String]) async throws {
        for moment in [Date(), Date(timeIntervalSince1970: 4_102_000_000)] {
            let answer = try await verify("good", options + ["-attime", "\(Int(moment.timeIntervalSince1970))"])
            #expect(answer.status == 0, "\(answer.text)")
        }
    }

    @Test(
        "Each bad one is refused for its reason",
        arguments: [
            ("expired", "certificate has expired"),
            ("not-yet-valid", "certificate is not yet valid"),
            ("wrong-host", "hostname mismatch"),
            ("self-signed", "self-signed certificate"),
            ("unknown-ca", "unable to get local issuer certificate"),
            ("weak-rsa-1024", "key too weak"),
        ]
    )
    func bad(name: String, reason: String) async throws {
        let answer = try await verify(name, ["-verify_hostname", "localhost"])
        #expect(answer.status != 0)
        #expect(answer.text.contains(reason), "\(answer.text)")
        #expect(answer.text.components(separatedBy: "error ").count - 1 <= 2, "one reason only: \(answer.text)")
    }

    @Test(
        "Each has the key beside it",
        arguments: [
            "root", "good", "expired", "not-yet-valid", "wrong-host", "self-signed", "unknown-ca", "weak-rsa-1024",
        ]
    )
    func keys(name: String) async throws {
        let key = try await OpenSSL.run(["pkey", "-in", directory + "/\(name)-key.pem", "-pubout"])
        let certificate = try await OpenSSL.run(["x509", "-in", directory + "/\(name).pem", "-noout", "-pubkey"])
        #expect(key.status == 0 && key.text == certificate.text)
    }
}
