/// Bytes as the text forms that certificates and digests are passed round in.
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

    /// Two lower-case digits a byte.
    package static func hex(_ bytes: some Sequence<UInt8>) -> String {
        let digits = Array("0123456789abcdef".utf8)
        return String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 0x0F)]] }, as: UTF8.self)
    }
}
