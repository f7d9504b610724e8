/// Keeps the digits of JSON numbers that a Double cannot tell apart, so that two of them are not called equal.
///
/// Such a number is handed to the reader as a string that begins with the last private-use character, which no text has.
enum ExactNumbers {
    /// What such a string begins with.
    static let mark = "\u{10FFFD}"
    /// Significant digits that every Double keeps (IEEE 754 binary64).
    private static let digitLimit = 15

    /// The JSON text with those numbers as marked strings; the same bytes where there are none.
    static func marked(_ bytes: [UInt8]) -> [UInt8] {
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
                guard isLong(bytes[start..<index]) else { continue }
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
    static func digits(_ text: String) -> Substring? { text.hasPrefix(mark) ? text.dropFirst() : nil }

    private static func isLong(_ literal: ArraySlice<UInt8>) -> Bool {
        let mantissa = literal.prefix { $0 != UInt8(ascii: "e") && $0 != UInt8(ascii: "E") }
        // An exponent of three digits may lie beyond what a Double holds.
        if literal.count - mantissa.count >= 4 { return true }
        var said = mantissa
        if mantissa.contains(UInt8(ascii: ".")) { while said.last == 0x30 { said.removeLast() } }
        return said.lazy.filter { (0x30...0x39).contains($0) }.drop { $0 == 0x30 }.count > digitLimit
    }

    private static func isNumeral(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || "-+.eE".utf8.contains(byte)
    }
}
