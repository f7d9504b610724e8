import Foundation
import Support
import SwiftASN1
import Testing
import Trust
import X509

@Suite(.timeLimit(.minutes(15)))
struct RootCertificateTests {
    private let day = Date(timeIntervalSince1970: 1_795_219_200)  // 2026-11-21

    @Test("A root is an authority for leaves only, for two years from two days ago")
    func content() throws {
        let root = try RootCertificate(newOn: "studio.local", now: day)
        let certificate = try Certificate(derEncoded: root.der)
        #expect(root.commonName == "inspect root, studio.local, 2026-11-21")
        #expect(try certificate.extensions.basicConstraints == .isCertificateAuthority(maxPathLength: 0))
        #expect(certificate.extensions[oid: .X509ExtensionID.basicConstraints]?.critical == true)
        #expect(try certificate.extensions.keyUsage == KeyUsage(keyCertSign: true, cRLSign: true))
        #expect(certificate.extensions[oid: .X509ExtensionID.keyUsage]?.critical == true)
        #expect(root.notBefore == day.addingTimeInterval(-48 * 3_600))
        #expect(root.notAfter == root.notBefore.addingTimeInterval(730 * 86_400 - 1))
        #expect(certificate.publicKey.isValidSignature(certificate.signature, for: certificate))
    }

    @Test("openssl sees the same fingerprint in the PEM")
    func fingerprint() async throws {
        let directory = try TemporaryDirectory()
        let root = try RootCertificate(newOn: "host", now: day)
        let answer = try await OpenSSL.run(
            ["x509", "-noout", "-fingerprint", "-sha256", "-in", directory.write(root.pem, to: "root.pem")]
        )
        #expect(answer.text.contains("=\(root.fingerprint)\n"))
        #expect(root.fingerprint.count == 95)
    }

    @Test(
        "The name stays within 64 characters and ASCII whatever the machine is called",
        arguments: [
            ("", "inspect root, unnamed host, 2026-11-21"),
            ("anna's büro\n", "inspect root, anna-s-b-ro-, 2026-11-21"),
            (String(repeating: "h", count: 300), "inspect root, \(String(repeating: "h", count: 38)), 2026-11-21"),
        ]
    )
    func name(hostName: String, commonName: String) throws {
        let root = try RootCertificate(newOn: hostName, now: day)
        #expect(root.commonName == commonName)
        #expect(root.commonName.count <= 64)
    }
}
