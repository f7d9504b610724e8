/// Replaces escapes such as `\u00fc` with the letters they stand for, in a text that comes in pieces, so that a search finds a name either way.
///
/// JSON (RFC 8259 §7), JavaScript and other languages may write characters outside ASCII so. Escapes of ASCII characters and of unpaired surrogates
/// stay, so the result is the same JSON.
package struct TextEscapes: Sendable {
    /// The length of an escape, `\u00fc`.
    private static let count = 6
    private static let backslash = [UInt8(ascii: "\\")]

    /// The beginning of an escape, or of a pair of them, whose rest has yet to come; at most 11 bytes.
    private var pending: [UInt8] = []

    package init() {}

    /// Replaces the escapes of a whole text.
    package static func decoded(_ text: String) -> String {
        guard text.utf8.contains(UInt8(ascii: "\\")) else { return text }
        var escapes = TextEscapes()
        var decoded: [UInt8] = []
        escapes.decode(Array(text.utf8), into: &decoded)
        escapes.finish(into: &decoded)
        return String(decoding: decoded, as: UTF8.self)
    }

    /// Whether the next bytes stand for themselves.
    func passes(_ bytes: UnsafeRawBufferPointer) -> Bool {
        pending.isEmpty && TextFold.place(of: TextEscapes.backslash, in: bytes) == nil
    }

    /// Appends the next bytes of a text in UTF-8 to `text`.
    package mutating func decode(_ bytes: [UInt8], into text: inout [UInt8]) {
        let all = pending.isEmpty ? bytes : pending + bytes
        pending = []
        var index = 0
        while true {
            let start = index
            index = all.withUnsafeBytes { TextFold.place(of: TextEscapes.backslash, in: $0, from: start) } ?? all.count
            text.append(contentsOf: all[start..<index])
            guard index < all.count else { return }
            switch TextEscapes.read(all[index...]) {
            case .partial: return pending = Array(all[index...])
            case .plain(let count):
                text.append(contentsOf: all[index..<index + count])
                index += count
            case .scalar(let scalar, let count):
                text.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
                index += count
            }
        }
    }

    /// Appends what was held back.
    package mutating func finish(into text: inout [UInt8]) {
        text.append(contentsOf: pending)
        pending = []
    }

    private enum Found {
        /// Not all of it has come.
        case partial
        /// So many bytes stay as they are.
        case plain(Int)
        /// A scalar beyond ASCII, written with so many bytes.
        case scalar(Unicode.Scalar, Int)
    }

    /// Reads the escape at the beginning of a text.
    private static func read(_ text: ArraySlice<UInt8>) -> Found {
        guard let kind = text.dropFirst().first else { return .partial }
        // Two backslashes are one that escapes nothing.
        guard kind == UInt8(ascii: "u") else { return .plain(2) }
        guard let unit = unit(text) else { return text.count < count && isHexadecimal(text) ? .partial : .plain(2) }
        if let scalar = Unicode.Scalar(unit) { return scalar.isASCII ? .plain(count) : .scalar(scalar, count) }
        guard unit < 0xDC00 else { return .plain(count) }
        let rest = text.dropFirst(count)
        guard let other = self.unit(rest) else {
            let mayCome = rest.count < count && zip(rest, "\\u".utf8).allSatisfy { $0 == $1 } && isHexadecimal(rest)
            return mayCome ? .partial : .plain(count)
        }
        guard (0xDC00...0xDFFF).contains(other),
            let scalar = Unicode.Scalar(0x10000 + (unit - 0xD800) << 10 + (other - 0xDC00))
        else { return .plain(count) }
        return .scalar(scalar, 2 * count)
    }

    /// The code unit of an escape that a text begins with; `nil` where it begins with none.
    private static func unit(_ text: ArraySlice<UInt8>) -> UInt32? {
        guard text.count >= count, text.starts(with: "\\u".utf8), isHexadecimal(text.prefix(count)) else { return nil }
        return UInt32(String(decoding: text.dropFirst(2).prefix(4), as: UTF8.self), radix: 16)
    }

    /// Whether all that follows on two bytes is a digit.
    private static func isHexadecimal(_ text: ArraySlice<UInt8>) -> Bool {
        text.dropFirst(2).allSatisfy {
            (0x30...0x39).contains($0) || (0x41...0x46).contains($0) || (0x61...0x66).contains($0)
        }
    }
}
