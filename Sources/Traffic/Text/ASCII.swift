import Foundation

/// The bytes that HTTP's grammar is made of (RFC 9110 §5.6.2, RFC 5234 appendix B).
package enum ASCII {
    package static let lineFeed: UInt8 = 0x0A
    package static let carriageReturn: UInt8 = 0x0D
    package static let space: UInt8 = 0x20
    package static let tab: UInt8 = 0x09
    package static let colon: UInt8 = 0x3A
    package static let comma: UInt8 = 0x2C

    /// The byte in lower case if it is an ASCII letter.
    @inlinable package static func lower(_ byte: UInt8) -> UInt8 {
        byte >= 0x41 && byte <= 0x5A ? byte | 0x20 : byte
    }

    /// A text from a wire with its ASCII letters in lower case, and every other byte as it is.
    ///
    /// `lowercased()` turns U+212A into a k, and the next reader of the same bytes may not.
    @inlinable package static func lower(_ text: some StringProtocol) -> String {
        String(unsafeUninitializedCapacity: text.utf8.count) { room in
            var count = 0
            for byte in text.utf8 {
                room.initializeElement(at: count, to: lower(byte))
                count += 1
            }
            return count
        }
    }

    /// Whether two texts from a wire are the same bytes, ASCII letters compared without case; `==` takes U+212A for K.
    @inlinable package static func isSame(_ one: some StringProtocol, _ other: some StringProtocol) -> Bool {
        one.utf8.elementsEqual(other.utf8) { lower($0) == lower($1) }
    }

    /// The first place of a byte from a place on; the end where there is none.
    static func place(of byte: UInt8, in bytes: UnsafeRawBufferPointer, from start: Int) -> Int {
        guard start < bytes.count, let base = bytes.baseAddress,
            let found = memchr(base + start, Int32(byte), bytes.count - start)
        else { return bytes.count }
        return base.distance(to: UnsafeRawPointer(found))
    }

    /// Whether all the bytes are ASCII.
    package static func isAll(_ bytes: UnsafeRawBufferPointer) -> Bool {
        var bits: UInt8 = 0
        for byte in bytes { bits |= byte }
        return bits < 0x80
    }

    /// Whether the byte is a space or a tab.
    @inlinable package static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

    /// Whether the byte may stand in a token: a method, a field name (RFC 9110 §5.6.2).
    @inlinable package static func isToken(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        case 0x21, 0x23, 0x24, 0x25, 0x26, 0x27, 0x2A, 0x2B, 0x2D, 0x2E, 0x5E, 0x5F, 0x60, 0x7C, 0x7E: true
        default: false
        }
    }
}
