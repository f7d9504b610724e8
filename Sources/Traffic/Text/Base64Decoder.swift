import Foundation

/// Reads base64 as archives have it (RFC 4648 §4), with line ends in it and without padding too.
package enum Base64Decoder {
    /// The bytes; `nil` when there is anything else in the text.
    package static func bytes(_ text: String) -> [UInt8]? {
        if let data = Data(base64Encoded: text) { return Array(data) }
        var plain = text.utf8.filter { $0 != 0x0A && $0 != 0x0D && $0 != 0x20 && $0 != UInt8(ascii: "=") }
        guard plain.count % 4 != 1 else { return nil }
        while plain.count % 4 != 0 { plain.append(UInt8(ascii: "=")) }
        return Data(base64Encoded: Data(plain)).map(Array.init)
    }
}
