import Foundation

/// Writes and reads PEM, the text form of certificates and keys (RFC 7468).
package enum PEM {
    private static let (begin, end) = ("-----BEGIN CERTIFICATE-----", "-----END CERTIFICATE-----")

    /// Writes DER with begin and end lines, 64 digits a line, each line ended by a line feed.
    ///
    /// - Parameters:
    ///   - der: the bytes.
    ///   - label: the kind of the bytes, as RFC 7468 names it.
    /// - Returns: the text.
    package static func text(_ der: [UInt8], label: String = "CERTIFICATE") -> String {
        let digits = Data(der).base64EncodedString(options: [.lineLength64Characters, .endLineWithLineFeed])
        return "-----BEGIN \(label)-----\n\(digits)\(digits.isEmpty ? "" : "\n")-----END \(label)-----\n"
    }

    /// The bytes of each certificate in a text, in order; other text and other PEM blocks are skipped.
    ///
    /// Lines may be of any length and end in any way.
    package static func certificates(_ text: String) -> [[UInt8]] {
        text.components(separatedBy: begin).dropFirst().compactMap { part in
            guard let end = part.range(of: end) else { return nil }
            return Data(base64Encoded: Data(part[..<end.lowerBound].utf8.filter { $0 > 0x20 })).map { Array($0) }
        }
    }

    /// The bytes of a text that is one certificate and nothing more; `nil` for every other text.
    package static func certificate(_ text: String) -> [UInt8]? {
        let block = text.trimmingCharacters(in: .newlines)
        guard block.hasPrefix(begin), block.hasSuffix(end), block.components(separatedBy: "-----").count == 5 else {
            return nil
        }
        return certificates(block).first
    }
}
