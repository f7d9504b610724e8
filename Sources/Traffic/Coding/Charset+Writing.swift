import Foundation

/// Texts as bytes of a charset.
extension Charset {
    /// The bytes of a text, without a byte order mark, in UTF-16 little-endian; `nil` where a character has none in the charset.
    func bytes(of text: String) -> [UInt8]? {
        switch self {
        case .utf8: return Array(text.utf8)
        case .utf16, .utf16LE: return text.utf16.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] }
        case .utf16BE: return text.utf16.flatMap { [UInt8($0 >> 8), UInt8(truncatingIfNeeded: $0)] }
        case .shiftJIS, .eucKR, .big5, .gb18030: return encoding.flatMap { text.data(using: $0) }.map { [UInt8]($0) }
        case .eucJP: return Charset.shiftJIS.bytes(of: text).flatMap(Charset.eucJP(ofShiftJIS:))
        default:
            var bytes: [UInt8] = []
            for scalar in text.unicodeScalars {
                guard let byte = byte(scalar.value) else { return nil }
                bytes.append(byte)
            }
            return bytes
        }
    }

    /// Whether its characters are single bytes or UTF-8, so that no byte of one can be taken for another.
    var isPlain: Bool {
        switch self {
        case .utf16, .utf16LE, .utf16BE, .shiftJIS, .eucJP, .eucKR, .big5, .gb18030: false
        default: true
        }
    }

    /// For UTF-16, the one with the order that the first bytes of a text say; any other charset is itself.
    func ordered(by bytes: some Collection<UInt8>) -> Charset {
        guard self == .utf16 else { return self }
        return bytes.starts(with: [0xFE, 0xFF]) ? .utf16BE : .utf16LE
    }

    /// The same rows and cells of JIS X 0208 as EUC-JP numbers them; `nil` for characters that only Shift_JIS has.
    private static func eucJP(ofShiftJIS bytes: [UInt8]) -> [UInt8]? {
        var out: [UInt8] = []
        var rest = bytes[...]
        while let first = rest.popFirst() {
            switch first {
            case 0x00...0x7F: out.append(first)
            case 0xA1...0xDF: out += [0x8E, first]
            case 0x81...0x9F, 0xE0...0xEF:
                guard let second = rest.popFirst(), second >= 0x40 else { return nil }
                let half = first - (first <= 0x9F ? 0x81 : 0xC1)
                let isOdd = second >= 0x9F
                let (row, cell) = (half * 2 + (isOdd ? 1 : 0), second - (isOdd ? 0x9F : second >= 0x80 ? 0x41 : 0x40))
                guard row < 94, cell < 94 else { return nil }
                out += [row + 0xA1, cell + 0xA1]
            default: return nil
            }
        }
        return out
    }
}
