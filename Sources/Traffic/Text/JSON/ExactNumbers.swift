/// Keeps the digits of JSON numbers that a Double cannot tell apart, so that two of them are not called equal.
///
/// Such a number is handed to the reader as a string that begins with the last private-use character, which no text has.
package enum ExactNumbers {
    /// The beginning of such a string.
    package static let mark = String(markScalar)
    static let markScalar: Unicode.Scalar = "\u{10FFFD}"
    /// Significant digits that every Double keeps (IEEE 754 binary64).
    private static let digitLimit = 15

    /// The JSON text with numbers as marked strings; unchanged where there are none.
    ///
    /// - Parameters:
    ///   - bytes: the text.
    ///   - isMarked: which numbers are marked, by their digits; those that a Double may not tell apart by default.
    /// - Returns: the text.
    package static func marked(
        _ bytes: [UInt8],
        where isMarked: (ArraySlice<UInt8>) -> Bool = ExactNumbers.isLong
    ) -> [UInt8] {
        var out: [UInt8] = []
        var copied = 0
        var index = 0
        while index < bytes.count {
            switch bytes[index] {
            case UInt8(ascii: "\""):
                index += 1
                while index < bytes.count, bytes[index] != UInt8(ascii: "\"") {
                    index += bytes[index] == UInt8(ascii: "\\") ? 2 : 1
                }
                index += 1
            case UInt8(ascii: "-"), 0x30...0x39:
                let start = index
                while index < bytes.count, isNumeral(bytes[index]) { index += 1 }
                guard isMarked(bytes[start..<index]) else { continue }
                out += bytes[copied..<start]
                out.append(UInt8(ascii: "\""))
                out += mark.utf8
                out += bytes[start..<index]
                out.append(UInt8(ascii: "\""))
                copied = index
            default: index += 1
            }
        }
        return copied == 0 ? bytes : out + bytes[copied...]
    }

    /// The digits of a marked string; `nil` for any other.
    package static func digits(_ text: String) -> Substring? {
        guard text.utf8.first == 0xF4, text.hasPrefix(mark), let first = text.utf8.dropFirst(mark.utf8.count).first,
            first == UInt8(ascii: "-") || (0x30...0x39).contains(first)
        else { return nil }
        return text.dropFirst()
    }

    /// Whether a number has digits that a Double may lose, or an exponent of three digits, which may lie beyond it.
    package static func isLong(_ literal: ArraySlice<UInt8>) -> Bool {
        let mantissa = literal.prefix { $0 | 0x20 != UInt8(ascii: "e") }
        if literal.count - mantissa.count >= 4 { return true }
        var said = mantissa
        if mantissa.contains(UInt8(ascii: ".")) { while said.last == 0x30 { said.removeLast() } }
        return said.count > digitLimit
            && said.lazy.filter { (0x30...0x39).contains($0) }.drop { $0 == 0x30 }.count > digitLimit
    }

    /// Whether a number is anything but a whole one of few digits, so that a Double may be written in other digits than the number.
    package static func isUnlikeDouble(_ literal: ArraySlice<UInt8>) -> Bool {
        let digits = literal.first == UInt8(ascii: "-") ? literal.dropFirst() : literal
        let isWhole = digits.count <= digitLimit && digits.allSatisfy { (0x30...0x39).contains($0) }
        if isWhole, digits.first != 0x30 || literal.count == 1 { return false }
        return Double(String(decoding: literal, as: UTF8.self)) != nil
    }

    private static func isNumeral(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || "-+.eE".utf8.contains(byte)
    }
}
