import SwiftASN1
import Traffic
import X509

/// The names a server's certificate is for (RFC 9525 §6).
package enum CertificateNames {
    /// Whether a certificate is for a name (RFC 9525 §6.3, §6.5).
    ///
    /// A host name has to be one of its DNS names, or be covered by a wildcard in the leftmost label. An address has to be one of its addresses,
    /// byte for byte.
    ///
    /// - Parameters:
    ///   - der: the certificate.
    ///   - name: what was asked for.
    /// - Returns: whether it is for that name; false for bytes that are no certificate.
    package static func cover(_ der: [UInt8], name: ServerName) -> Bool {
        guard let certificate = try? Certificate(derEncoded: der),
            let names = try? certificate.extensions.subjectAlternativeNames
        else { return false }
        return names.contains { alternative in
            switch (alternative, name.kind) {
            case (.dnsName(let pattern), .dns): matches(ASCII.lower(pattern), name.text)
            case (.ipAddress(let octets), .address(let bytes)): octets.bytes.elementsEqual(bytes)
            default: false
            }
        }
    }

    /// Whether a name of a certificate stands for a host name; `*` stands for one whole leftmost label, never for a top-level domain's.
    static func matches(_ pattern: String, _ name: String) -> Bool {
        guard pattern.hasPrefix("*.") else { return !pattern.isEmpty && pattern == name }
        let suffix = pattern.dropFirst()
        guard suffix.dropFirst().contains("."), !suffix.contains("*"), name.hasSuffix(suffix) else { return false }
        let label = name.dropLast(suffix.count)
        return !label.isEmpty && !label.contains(".")
    }
}
