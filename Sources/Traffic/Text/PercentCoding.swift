/// Undoes and does the percent-encoding of URLs, queries and forms (RFC 3986 §2.1, WHATWG URL §5.1).
package enum PercentCoding {
    /// The meaning of a `+`.
    package enum Plus: Sendable {
        /// A space, as in queries and forms.
        case space
        /// Itself, as in paths.
        case plus
    }

    /// Whether bytes of a query or a form have anything to decode.
    static func isCoded(_ bytes: some Sequence<UInt8>) -> Bool {
        bytes.contains { $0 == UInt8(ascii: "%") || $0 == UInt8(ascii: "+") }
    }

    /// The bytes with each `%XX` decoded; an invalid escape stays as it is.
    package static func decoded(_ text: some Collection<UInt8>, plus: Plus = .space) -> [UInt8] {
        let source = Array(text)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(source.count)
        var index = 0
        while index < source.count {
            if let byte = byte(at: index, in: source) {
                bytes.append(byte)
                index += 3
            } else {
                bytes.append(source[index] == UInt8(ascii: "+") && plus == .space ? ASCII.space : source[index])
                index += 1
            }
        }
        return bytes
    }

    /// The decoded text; bytes that are not UTF-8 show as U+FFFD.
    package static func text(_ text: some StringProtocol, plus: Plus = .space) -> String {
        ByteText.repaired(decoded(text.utf8, plus: plus))
    }

    /// The decoded text, `+` as itself; `nil` where an escape is invalid, or the bytes are not UTF-8.
    package static func wholeText(_ text: String) -> String? {
        let source = Array(text.utf8)
        let isWhole = source.indices.allSatisfy {
            source[$0] != UInt8(ascii: "%") || byte(at: $0, in: source) != nil
        }
        return isWhole ? ByteText.utf8(decoded(source, plus: .plus)) : nil
    }

    /// A name or value as a form has it: blanks as `+`, all but unreserved characters as `%XX`.
    package static func form(_ text: String) -> String {
        encoded(text.utf8, keeping: .form).replacing(scalars: [" ": "+"])
    }

    /// The bytes as `%XX` in upper case, except those that a set keeps.
    ///
    /// - Returns: ASCII.
    package static func encoded(_ bytes: some Collection<UInt8>, keeping kept: PercentSet) -> String {
        var out: [UInt8] = []
        out.reserveCapacity(bytes.count)
        for byte in bytes {
            if kept.contains(byte) {
                out.append(byte)
            } else {
                out += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 0x0F)]]
            }
        }
        return String(decoding: out, as: UTF8.self)
    }

    private static let digits = Array("0123456789ABCDEF".utf8)

    /// The byte of the escape that begins at an index; `nil` where none does.
    static func byte(at index: Int, in source: [UInt8]) -> UInt8? {
        guard index + 2 < source.count, source[index] == UInt8(ascii: "%"),
            let high = Hexadecimal.digit(source[index + 1]), let low = Hexadecimal.digit(source[index + 2])
        else { return nil }
        return high << 4 | low
    }
}
