import Foundation

/// DER as the text that certificates and keys are passed round in (RFC 7468), written and read.
package enum PEM {
    private static let (begin, end) = ("-----BEGIN CERTIFICATE-----", "-----END CERTIFICATE-----")

    /// Some DER with its begin and end lines, 64 digits a line, and a line feed behind each.
    ///
    /// - Parameters:
    ///   - der: the bytes.
    ///   - label: what they are, in the words of RFC 7468.
    /// - Returns: the text.
    package static func text(_ der: [UInt8], label: String = "CERTIFICATE") -> String {
        let digits = Data(der).base64EncodedString(options: [.lineLength64Characters, .endLineWithLineFeed])
        return "-----BEGIN \(label)-----\n\(digits)\(digits.isEmpty ? "" : "\n")-----END \(label)-----\n"
    }

    /// The bytes of each certificate in a text, in order; other text, and what is no certificate's, is passed over.
    ///
    /// Lines may be of any length and end in any way.
    package static func certificates(_ text: String) -> [[UInt8]] {
        text.components(separatedBy: begin).dropFirst().compactMap { part in
            guard let end = part.range(of: end) else { return nil }
            return Data(base64Encoded: Data(part[..<end.lowerBound].utf8.filter { $0 > 0x20 })).map { Array($0) }
        }
    }

    /// The bytes of the certificate that a text is; `nil` where the text is anything else, or anything more.
    package static func certificate(_ text: String) -> [UInt8]? {
        let block = text.trimmingCharacters(in: .newlines)
        guard block.hasPrefix(begin), block.hasSuffix(end), block.components(separatedBy: "-----").count == 5 else {
            return nil
        }
        return certificates(block).first
    }
}
