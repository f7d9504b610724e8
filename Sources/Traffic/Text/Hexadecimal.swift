/// Writes bytes as digits, for digests, and reads them.
package enum Hexadecimal {
    /// The digits in lower case, in ASCII.
    static let digits = Array("0123456789abcdef".utf8)

    /// Two lower-case digits a byte.
    package static func text(_ bytes: some Sequence<UInt8>) -> String {
        return String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 0x0F)]] }, as: UTF8.self)
    }

    /// The bytes of digits; `nil` when there is anything else.
    package static func bytes(_ text: String) -> [UInt8]? {
        var bytes: [UInt8] = []
        var high: UInt8?
        for character in text.utf8 {
            guard let digit = digit(character) else { return nil }
            if let first = high {
                bytes.append(first << 4 | digit)
                high = nil
            } else {
                high = digit
            }
        }
        return high == nil ? bytes : nil
    }

    /// What a digit in either case stands for; `nil` for another character.
    package static func digit(_ character: UInt8) -> UInt8? {
        switch character {
        case 0x30...0x39: character - 0x30
        case 0x41...0x46: character - 0x37
        case 0x61...0x66: character - 0x57
        default: nil
        }
    }
}
