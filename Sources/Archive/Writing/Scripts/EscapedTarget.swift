import Traffic

/// A request target, or a URL, with every byte that no URI may hold as `%XX` (RFC 3986 §2); what is legal stays byte for byte.
enum EscapedTarget {
    /// The text so that it can stand in a URL.
    ///
    /// - Parameters:
    ///   - bytes: the target or URL.
    ///   - keepsFragmentMark: whether `#` stays; a target has none that begins a fragment.
    /// - Returns: ASCII without blanks and controls.
    static func text(_ bytes: some Collection<UInt8>, keepsFragmentMark: Bool = true) -> String {
        var escaped: [UInt8] = []
        escaped.reserveCapacity(bytes.count)
        for byte in bytes {
            if isLegal(byte), keepsFragmentMark || byte != UInt8(ascii: "#") {
                escaped.append(byte)
            } else {
                escaped.append(UInt8(ascii: "%"))
                escaped.append(contentsOf: Hexadecimal.text([byte]).uppercased().utf8)
            }
        }
        return String(decoding: escaped, as: UTF8.self)
    }

    private static func isLegal(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x21, 0x23...0x3B, 0x3D, 0x3F...0x5B, 0x5D, 0x5F, 0x61...0x7A, 0x7E: true
        default: false
        }
    }
}
