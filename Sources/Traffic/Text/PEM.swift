/// Writes DER as the text that certificates are passed round in (RFC 7468).
package enum PEM {
    /// A certificate with its begin and end lines (RFC 7468 §5).
    package static func certificate(_ der: [UInt8]) -> String {
        var lines = ["-----BEGIN CERTIFICATE-----"]
        var rest = Base64Encoder.text(der)[...]
        while !rest.isEmpty {
            lines.append(String(rest.prefix(64)))
            rest = rest.dropFirst(64)
        }
        lines.append("-----END CERTIFICATE-----")
        return lines.joined(separator: "\n") + "\n"
    }

    /// The bytes between the begin and end lines of a certificate; `nil` when it is none.
    package static func der(_ text: String) -> [UInt8]? {
        let lines = text.split(whereSeparator: \.isNewline)
        guard lines.first == "-----BEGIN CERTIFICATE-----", lines.last == "-----END CERTIFICATE-----" else {
            return nil
        }
        return Base64Decoder.bytes(lines.dropFirst().dropLast().joined())
    }
}
