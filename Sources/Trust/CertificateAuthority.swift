import Crypto
package import Foundation
import SwiftASN1
import X509

/// Mints server certificates in the name of a root, all with one key made when the authority is.
///
/// Stateless but for that key, so it may be called from any thread; `LeafCache` remembers what it minted.
package struct CertificateAuthority: Sendable {
    /// How long a leaf lasts, backdating included: the 47 days to which browsers are reducing their limit.
    package static let leafLifetime: TimeInterval = 47 * 86_400

    package let root: RootCertificate
    /// The moment, as the caller's clock has it.
    package let now: @Sendable () -> Date
    /// The key of every leaf, as PKCS#8.
    package let leafKeyDER: [UInt8]

    private let leafKey: Certificate.PublicKey
    private let rootKey: Certificate.PrivateKey
    /// The extensions every leaf shares, encoded once.
    private let sharedExtensions: [Certificate.Extension]

    /// Makes an authority with a fresh leaf key.
    package init(root: RootCertificate, now: @escaping @Sendable () -> Date) throws(TrustError) {
        let key = P256.Signing.PrivateKey()
        self.root = root
        self.now = now
        leafKeyDER = Array(key.derRepresentation)
        leafKey = Certificate.PublicKey(key.publicKey)
        rootKey = Certificate.PrivateKey(root.key)
        do {
            sharedExtensions = [
                try Certificate.Extension(BasicConstraints.notCertificateAuthority, critical: true),
                try Certificate.Extension(KeyUsage(digitalSignature: true), critical: true),
                try Certificate.Extension(ExtendedKeyUsage([.serverAuth]), critical: false),
                try Certificate.Extension(
                    AuthorityKeyIdentifier(keyIdentifier: root.subjectKeyIdentifier),
                    critical: false
                ),
            ]
        } catch {
            throw .unsignable("\(error)")
        }
    }

    /// Mints a certificate for `name` and nothing else, valid from 48 hours ago.
    ///
    /// Throws `TrustError.expired` once the root's time is over: no client would take the leaf.
    package func leaf(for name: ServerName) throws(TrustError) -> LeafCertificate {
        let moment = now()
        try root.checkValidity(now: moment, place: "The certificate \"\(root.commonName)\"")
        // Whole seconds, as the certificate holds them; both ends count (RFC 5280 §4.1.2.5), hence the second less.
        let notBefore = Date(
            timeIntervalSince1970: (moment.timeIntervalSince1970 - RootCertificate.backdating).rounded(.down)
        )
        let notAfter = notBefore.addingTimeInterval(Self.leafLifetime - 1)
        do {
            let subject = try Self.subject(for: name)
            let alternativeName = try Certificate.Extension(
                SubjectAlternativeNames([name.generalName]),
                // RFC 5280 §4.2.1.6: critical when the subject is empty.
                critical: subject.isEmpty
            )
            let certificate = try Certificate(
                version: .v3,
                serialNumber: .unpredictable(),
                publicKey: leafKey,
                notValidBefore: notBefore,
                notValidAfter: notAfter,
                issuer: root.subject,
                subject: subject,
                signatureAlgorithm: .ecdsaWithSHA256,
                extensions: Certificate.Extensions(sharedExtensions + [alternativeName]),
                issuerPrivateKey: rootKey
            )
            var serializer = DER.Serializer()
            try serializer.serialize(certificate)
            return LeafCertificate(
                name: name,
                der: serializer.serializedBytes,
                rootDER: root.der,
                privateKeyDER: leafKeyDER,
                notBefore: notBefore,
                notAfter: notAfter
            )
        } catch {
            throw .unsignable("\(error)")
        }
    }

    /// The name as common name where it fits the 64 characters of RFC 5280's upper bound, else nothing.
    ///
    /// No client verifies by it; people recognise a certificate by it in a browser's viewer.
    private static func subject(for name: ServerName) throws -> DistinguishedName {
        guard name.text.utf8.count <= 64 else { return DistinguishedName() }
        return try DistinguishedName { CommonName(name.text) }
    }
}

extension ServerName {
    /// The name as a certificate holds it.
    fileprivate var generalName: GeneralName {
        switch kind {
        case .dns: .dnsName(text)
        case .address(let bytes): .ipAddress(ASN1OctetString(contentBytes: bytes[...]))
        }
    }
}
