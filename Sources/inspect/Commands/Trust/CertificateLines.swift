import Traffic
import Trust

/// The lines of a certificate chain: for each certificate its subject, its issuer and its dates.
struct CertificateLines {
    /// Names that are shown of each certificate, at most.
    private static let nameLimit = 5

    /// Two lines each, the leaf first.
    let lines: [String]

    /// - Parameters:
    ///   - chain: DER, as it was shown.
    ///   - style: for the faint parts.
    init(_ chain: [[UInt8]], _ style: Style) {
        lines = chain.enumerated().flatMap { index, der -> [String] in
            guard let facts = CertificateFacts(der: der) else { return ["\(index + 1)  cannot be read"] }
            let subject = facts.subject.isEmpty ? "no subject" : facts.subject
            let more = facts.names.count > Self.nameLimit ? " and \(facts.names.count - Self.nameLimit) more" : ""
            let names =
                facts.names.isEmpty ? "" : "  for " + facts.names.prefix(Self.nameLimit).joined(separator: ", ") + more
            let dates = "\(Self.day(facts.notBefore)) to \(Self.day(facts.notAfter))"
            return [
                "\(index + 1)  \(VisibleText.line(subject + names))",
                style.paint("   \(dates), \(facts.key), signed by \(VisibleText.line(facts.issuer))", .dim),
            ]
        }
    }

    private static func day(_ microseconds: Int64) -> String {
        String(Timestamp.text(microseconds: microseconds).prefix(10))
    }
}
