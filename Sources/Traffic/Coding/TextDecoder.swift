/// Turns the bytes of a text into UTF-8, piece by piece, and notices bytes that its charset does not have.
package struct TextDecoder: Sendable {
    private let charset: Charset
    /// The bytes of a character that has not wholly come; at most 3.
    private var pending: [UInt8] = []
    /// The order of UTF-16's bytes, once known.
    private var isLittleEndian = true
    private var isAtStart = true

    package init(_ charset: Charset) {
        self.charset = charset
        isLittleEndian = charset != .utf16BE
    }

    /// Appends the next bytes, as UTF-8, to `text`; false when they are no text in the charset.
    package mutating func decode(_ bytes: UnsafeRawBufferPointer, into text: inout [UInt8]) -> Bool {
        switch charset {
        case .utf8: return decodeUTF8(bytes, into: &text)
        case .latin1, .windows1252:
            for byte in bytes { append(charset == .latin1 ? UInt32(byte) : Charset.windows1252Scalar(byte), to: &text) }
            return true
        case .utf16, .utf16LE, .utf16BE: return decodeUTF16(bytes, into: &text)
        }
    }

    /// Whether the text may end here: no character is half there.
    package var isWhole: Bool { pending.isEmpty }

    /// Checks the bytes against RFC 3629 §4 and passes them on as they are.
    private mutating func decodeUTF8(_ bytes: UnsafeRawBufferPointer, into text: inout [UInt8]) -> Bool {
        var index = 0
        text.reserveCapacity(text.count + bytes.count)
        while index < bytes.count {
            if pending.isEmpty {
                let start = index
                while index < bytes.count, bytes[index] < 0x80 { index += 1 }
                text.append(contentsOf: bytes[start..<index])
                if index == bytes.count { break }
            }
            pending.append(bytes[index])
            index += 1
            switch TextDecoder.state(pending) {
            case .whole:
                text.append(contentsOf: pending)
                pending.removeAll(keepingCapacity: true)
            case .partial: continue
            case .invalid: return false
            }
        }
        return true
    }

    private enum Sequence { case whole, partial, invalid }

    /// What one to four bytes are: a character, the beginning of one, or neither.
    private static func state(_ bytes: [UInt8]) -> Sequence {
        let length: Int
        var second: ClosedRange<UInt8> = 0x80...0xBF
        switch bytes[0] {
        case 0x00...0x7F: length = 1
        case 0xC2...0xDF: length = 2
        case 0xE0: (length, second) = (3, 0xA0...0xBF)
        case 0xED: (length, second) = (3, 0x80...0x9F)
        case 0xE1...0xEF: length = 3
        case 0xF0: (length, second) = (4, 0x90...0xBF)
        case 0xF4: (length, second) = (4, 0x80...0x8F)
        case 0xF1...0xF3: length = 4
        default: return .invalid
        }
        if bytes.count > 1, !second.contains(bytes[1]) { return .invalid }
        if !bytes.dropFirst(2).allSatisfy({ (0x80...0xBF).contains($0) }) { return .invalid }
        return bytes.count == length ? .whole : .partial
    }

    private mutating func decodeUTF16(_ bytes: UnsafeRawBufferPointer, into text: inout [UInt8]) -> Bool {
        for byte in bytes {
            pending.append(byte)
            guard pending.count % 2 == 0 else { continue }
            let unit = unit(at: pending.count - 2)
            if isAtStart {
                isAtStart = false
                if unit == 0xFEFF || charset == .utf16 && unit == 0xFFFE {
                    if unit == 0xFFFE { isLittleEndian.toggle() }
                    pending.removeAll(keepingCapacity: true)
                    continue
                }
            }
            if pending.count == 2 {
                if (0xD800...0xDBFF).contains(unit) { continue }
                guard !(0xDC00...0xDFFF).contains(unit) else { return false }
                append(unit, to: &text)
            } else {
                guard (0xDC00...0xDFFF).contains(unit) else { return false }
                append(0x10000 + (self.unit(at: 0) - 0xD800) << 10 + (unit - 0xDC00), to: &text)
            }
            pending.removeAll(keepingCapacity: true)
        }
        return true
    }

    private func unit(at index: Int) -> UInt32 {
        let (first, second) = (UInt32(pending[index]), UInt32(pending[index + 1]))
        return isLittleEndian ? second << 8 | first : first << 8 | second
    }

    private func append(_ scalar: UInt32, to text: inout [UInt8]) {
        guard let scalar = Unicode.Scalar(scalar) else { return }
        text.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
    }
}
