import Crypto
import Foundation
import SwiftASN1
import Testing
import Trust
import X509

@Suite(.timeLimit(.minutes(15)))
struct CertificateNamesTests {
    @Test(
        "A name of a certificate stands for a host name, or a wildcard for one whole label",
        arguments: [
            ("api.example.test", "api.example.test", true), ("api.example.test", "example.test", false),
            ("*.example.test", "api.example.test", true), ("*.example.test", "a.b.example.test", false),
            ("*.example.test", "example.test", false), ("*.test", "example.test", false),
            ("a*.example.test", "api.example.test", false),
            ("*.*.test", "a.b.test", false), ("", "localhost", false), ("localhost", "localhost", true),
            ("API.Example.TEST", "api.example.test", true),
        ]
    )
    func matching(pattern: String, name: String, isMatch: Bool) throws {
        let key = Certificate.PrivateKey(P256.Signing.PrivateKey())
        let certificate = try Certificate(
            version: .v3,
            serialNumber: Certificate.SerialNumber(),
            publicKey: key.publicKey,
            notValidBefore: Date(),
            notValidAfter: Date(timeIntervalSinceNow: 60),
            issuer: DistinguishedName(),
            subject: DistinguishedName(),
            signatureAlgorithm: .ecdsaWithSHA256,
            extensions: Certificate.Extensions {
                Critical(SubjectAlternativeNames([.dnsName(pattern)]))
            },
            issuerPrivateKey: key
        )
        let der = try certificate.serializeAsPEM().derBytes
        #expect(try CertificateNames.cover(der, name: ServerName(name)) == isMatch)
    }

    @Test("What is no certificate is for no name")
    func garbage() throws { #expect(!CertificateNames.cover([1, 2, 3], name: try ServerName("localhost"))) }

    @Test("An address is covered by the same address alone, however it is written, and a name by no address")
    func addresses() throws {
        let root = try RootCertificate(newOn: "test", now: Date())
        let authority = try CertificateAuthority(root: root) { Date() }
        func isCovered(_ name: String, by shown: String) throws -> Bool {
            let leaf = try #require(try authority.leaf(for: try ServerName(shown)).chainDER.first)
            return CertificateNames.cover(leaf, name: try ServerName(name))
        }
        #expect(try isCovered("192.0.2.1", by: "192.0.2.1") && !isCovered("192.0.2.2", by: "192.0.2.1"))
        #expect(try isCovered("[2001:DB8:0:0::1]", by: "2001:db8::1") && !isCovered("2001:db8::2", by: "2001:db8::1"))
        #expect(try !isCovered("a.test", by: "192.0.2.1") && !isCovered("192.0.2.1", by: "a.test"))
        #expect(try isCovered("A.test.", by: "a.test"))
    }
}
