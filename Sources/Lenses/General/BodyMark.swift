import Traffic

/// A text that bodies of an API hold, looked for byte by byte: every exchange that ends is asked for some of them.
struct BodyMark: Sendable {
    private let bytes: [UInt8]

    /// The mark of a member: its name in quotes.
    init(member name: String) { bytes = Array("\"\(name)\"".utf8) }

    /// Whether it stands in a text.
    func isIn(_ text: String) -> Bool {
        let found = text.utf8.withContiguousStorageIfAvailable { utf8 in
            TextFold.place(of: bytes, in: UnsafeRawBufferPointer(utf8)) != nil
        }
        return found ?? text.contains(String(decoding: bytes, as: UTF8.self))
    }

    /// The first byte of a text that is no blank.
    static func first(of text: String) -> UInt8? {
        text.utf8.first { $0 != 0x20 && $0 != 0x0A && $0 != 0x0D && $0 != 0x09 }
    }
}
