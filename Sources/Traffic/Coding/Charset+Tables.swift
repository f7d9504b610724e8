import Foundation

/// The charsets that are read with Foundation's tables: single-byte ones, Shift_JIS and GB 18030.
extension Charset {
    /// The scalars of the bytes from 0x80 on, in a charset of one byte a character; `nil` in any other.
    ///
    /// A byte that it leaves open is the control of that number where there is one, as in every browser, and else U+FFFD.
    package var upperHalf: [UInt32]? { Charset.upperHalves[self] }

    private static let upperHalves: [Charset: [UInt32]] = {
        let charsets: [Charset] = [
            .windows1250, .windows1251, .windows1252, .windows1253, .windows1254, .latin2, .cyrillic, .greek, .latin9,
            .koi8,
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

    /// Whole characters as a string; `nil` where one is none, and for the charsets that are read here.
    func foundationText(_ bytes: some Collection<UInt8>) -> String? {
        encoding.flatMap { String(data: Data(bytes), encoding: $0) }
    }

    /// Foundation's name of it; those without a name there are numbered as CFStringEncodings are, with the highest bit set.
    private var encoding: String.Encoding? {
        switch self {
        case .utf8, .utf16, .utf16LE, .utf16BE: nil
        case .windows1250: .windowsCP1250
        case .windows1251: .windowsCP1251
        case .windows1252: .windowsCP1252
        case .windows1253: .windowsCP1253
        case .windows1254: .windowsCP1254
        case .latin2: .isoLatin2
        case .cyrillic: String.Encoding(rawValue: 0x8000_0205)
        case .greek: String.Encoding(rawValue: 0x8000_0207)
        case .latin9: String.Encoding(rawValue: 0x8000_020F)
        case .koi8: String.Encoding(rawValue: 0x8000_0A02)
        case .shiftJIS: .shiftJIS
        case .gb18030: String.Encoding(rawValue: 0x8000_0632)
        }
    }
}
