import Traffic

/// A name that bodies of an API hold in quotes.
///
/// It is looked for byte by byte, since the bodies of every exchange that ends are searched for some marks.
struct BodyMark: Sendable {
    private let bytes: [UInt8]
    /// The number of the bit by which `BodyText` notes the name.
    let note: Int

    /// The mark of a member: its name in quotes.
    init(member name: String) {
        bytes = Array("\"\(name)\"".utf8)
        note = Array(name.utf8).withUnsafeBytes { BodyMark.note(of: $0) }
    }

    /// Whether the mark stands in a text.
    func isIn(_ text: UnsafeRawBufferPointer) -> Bool { TextFold.place(of: bytes, in: text) != nil }

    /// Where the mark first ends in a text, searched from a place on; `nil` where the mark is not found.
    func end(in text: UnsafeRawBufferPointer, from start: Int) -> Int? {
        TextFold.place(of: bytes, in: text, from: start).map { $0 + bytes.count }
    }

    /// The count of notes.
    static let noteCount = 4096

    /// The note, below `noteCount`, of some bytes between quotes.
    ///
    /// It is made from their count, the first eight and the last eight, so a long text takes no longer than a short one.
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
