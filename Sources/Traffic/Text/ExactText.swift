/// A text that is equal to the same scalars alone: a String takes what looks the same for the same (Unicode canonical equivalence).
struct ExactText: Hashable, Sendable {
    private let text: Substring

    init(_ text: some StringProtocol) { self.text = Substring(text) }

    static func == (one: ExactText, other: ExactText) -> Bool { one.text.utf8.elementsEqual(other.text.utf8) }

    func hash(into hasher: inout Hasher) {
        let isHashed: Void? = text.utf8.withContiguousStorageIfAvailable {
            hasher.combine(bytes: UnsafeRawBufferPointer($0))
        }
        if isHashed == nil { for byte in text.utf8 { hasher.combine(byte) } }
    }
}
