import Foundation
import SwiftASN1
import Testing
import Trust
import X509

@Suite(.timeLimit(.minutes(15)))
struct CertificateAuthorityTests {
    private let now = Date(timeIntervalSince1970: Date().timeIntervalSince1970.rounded(.down))

    private func authority() throws -> CertificateAuthority {
        let now = now
        return try CertificateAuthority(root: RootCertificate(newOn: "host", now: now), now: { now })
    }

    @Test(
        "openssl accepts a minted chain for its DNS name and for no other",
        arguments: [
            "api.example.test", "localhost", "BÜCHER.example", "under_score.example.test",
            String(repeating: "long.", count: 49) + "example",
        ]
    )
    func dnsName(name: String) async throws {
        let leaf = try authority().leaf(for: ServerName(name))
        let accepted = try await OpenSSL.verify(leaf, ["-verify_hostname", leaf.name.text])
        #expect(accepted.status == 0, "\(accepted.text)")
        let refused = try await OpenSSL.verify(leaf, ["-verify_hostname", "other.example.test"])
        #expect(refused.text.contains("hostname mismatch"))
    }

    @Test(
        "openssl accepts a minted chain for its address and for no other",
        arguments: ["127.0.0.1", "::1", "2001:db8::7"]
    )
    func address(name: String) async throws {
        let leaf = try authority().leaf(for: ServerName(name))
        let accepted = try await OpenSSL.verify(leaf, ["-verify_ip", name])
        #expect(accepted.status == 0, "\(accepted.text)")
        let refused = try await OpenSSL.verify(leaf, ["-verify_ip", "192.0.2.9"])
        #expect(refused.text.contains("IP address mismatch"))
    }

    @Test("A leaf of another root is refused")
    func otherRoot() async throws {
        let ours = try authority().leaf(for: ServerName("a.test"))
        let others = try authority().leaf(for: ServerName("a.test"))
        #expect(try await OpenSSL.verify(ours, by: others.rootDER, []).status != 0)
    }

    @Test("A leaf holds what browsers ask for and nothing else")
    func content() throws {
        let authority = try authority()
        let leaf = try authority.leaf(for: ServerName("api.example.test"))
        let certificate = try Certificate(derEncoded: leaf.der)
        let root = try Certificate(derEncoded: leaf.rootDER)

        #expect(certificate.notValidBefore == now.addingTimeInterval(-48 * 3_600))
        let lifetime = certificate.notValidAfter.timeIntervalSince(certificate.notValidBefore) + 1
        #expect(lifetime == 47 * 86_400)
        #expect(leaf.notBefore == certificate.notValidBefore && leaf.notAfter == certificate.notValidAfter)
        #expect(certificate.serialNumber.bytes.count == 16)
        #expect(try certificate.extensions.keyUsage == KeyUsage(digitalSignature: true))
        #expect(try certificate.extensions.extendedKeyUsage == ExtendedKeyUsage([.serverAuth]))
        #expect(try certificate.extensions.basicConstraints == .notCertificateAuthority)
        let names = try #require(try certificate.extensions.subjectAlternativeNames)
        #expect(Array(names) == [.dnsName("api.example.test")])
        let identifier = try #require(try root.extensions.subjectKeyIdentifier?.keyIdentifier)
        #expect(identifier.count == 20)
        #expect(try certificate.extensions.authorityKeyIdentifier?.keyIdentifier == identifier)
        #expect(certificate.issuer == root.subject)
        #expect(root.publicKey.isValidSignature(certificate.signature, for: certificate))
    }

    @Test("A name over 64 characters leaves the subject empty and the alternative name critical")
    func emptySubject() throws {
        let authority = try authority()
        let short = try Certificate(derEncoded: authority.leaf(for: ServerName("a.test")).der)
        #expect(!short.subject.isEmpty)
        #expect(short.extensions[oid: .X509ExtensionID.subjectAlternativeName]?.critical == false)
        let name = String(repeating: "a", count: 60) + ".test"
        let long = try Certificate(derEncoded: authority.leaf(for: ServerName(name)).der)
        #expect(long.subject.isEmpty)
        #expect(long.extensions[oid: .X509ExtensionID.subjectAlternativeName]?.critical == true)
    }

    @Test("The private key a leaf carries is the certificate's, and serials do not repeat")
    func keyAndSerials() throws {
        let authority = try authority()
        let leaves = try (0..<200).map { try authority.leaf(for: ServerName("h\($0).test")) }
        let key = try Certificate.PrivateKey(pemEncoded: leaves[0].privateKeyPEM)
        let certificates = try leaves.map { try Certificate(derEncoded: $0.der) }
        #expect(certificates.allSatisfy { $0.publicKey == key.publicKey })
        #expect(try Certificate.PrivateKey(derBytes: authority.leafKeyDER) == key)
        #expect(Set(certificates.map(\.serialNumber)).count == 200)
        let end = "-----END CERTIFICATE-----\n"
        let blocks = leaves[0].chainPEM.components(separatedBy: end).dropLast()
        let chain = try blocks.map { try Certificate(pemEncoded: $0 + end) }
        #expect(try chain == leaves[0].chainDER.map { try Certificate(derEncoded: $0) })
    }

    @Test("Once the root's time is over nothing is minted")
    func expiredRoot() throws {
        let root = try RootCertificate(newOn: "host", now: now)
        let later = root.notAfter.addingTimeInterval(1)
        let authority = try CertificateAuthority(root: root, now: { later })
        let error = #expect(throws: TrustError.self) { try authority.leaf(for: ServerName("a.test")) }
        #expect(error?.description.contains("expired on") == true)
    }

    @Test("Neither a root nor a leaf shows its key when printed or dumped")
    func keysStayHidden() throws {
        let root = try RootCertificate(newOn: "host", now: now)
        let leaf = try CertificateAuthority(root: root, now: { Date() }).leaf(for: ServerName("a.test"))
        var dumped = ""
        dump(root, to: &dumped)
        dump(leaf, to: &dumped)
        dumped += "\(root) \(leaf) \(String(reflecting: root)) \(String(reflecting: leaf))"
        #expect(dumped.contains("a.test"))
        #expect(!dumped.lowercased().contains("key"))
        #expect(!dumped.contains(leaf.privateKeyDER.map(String.init).joined(separator: ", ")))
    }
}
