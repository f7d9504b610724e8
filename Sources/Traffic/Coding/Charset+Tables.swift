import Foundation

/// The charsets that are read with Foundation's tables: single-byte ones, and those of East Asia.
extension Charset {
    /// The scalars of the bytes from 0x80 on, in a charset of one byte a character; `nil` in any other.
    ///
    /// An unassigned byte becomes the control character of its number where there is one, as in every browser, else U+FFFD.
    package var upperHalf: [UInt32]? { Charset.upperHalves[self] }

    private static let upperHalves: [Charset: [UInt32]] = {
        let charsets: [Charset] = [
            .windows874, .windows1250, .windows1251, .windows1252, .windows1253, .windows1254, .windows1255,
            .windows1256, .windows1257, .windows1258, .latin2, .cyrillic, .greek, .latin9, .koi8, .koi8U,
        ]
        return Dictionary(
            uniqueKeysWithValues: charsets.map { charset in
                let scalars = (0x80...0xFF as ClosedRange<UInt8>).map { byte in
                    charset.foundationText([byte])?.unicodeScalars.first?.value ?? (byte < 0xA0 ? UInt32(byte) : 0xFFFD)
                }
                return (charset, scalars)
            }
        )
    }()

    /// The byte of a scalar in a charset of one byte a character; `nil` where it has none.
    package func byte(_ scalar: UInt32) -> UInt8? {
        if scalar < 0x80 { return UInt8(scalar) }
        guard scalar != 0xFFFD, let place = upperHalf?.firstIndex(of: scalar) else { return nil }
        return UInt8(0x80 + place)
    }

    /// The length of the character that begins at a place, in bytes; `nil` where not all of them are there.
    ///
    /// A byte that begins none counts as one.
    package func length(ofCharacterAt place: Int, in bytes: [UInt8]) -> Int? {
        func isThere(_ offset: Int, _ ranges: ClosedRange<UInt8>...) -> Bool? {
            guard place + offset < bytes.count else { return nil }
            return ranges.contains { $0.contains(bytes[place + offset]) }
        }
        guard place < bytes.count else { return nil }
        switch (self, bytes[place]) {
        case (.shiftJIS, 0x81...0x9F), (.shiftJIS, 0xE0...0xFC):
            return isThere(1, 0x40...0x7E, 0x80...0xFC).map { $0 ? 2 : 1 }
        case (.eucJP, 0x8E): return isThere(1, 0xA1...0xDF).map { $0 ? 2 : 1 }
        case (.eucJP, 0x8F):
            guard let isSecond = isThere(1, 0xA1...0xFE) else { return nil }
            return isSecond ? isThere(2, 0xA1...0xFE).map { $0 ? 3 : 1 } : 1
        case (.eucJP, 0xA1...0xFE): return isThere(1, 0xA1...0xFE).map { $0 ? 2 : 1 }
        case (.eucKR, 0x81...0xFE):
            return isThere(1, 0x41...0x5A, 0x61...0x7A, 0x81...0xFE).map { $0 ? 2 : 1 }
        case (.big5, 0x81...0xFE): return isThere(1, 0x40...0x7E, 0xA1...0xFE).map { $0 ? 2 : 1 }
        case (.gb18030, 0x81...0xFE):
            guard let isTwo = isThere(1, 0x40...0x7E, 0x80...0xFE), let isFour = isThere(1, 0x30...0x39) else {
                return nil
            }
            guard isFour else { return isTwo ? 2 : 1 }
            guard let isThird = isThere(2, 0x81...0xFE) else { return nil }
            guard isThird else { return 1 }
            return isThere(3, 0x30...0x39).map { $0 ? 4 : 1 }
        default: return 1
        }
    }

    /// Whole characters as a string; `nil` where a character is invalid, and for the charsets that need no table of Foundation's.
    func foundationText(_ bytes: some Collection<UInt8>) -> String? {
        let data = self == .eucJP ? Charset.shiftJIS(ofEUCJP: bytes) : Data(bytes)
        guard let data, let encoding, let text = String(data: data, encoding: encoding) else { return nil }
        // Foundation fills the unassigned bytes of these with characters of private use.
        let isFilled = self == .windows874 || self == .eucKR || self == .big5
        return isFilled && text.unicodeScalars.contains { (0xE000...0xF8FF).contains($0.value) } ? nil : text
    }

    /// Characters of EUC-JP in Shift_JIS, because Foundation has no table of EUC-JP on every system; `nil` where a character is invalid.
    ///
    /// Both number the 94 rows and cells of JIS X 0208: EUC-JP as they are, Shift_JIS with two rows to a first byte.
    private static func shiftJIS(ofEUCJP bytes: some Collection<UInt8>) -> Data? {
        var shifted = Data(capacity: bytes.count)
        var rest = Array(bytes)[...]
        while let first = rest.popFirst() {
            guard first >= 0x80 else {
                shifted.append(first)
                continue
            }
            guard let second = rest.popFirst(), (0xA1...0xFE).contains(second) else { return nil }
            switch first {
            case 0x8E where second <= 0xDF: shifted.append(second)
            case 0xA1...0xFE:
                let (row, cell) = (first - 0xA1, second - 0xA1)
                shifted.append(row / 2 + (row < 62 ? 0x81 : 0xC1))
                shifted.append(row % 2 == 1 ? cell + 0x9F : cell + (cell < 63 ? 0x40 : 0x41))
            default: return nil
            }
        }
        return shifted
    }

    /// Foundation's encoding of it; one without a name there has the number of its CFStringEncoding, with the highest bit set.
    var encoding: String.Encoding? {
        switch self {
        case .utf8, .utf16, .utf16LE, .utf16BE: nil
        case .windows874: String.Encoding(rawValue: 0x8000_041D)
        case .windows1250: .windowsCP1250
        case .windows1251: .windowsCP1251
        case .windows1252: .windowsCP1252
        case .windows1253: .windowsCP1253
        case .windows1254: .windowsCP1254
        case .windows1255: String.Encoding(rawValue: 0x8000_0505)
        case .windows1256: String.Encoding(rawValue: 0x8000_0506)
        case .windows1257: String.Encoding(rawValue: 0x8000_0507)
        case .windows1258: String.Encoding(rawValue: 0x8000_0508)
        case .latin2: .isoLatin2
        case .cyrillic: String.Encoding(rawValue: 0x8000_0205)
        case .greek: String.Encoding(rawValue: 0x8000_0207)
        case .latin9: String.Encoding(rawValue: 0x8000_020F)
        case .koi8: String.Encoding(rawValue: 0x8000_0A02)
        case .koi8U: String.Encoding(rawValue: 0x8000_0A08)
        case .shiftJIS, .eucJP: .shiftJIS
        case .eucKR: String.Encoding(rawValue: 0x8000_0422)
        case .big5: String.Encoding(rawValue: 0x8000_0A06)
        case .gb18030: String.Encoding(rawValue: 0x8000_0632)
        }
    }
}
