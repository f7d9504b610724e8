import Crypto
import Foundation
import HummingbirdTLS
import NIOCore
import NIOSSL
import SwiftASN1
import X509

/// A self-signed P-256 certificate for this machine's loopback names, and its key; made at start, never written down.
struct ServerCertificate: Sendable {
    /// The certificate for a client to trust.
    let certificatePEM: String
    private let keyPEM: String

    /// Mints a certificate valid from an hour before a real instant until 30 days after it.
    ///
    /// It may sign nothing but itself, so a client that trusts it trusts nothing else. It names no key usage: BoringSSL, and so NIOSSL, looks
    /// for the right to sign certificates even where a certificate is its own issuer, and refuses one whose usages leave that out.
    init(now: Date) throws {
        let key = P256.Signing.PrivateKey()
        let signingKey = Certificate.PrivateKey(key)
        let name = try DistinguishedName {
            OrganizationName("inspect facility API")
            CommonName("localhost")
        }
        let certificate = try Certificate(
            version: .v3,
            serialNumber: Certificate.SerialNumber(),
            publicKey: signingKey.publicKey,
            notValidBefore: now.addingTimeInterval(-3600),
            notValidAfter: now.addingTimeInterval(30 * 86_400),
            issuer: name,
            subject: name,
            extensions: try Certificate.Extensions {
                Critical(BasicConstraints.notCertificateAuthority)
                try ExtendedKeyUsage([.serverAuth])
                SubjectKeyIdentifier(hash: signingKey.publicKey)
                SubjectAlternativeNames([
                    .dnsName("localhost"),
                    .ipAddress(ASN1OctetString(contentBytes: [127, 0, 0, 1])),
                    .ipAddress(ASN1OctetString(contentBytes: [UInt8](repeating: 0, count: 15) + [1])),
                ])
            },
            issuerPrivateKey: signingKey
        )
        certificatePEM = try certificate.serializeAsPEM().pemString + "\n"
        keyPEM = key.pemRepresentation
    }

    /// How long a connection that ends waits for its client to end it too, and TLS first.
    ///
    /// Many clients never do, and the server stops only after that. A connection that is closed at once, as by a fault, has no more time than
    /// this to send what is left of its answer.
    static let endTimeout = TimeAmount.milliseconds(100)

    /// What a listener needs to speak TLS with this certificate.
    func tlsConfiguration() throws -> TLSConfiguration {
        let chain = try NIOSSLCertificate.fromPEMBytes(Array(certificatePEM.utf8))
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: chain.map { .certificate($0) },
            privateKey: .privateKey(try NIOSSLPrivateKey(bytes: Array(keyPEM.utf8), format: .pem))
        )
        configuration.shutdownTimeout = Self.endTimeout
        return configuration
    }
}
