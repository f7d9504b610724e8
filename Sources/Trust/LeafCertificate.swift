package import Foundation
import Traffic

/// A server certificate for one name, with all that a TLS server needs to present it.
///
/// The key is the authority's one leaf key: every leaf of a process shares it.
package struct LeafCertificate: Sendable {
    /// The name the certificate holds, and the only one.
    package let name: ServerName
    /// The certificate's exact bytes.
    package let der: [UInt8]
    /// The exact bytes of the root that signed it.
    package let rootDER: [UInt8]
    /// The key as PKCS#8.
    package let privateKeyDER: [UInt8]
    package let notBefore: Date
    package let notAfter: Date

    /// What a server sends, first the leaf, then the root.
    package var chainDER: [[UInt8]] { [der, rootDER] }

    /// `chainDER` as the text of a PEM file.
    package var chainPEM: String { chainDER.map { PEM.text($0) }.joined() }

    /// The key as the text of a PEM file.
    package var privateKeyPEM: String { PEM.text(privateKeyDER, label: "PRIVATE KEY") }

    /// Whether a client would still accept the certificate for as long as `margin` after `moment`.
    package func isValid(at moment: Date, margin: TimeInterval) -> Bool {
        moment >= notBefore && moment.addingTimeInterval(margin) < notAfter
    }
}

extension LeafCertificate: CustomStringConvertible, CustomReflectable {
    /// The name and the end of its time; never the key.
    package var description: String { "leaf for \(name) until \(notAfter.formatted(.iso8601))" }

    /// What a dump may show: everything but the key.
    package var customMirror: Mirror {
        Mirror(self, children: ["name": name.text, "notAfter": notAfter], displayStyle: .struct)
    }
}
