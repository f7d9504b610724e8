import Foundation
import Traffic

/// A file of certificates (RFC 7468), compared by their bytes.
struct PEMFile {
    let path: String

    /// Whether the file holds all certificates of a text; not where it cannot be read, or the text has none.
    func holds(_ text: String) -> Bool {
        let wanted = PEM.certificates(text)
        guard !wanted.isEmpty, let content = FileManager.default.contents(atPath: path) else { return false }
        return Set(PEM.certificates(String(decoding: content, as: UTF8.self))).isSuperset(of: wanted)
    }
}
