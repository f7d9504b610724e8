import Crypto
import Foundation
import SwiftASN1
package import Traffic
import X509

extension CertificateFacts {
    /// How many names of a certificate are listed; a longer list ends with a word on the rest.
    private static let namesLimit = 1_000

    /// Reads a certificate; `nil` for bytes that are no certificate.
    ///
    /// - Parameter der: the certificate as it was shown.
    package init?(der: [UInt8]) {
        guard let certificate = try? Certificate(derEncoded: der) else { return nil }
        let all = (try? certificate.extensions.subjectAlternativeNames).map { Array($0) } ?? []
        var names = all.prefix(CertificateFacts.namesLimit).map(CertificateFacts.text)
        if all.count > names.count { names.append("and \(all.count - names.count) more") }
        self.init(
            subject: certificate.subject.description,
            issuer: certificate.issuer.description,
            names: names,
            notBefore: CertificateFacts.microseconds(certificate.notValidBefore),
            notAfter: CertificateFacts.microseconds(certificate.notValidAfter),
            serial: CertificateFacts.pairs(Array(certificate.serialNumber.bytes)),
            sha256: CertificateFacts.pairs(Array(SHA256.hash(data: der))),
            key: CertificateFacts.kind(certificate.publicKey),
            signature: String("\(certificate.signatureAlgorithm)".split(separator: ".").last ?? "")
        )
    }

    private static func text(_ name: GeneralName) -> String {
        switch name {
        case .dnsName(let name): name
        case .ipAddress(let octets): "IP \(address(Array(octets.bytes)))"
        case .rfc822Name(let name): "email \(name)"
        case .uniformResourceIdentifier(let name): "URI \(name)"
        case .directoryName(let name): "directory \(name)"
        default: "another kind of name"
        }
    }

    private static func address(_ bytes: [UInt8]) -> String {
        switch bytes.count {
        case 4: bytes.map { "\($0)" }.joined(separator: ".")
        case 16:
            stride(from: 0, to: 16, by: 2).map { String(Int(bytes[$0]) << 8 | Int(bytes[$0 + 1]), radix: 16) }
                .joined(separator: ":")
        default: pairs(bytes)
        }
    }

    private static func kind(_ key: Certificate.PublicKey) -> String {
        if P256.Signing.PublicKey(key) != nil { return "P-256" }
        if P384.Signing.PublicKey(key) != nil { return "P-384" }
        if P521.Signing.PublicKey(key) != nil { return "P-521" }
        if Curve25519.Signing.PublicKey(key) != nil { return "Ed25519" }
        return "RSA, \(modulusBits(key)) bits"
    }

    /// The length of an RSA key's modulus, from the key's own structure (RFC 8017 §A.1.1).
    private static func modulusBits(_ key: Certificate.PublicKey) -> Int {
        var serializer = DER.Serializer()
        guard (try? serializer.serialize(key)) != nil, let node = try? DER.parse(serializer.serializedBytes) else {
            return 0
        }
        let bits = try? DER.sequence(node, identifier: .sequence) { nodes in
            _ = nodes.next()
            let key = try ASN1BitString(derEncoded: &nodes)
            let inner = try DER.parse(key.bytes)
            return try DER.sequence(inner, identifier: .sequence) { numbers in
                let modulus = try ArraySlice<UInt8>(derEncoded: &numbers).drop { $0 == 0 }
                _ = numbers.next()
                return modulus.count * 8 - (modulus.first?.leadingZeroBitCount ?? 0)
            }
        }
        return bits ?? 0
    }

    private static func microseconds(_ date: Date) -> Int64 {
        Int64((date.timeIntervalSince1970 * 1_000_000).rounded())
    }

    private static func pairs(_ bytes: [UInt8]) -> String {
        bytes.map { byte in
            let digits = String(byte, radix: 16, uppercase: true)
            return digits.count == 1 ? "0" + digits : digits
        }.joined(separator: ":")
    }
}
