package import Foundation
import SwiftASN1
package import Traffic
import X509

/// Says why a certificate chain was refused, from the certificates themselves: the verifier only says that it was.
package enum CertificateProblem {
    /// The cause and the end of a sentence that starts with "was refused:".
    ///
    /// - Parameters:
    ///   - refused: DER of the certificate at which verification stopped; `nil` when the verifier named none.
    ///   - chain: DER of what the upstream presented, leaf first.
    ///   - now: the time to judge dates by.
    /// - Returns: the cause and the end of the sentence.
    package static func explain(refused: [UInt8]?, chain: [[UInt8]], now: Date) -> (cause: Cause, why: String) {
        let certificates = chain.compactMap { try? Certificate(derEncoded: $0) }
        let first = refused.flatMap { try? Certificate(derEncoded: $0) } ?? certificates.first
        for certificate in [first].compactMap({ $0 }) + certificates {
            let name = shown(certificate.subject.description)
            if certificate.notValidAfter < now {
                return (.certificateExpired, "\(name) expired on \(day(certificate.notValidAfter))")
            }
            if certificate.notValidBefore > now {
                return (.certificateNotYetValid, "\(name) is not valid before \(day(certificate.notValidBefore))")
            }
        }
        guard let first else { return (.certificateInvalid, "it cannot be read") }
        if certificates.count <= 1, first.issuer == first.subject {
            return (.certificateSelfSigned, "it is self-signed")
        }
        return (
            .certificateUnknownIssuer,
            "\(shown(first.issuer.description)) is not an authority that this machine trusts, or the certificate is not fit for a server"
        )
    }

    /// A certificate's name as a sentence may show it: no longer than a line, printable.
    private static func shown(_ name: String) -> String {
        let printable = name.unicodeScalars.prefix(100).map { scalar in
            (0x20...0x7E).contains(scalar.value) || scalar.properties.isAlphabetic ? Character(scalar) : "�"
        }
        return String(printable) + (name.unicodeScalars.count > 100 ? "…" : "")
    }

    private static func day(_ date: Date) -> String { date.formatted(.iso8601.year().month().day()) }
}
