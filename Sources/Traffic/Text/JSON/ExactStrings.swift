/// Keeps the pieces of JSON strings that a String cannot hold, so that two such strings are not called equal: the reader turns half a surrogate pair
/// (RFC 8259 §8.2) and bytes that are no UTF-8 into U+FFFD.
///
/// The reader gets each such piece with the mark of `ExactNumbers` before it: `\ud800` as the mark and `ud800`, the byte FF as the mark and `xff`.
/// A mark in the text itself becomes the mark and `u10fffd`, so that it is not taken for one of ours.
enum ExactStrings {
    /// Bytes of an escape such as `\ud800`.
    private static let escapeCount = 6
    private static let backslash = UInt8(ascii: "\\")
    private static let mark = Array(ExactNumbers.mark.utf8)
    /// The mark as two escapes, the halves of its surrogate pair.
    private static let markUnits: [UInt32] = [0xDBFF, 0xDFFD]

    /// The JSON text with those pieces marked; unchanged where there are none.
    static func marked(_ bytes: [UInt8]) -> [UInt8] {
        let isUTF8 = String(validating: bytes, as: UTF8.self) != nil
        guard !isUTF8 || bytes.contains(where: { $0 == backslash || $0 == mark[0] }) else { return bytes }
        var out: [UInt8] = []
        var copied = 0
        var index = 0
        while index < bytes.count {
            guard bytes[index] == backslash || bytes[index] >= 0x80 else {
                index += 1
                continue
            }
            guard let (piece, count) = lost(at: index, in: bytes, isUTF8: isUTF8) else {
                index += length(at: index, in: bytes, isUTF8: isUTF8)
                continue
            }
            out += bytes[copied..<index]
            out += mark + Array(piece.utf8)
            index += count
            copied = index
        }
        return copied == 0 ? bytes : out + bytes[copied...]
    }

    /// What the reader would lose at an index, or take for a mark of ours, as it is written out, and its bytes; `nil` where there is no such thing.
    private static func lost(at index: Int, in bytes: [UInt8], isUTF8: Bool) -> (String, Int)? {
        if bytes[index] == mark[0], bytes[index...].starts(with: mark) { return ("u10fffd", mark.count) }
        if unit(at: index, in: bytes) == markUnits[0], unit(at: index + escapeCount, in: bytes) == markUnits[1] {
            return ("u10fffd", 2 * escapeCount)
        }
        if let unit = unit(at: index, in: bytes), (0xD800...0xDFFF).contains(unit), !isPair(at: index, in: bytes) {
            return ("u" + String(unit, radix: 16), escapeCount)
        }
        guard !isUTF8, scalarLength(at: index, in: bytes) == nil else { return nil }
        return ("x" + Hexadecimal.text([bytes[index]]), 1)
    }

    /// The bytes of what the reader keeps as it is.
    private static func length(at index: Int, in bytes: [UInt8], isUTF8: Bool) -> Int {
        if isPair(at: index, in: bytes) { return 2 * escapeCount }
        // A backslash after a backslash begins no escape.
        if bytes[index] == backslash, index + 1 < bytes.count, bytes[index + 1] < 0x80 { return 2 }
        return isUTF8 ? 1 : scalarLength(at: index, in: bytes) ?? 1
    }

    private static func isPair(at index: Int, in bytes: [UInt8]) -> Bool {
        guard let first = unit(at: index, in: bytes), (0xD800...0xDBFF).contains(first),
            let second = unit(at: index + escapeCount, in: bytes)
        else { return false }
        return (0xDC00...0xDFFF).contains(second)
    }

    /// The code unit of the escape, `\u` and four digits, that begins at an index; `nil` where none does.
    private static func unit(at index: Int, in bytes: [UInt8]) -> UInt32? {
        guard index + escapeCount <= bytes.count, bytes[index] == backslash, bytes[index + 1] == UInt8(ascii: "u")
        else { return nil }
        return bytes[(index + 2)..<(index + escapeCount)].reduce(UInt32?(0)) { unit, byte in
            unit.flatMap { unit in Hexadecimal.digit(byte).map { unit << 4 | UInt32($0) } }
        }
    }

    /// The bytes of the scalar that begins at an index; `nil` where none does.
    private static func scalarLength(at index: Int, in bytes: [UInt8]) -> Int? {
        let count =
            switch bytes[index] {
            case 0x00...0x7F: 1
            case 0xC2...0xDF: 2
            case 0xE0...0xEF: 3
            default: 4
            }
        if count == 1 { return 1 }
        let end = index + count
        return end <= bytes.count && String(validating: bytes[index..<end], as: UTF8.self) != nil ? count : nil
    }
}

extension JSONReader {
    /// Reads bytes that are one JSON text, and keeps numbers and strings apart that a Double or a String cannot.
    ///
    /// - Parameter bytes: the text.
    /// - Returns: the value; numbers as `ExactNumbers` has them, strings as `ExactStrings`.
    /// - Throws: `Problem` as `value` does.
    package static func exactValue(_ bytes: [UInt8]) throws(Problem) -> JSONValue {
        try value(ExactNumbers.marked(ExactStrings.marked(bytes)), isMeasured: true)
    }
}
