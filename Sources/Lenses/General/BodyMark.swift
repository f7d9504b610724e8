import Foundation
import Traffic

/// A name that bodies of an API hold in quotes, looked for byte by byte: every exchange that ends is asked for some of them.
struct BodyMark: Sendable {
    private let bytes: [UInt8]
    /// Where `BodyText` notes the name.
    let note: Int

    /// The mark of a member: its name in quotes.
    init(member name: String) {
        bytes = Array("\"\(name)\"".utf8)
        note = Array(name.utf8).withUnsafeBytes { BodyMark.note(of: $0) }
    }

    /// Whether it stands in a text.
    func isIn(_ text: UnsafeRawBufferPointer) -> Bool { TextFold.place(of: bytes, in: text) != nil }

    /// Where it first ends in a text from a place on; `nil` where it does not stand there.
    func end(in text: UnsafeRawBufferPointer, from start: Int) -> Int? {
        TextFold.place(of: bytes, in: text, from: start).map { $0 + bytes.count }
    }

    /// How many notes there are.
    static let noteCount = 4096

    /// The note of some bytes between quotes, below `noteCount`: from their number, the first eight and the last eight, so that it takes as long for any.
    static func note(of name: UnsafeRawBufferPointer) -> Int {
        let mixer: UInt64 = 0x9E37_79B9_7F4A_7C15
        var sum = UInt64(truncatingIfNeeded: name.count)
        if name.count >= 8 {
            sum ^= name.loadUnaligned(as: UInt64.self)
            sum = sum &* mixer ^ name.loadUnaligned(fromByteOffset: name.count - 8, as: UInt64.self)
        } else {
            for byte in name { sum = sum << 8 ^ UInt64(byte) }
        }
        return Int(truncatingIfNeeded: (sum &* mixer) >> 52)
    }
}
