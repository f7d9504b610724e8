package import Foundation
import Traffic
import Trust

/// One check of a server's TLS, made whatever the other checks say.
package struct TLSCheck: Hashable, Sendable {
    /// The check's name: `reached`, `handshake`, `issuer`, `dates`, `name`, `strength` or `staple`.
    package var name: String
    /// Whether all is well; `nil` where that could not be checked.
    package var holds: Bool?
    /// What was found, in words.
    package var finding: String

    /// Every check of a handshake.
    ///
    /// - Parameters:
    ///   - probe: the handshake.
    ///   - name: the name that was asked for.
    ///   - now: the time to judge dates by.
    /// - Returns: the checks in the order in which they are made.
    package static func all(_ probe: TLSProbe, name: String, now: Date) -> [TLSCheck] {
        let failure = probe.failure
        guard failure == nil || failure?.phase == .tls else {
            return [TLSCheck(name: "reached", holds: false, finding: failure?.message ?? "")]
        }
        let reached = TLSCheck(name: "reached", holds: true, finding: probe.peer?.address ?? "")
        let chain = probe.peer?.tls?.certificates ?? []
        let isAboutCertificates = failure?.cause.isOfCertificate ?? false
        let handshake =
            failure == nil || isAboutCertificates
            ? TLSCheck(name: "handshake", holds: true, finding: settled(probe))
            : TLSCheck(name: "handshake", holds: false, finding: failure?.message ?? "")
        guard let leaf = chain.first else { return [reached, handshake] }
        return [reached, handshake, issuer(failure), dates(chain, now), names(leaf, name), strength(chain)]
            + (StapleDemand.isMade(by: leaf)
                ? [TLSCheck(name: "staple", holds: false, finding: "it demands an OCSP response, which is not checked")]
                : [])
    }

    private static func settled(_ probe: TLSProbe) -> String {
        guard let tls = probe.peer?.tls else { return "" }
        return [tls.version, tls.cipher ?? "", tls.applicationProtocol.map { "ALPN \($0)" } ?? "no ALPN"]
            .filter { !$0.isEmpty }.joined(separator: ", ")
    }

    private static func issuer(_ failure: ExchangeFailure?) -> TLSCheck {
        switch failure?.cause {
        case nil: TLSCheck(name: "issuer", holds: true, finding: "a root that is trusted here")
        case .certificateSelfSigned: TLSCheck(name: "issuer", holds: false, finding: "it is self-signed")
        case .certificateUnknownIssuer:
            TLSCheck(name: "issuer", holds: false, finding: "no root that is trusted here, or not fit for a server")
        case .ownRoot: TLSCheck(name: "issuer", holds: false, finding: "this proxy's own root")
        case .certificateName, .certificateWeak, .certificateMustStaple:
            TLSCheck(name: "issuer", holds: true, finding: "a root that is trusted here")
        default: TLSCheck(name: "issuer", holds: nil, finding: "not looked at, since something else was wrong before")
        }
    }

    private static func dates(_ chain: [[UInt8]], _ now: Date) -> TLSCheck {
        let time = Int64(now.timeIntervalSince1970 * 1_000_000)
        let certificates = chain.compactMap { CertificateFacts(der: $0) }
        if let late = certificates.first(where: { $0.notAfter < time }) {
            return TLSCheck(name: "dates", holds: false, finding: "\(late.subject) expired on \(day(late.notAfter))")
        }
        if let early = certificates.first(where: { $0.notBefore > time }) {
            return TLSCheck(
                name: "dates",
                holds: false,
                finding: "\(early.subject) is not valid before \(day(early.notBefore))"
            )
        }
        guard let first = certificates.map(\.notAfter).min() else {
            return TLSCheck(name: "dates", holds: nil, finding: "the certificates cannot be read")
        }
        let left = (first - time) / 86_400_000_000
        return TLSCheck(name: "dates", holds: true, finding: "good until \(day(first)), \(left) days from now")
    }

    private static func names(_ leaf: [UInt8], _ name: String) -> TLSCheck {
        let names = CertificateFacts(der: leaf)?.names ?? []
        let isNamed = (try? ServerName(name)).map { CertificateNames.cover(leaf, name: $0) } ?? false
        let some = names.prefix(5).joined(separator: ", ") + (names.count > 5 ? " and \(names.count - 5) more" : "")
        return TLSCheck(name: "name", holds: isNamed, finding: some.isEmpty ? "it has no names" : "it is for \(some)")
    }

    private static func strength(_ chain: [[UInt8]]) -> TLSCheck {
        let problem = CertificateStrength.problem(chain: chain)
        return TLSCheck(name: "strength", holds: problem == nil, finding: problem ?? "keys and signatures are strong")
    }

    /// The day of a moment, `2026-11-22`.
    package static func day(_ microseconds: Int64) -> String {
        String(Timestamp.text(microseconds: microseconds).prefix(10))
    }
}
