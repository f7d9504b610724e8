import SwiftASN1

/// Finds the certificates that anybody with some money could have forged: a signature with SHA-1 or MD5, or an RSA key that is too short.
package enum CertificateStrength {
    /// RSA keys of fewer bits are weak (CA/Browser Forum Baseline Requirements §6.1.5).
    private static let leastRSABits = 2_048

    /// What is weak in a chain.
    ///
    /// - Parameter chain: DER, leaf first. A certificate that signed itself may have a weak signature, which counts for nothing.
    /// - Returns: the end of a sentence that starts with "was refused:"; `nil` when nothing is weak, or when a part of the chain is no certificate.
    package static func problem(chain: [[UInt8]]) -> String? {
        chain.lazy.compactMap { der in (try? DER.parse(der)).flatMap(problem) }.first
    }

    /// Certificate (RFC 5280 §4.1): the part to be signed, the algorithm, the signature.
    private static func problem(_ root: ASN1Node) -> String? {
        guard let parts = children(root), parts.count == 3, var fields = children(parts[0]) else { return nil }
        // A version comes before the rest, except in version 1: serial number, algorithm, issuer, validity, subject, key.
        if fields.first?.identifier.tagClass == .contextSpecific { fields.removeFirst() }
        guard fields.count >= 6 else { return nil }
        let isSelfSigned = fields[2].encodedBytes == fields[4].encodedBytes
        if !isSelfSigned, let algorithm = algorithm(parts[1]), let digest = weakDigests[algorithm.description] {
            return "it is signed with \(digest), which can be forged"
        }
        if let bits = rsaBits(fields[5]), bits < leastRSABits {
            return "its RSA key has \(bits) bits; fewer than \(leastRSABits) can be broken"
        }
        return nil
    }

    private static let weakDigests = [
        "1.2.840.113549.1.1.2": "MD2", "1.2.840.113549.1.1.3": "MD4", "1.2.840.113549.1.1.4": "MD5",
        "1.2.840.113549.1.1.5": "SHA-1", "1.3.14.3.2.29": "SHA-1", "1.2.840.10045.4.1": "SHA-1",
        "1.2.840.10040.4.3": "SHA-1",
    ]

    /// The bits of an RSA key in SubjectPublicKeyInfo; `nil` for another kind of key.
    private static func rsaBits(_ info: ASN1Node) -> Int? {
        guard let parts = children(info), parts.count == 2,
            let algorithm = algorithm(parts[0]), algorithm.description == "1.2.840.113549.1.1.1",
            let key = try? ASN1BitString(derEncoded: parts[1]), let rsa = try? DER.parse(Array(key.bytes)),
            let modulus = children(rsa)?.first, case .primitive(let bytes) = modulus.content
        else { return nil }
        let digits = bytes.drop { $0 == 0 }
        return digits.count * 8 - (digits.first?.leadingZeroBitCount ?? 0)
    }

    private static func algorithm(_ node: ASN1Node) -> ASN1ObjectIdentifier? {
        children(node)?.first.flatMap { try? ASN1ObjectIdentifier(derEncoded: $0) }
    }

    private static func children(_ node: ASN1Node) -> [ASN1Node]? {
        guard case .constructed(let nodes) = node.content else { return nil }
        return Array(nodes)
    }
}
