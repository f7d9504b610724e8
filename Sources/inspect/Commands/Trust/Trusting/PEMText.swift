import Foundation

/// Certificates in the text of PEM files (RFC 7468), compared by their bytes.
enum PEMText {
    /// The bytes of each certificate, in order; what is none is passed over.
    static func certificates(_ text: String) -> [Data] {
        text.components(separatedBy: "-----BEGIN CERTIFICATE-----").dropFirst().compactMap { part in
            guard let end = part.range(of: "-----END CERTIFICATE-----") else { return nil }
            // Without blanks and line ends, whatever the length of its lines.
            return Data(base64Encoded: Data(part[..<end.lowerBound].utf8.filter { $0 > 0x20 }))
        }
    }

    /// Whether a file holds all certificates of a text; not where it cannot be read, or the text has none.
    static func file(_ path: String, holds text: String) -> Bool {
        let wanted = certificates(text)
        guard !wanted.isEmpty, let content = FileManager.default.contents(atPath: path) else { return false }
        return Set(certificates(String(decoding: content, as: UTF8.self))).isSuperset(of: wanted)
    }
}
