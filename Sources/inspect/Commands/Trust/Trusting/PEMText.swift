import Foundation
import Traffic

/// Files of certificates (RFC 7468), compared by the bytes of what they hold.
enum PEMText {
    /// Whether a file holds all certificates of a text; not where it cannot be read, or the text has none.
    static func file(_ path: String, holds text: String) -> Bool {
        let wanted = PEM.certificates(text)
        guard !wanted.isEmpty, let content = FileManager.default.contents(atPath: path) else { return false }
        return Set(PEM.certificates(String(decoding: content, as: UTF8.self))).isSuperset(of: wanted)
    }
}
