import SwiftASN1

/// Finds certificates that are good only with a stapled OCSP response: they name the TLS feature `status_request` (RFC 7633 §4).
package enum StapleDemand {
    /// The extension for TLS features, `id-pe-tlsfeature`.
    private static let features: ASN1ObjectIdentifier = [1, 3, 6, 1, 5, 5, 7, 1, 24]

    /// Whether a certificate demands a staple.
    ///
    /// - Parameter certificate: DER.
    /// - Returns: true when it lists `status_request` (5) or `status_request_v2` (17), or when its list of features cannot be read.
    package static func isMade(by certificate: [UInt8]) -> Bool {
        guard let root = try? DER.parse(certificate), let fields = children(root)?.first.flatMap(children),
            let wrapped = fields.last(where: { $0.identifier == .init(tagWithNumber: 3, tagClass: .contextSpecific) }),
            let extensions = children(wrapped)?.first.flatMap(children)
        else { return false }
        for parts in extensions.lazy.compactMap(children) {
            guard let first = parts.first, (try? ASN1ObjectIdentifier(derEncoded: first)) == features else { continue }
            guard let last = parts.last, let value = try? ASN1OctetString(derEncoded: last),
                let list = (try? DER.parse(value.bytes)).flatMap(children)
            else { return true }
            return list.contains { feature in
                guard let number = try? Int64(derEncoded: feature) else { return true }
                return number == 5 || number == 17
            }
        }
        return false
    }

    private static func children(_ node: ASN1Node) -> [ASN1Node]? {
        guard case .constructed(let nodes) = node.content else { return nil }
        return Array(nodes)
    }
}
