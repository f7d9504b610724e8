import Crypto
package import Foundation
import SwiftASN1
import Traffic
import X509

/// The certificate a client is asked to trust, with the key that signs leaves in its name.
///
/// The key never leaves this target but for the file `TrustFiles` keeps it in: nothing here prints or exports it.
package struct RootCertificate: Sendable, CustomStringConvertible {
    /// How long a root lasts, backdating included: two years.
    ///
    /// Systems accept longer ones; Apple's do where the user adds the root. But a root that can read a person's traffic ought to
    /// end by itself within the life of its machine. Only then do clients have to trust a new root.
    package static let lifetime: TimeInterval = 730 * 86_400
    /// How far a certificate reaches back, so that a client whose clock is up to two days slow accepts it.
    package static let backdating: TimeInterval = 48 * 3_600

    /// The certificate's exact bytes.
    package let der: [UInt8]
    /// The subject's common name: `inspect root, <host>, <date>`.
    package let commonName: String
    package let notBefore: Date
    package let notAfter: Date

    /// The identifier that every leaf carries as its authority's.
    let subjectKeyIdentifier: ArraySlice<UInt8>
    let subject: DistinguishedName
    let key: P256.Signing.PrivateKey

    /// Makes a new root and its key, named after the machine and the day.
    package init(newOn hostName: String, now: Date) throws(TrustError) {
        let key = P256.Signing.PrivateKey()
        let publicKey = Certificate.PublicKey(key.publicKey)
        let commonName = Self.commonName(hostName: hostName, now: now)
        // Whole seconds, as the certificate will hold them.
        let notBefore = Date(timeIntervalSince1970: (now.timeIntervalSince1970 - Self.backdating).rounded(.down))
        do {
            let subject = try DistinguishedName {
                CommonName(commonName)
                OrganizationName("inspect debugging proxy, do not trust elsewhere")
            }
            let certificate = try Certificate(
                version: .v3,
                serialNumber: .unpredictable(),
                publicKey: publicKey,
                notValidBefore: notBefore,
                notValidAfter: notBefore.addingTimeInterval(Self.lifetime - 1),
                issuer: subject,
                subject: subject,
                signatureAlgorithm: .ecdsaWithSHA256,
                extensions: Certificate.Extensions {
                    Critical(BasicConstraints.isCertificateAuthority(maxPathLength: 0))
                    Critical(KeyUsage(keyCertSign: true, cRLSign: true))
                    // RFC 7093 §2 method 1: the leftmost 160 bits of the key's SHA-256.
                    SubjectKeyIdentifier(
                        keyIdentifier: Array(SHA256.hash(data: key.publicKey.x963Representation).prefix(20))[...]
                    )
                },
                issuerPrivateKey: Certificate.PrivateKey(key)
            )
            try self.init(certificate: certificate, key: key)
        } catch {
            throw .unsignable("\(error)")
        }
    }

    /// Joins a certificate and its key, which the caller has checked belong together.
    init(certificate: Certificate, key: P256.Signing.PrivateKey) throws {
        var serializer = DER.Serializer()
        try serializer.serialize(certificate)
        der = serializer.serializedBytes
        commonName = certificate.subject.commonName ?? "root"
        notBefore = certificate.notValidBefore
        notAfter = certificate.notValidAfter
        guard let identifier = try certificate.extensions.subjectKeyIdentifier?.keyIdentifier else {
            throw TrustError.unsignable("the root has no subject key identifier")
        }
        subjectKeyIdentifier = identifier
        subject = certificate.subject
        self.key = key
    }

    /// The certificate as a PEM file's text.
    package var pem: String { PEM.text(der) }

    /// The SHA-256 of the certificate as pairs of capital digits with colons between, as browsers and openssl show it.
    package var fingerprint: String {
        SHA256.hash(data: der).map { byte in
            let digits = String(byte, radix: 16, uppercase: true)
            return byte < 16 ? "0" + digits : digits
        }.joined(separator: ":")
    }

    /// The SHA-1 of the public key's point, by which NSS knows the certificate (its CKA_ID), whatever it is called.
    package var keyDigest: [UInt8] { Array(Insecure.SHA1.hash(data: key.publicKey.x963Representation)) }

    /// The name of the root's file among the roots that a system takes from its administrator.
    package var systemFileName: String { Self.systemFileName(keyDigest: keyDigest) }

    /// The name of such a file by the root's key, so that no root is written over another.
    package static func systemFileName(keyDigest: [UInt8]) -> String {
        "inspect-root-\(Hexadecimal.text(keyDigest.prefix(8))).crt"
    }

    /// The common name and the fingerprint; never the key.
    package var description: String { "\(commonName) (SHA-256 \(fingerprint))" }

    /// Throws when the root has expired or is not yet valid; `place` is how the error names it.
    func checkValidity(now: Date, place: String) throws(TrustError) {
        if now > notAfter { throw .expired(root: place, on: notAfter) }
        if now < notBefore { throw .notYetValid(root: place, from: notBefore) }
    }

    /// A common name of at most 64 characters (RFC 5280 upper bound); the host's name is cut where it is too long.
    private static func commonName(hostName: String, now: Date) -> String {
        let date = now.formatted(.iso8601.year().month().day())
        let room = 64 - "inspect root, , ".count - date.count
        let host = hostName.unicodeScalars.map { scalar in
            scalar.isASCII && (scalar.properties.isAlphabetic || "0123456789-._".unicodeScalars.contains(scalar))
                ? String(scalar) : "-"
        }.prefix(room).joined()
        return "inspect root, \(host.isEmpty ? "unnamed host" : host), \(date)"
    }
}

extension RootCertificate: CustomReflectable {
    /// What a dump of a root shows: everything but the key.
    package var customMirror: Mirror {
        Mirror(self, children: ["commonName": commonName, "fingerprint": fingerprint], displayStyle: .struct)
    }
}

extension DistinguishedName {
    /// The value of the first common name, if it is text.
    fileprivate var commonName: String? {
        for relative in self {
            for attribute in relative where attribute.type == .RDNAttributeType.commonName {
                return String(attribute.value)
            }
        }
        return nil
    }
}
