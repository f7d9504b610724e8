/// A text that is equal to the same scalars alone: a String takes what looks the same for the same (Unicode canonical equivalence).
package struct ExactText: Hashable, Comparable, Sendable {
    package let text: Substring

    package init(_ text: some StringProtocol) { self.text = Substring(text) }

    package static func == (one: ExactText, other: ExactText) -> Bool { one.text.utf8.elementsEqual(other.text.utf8) }

    /// Whether the bytes of one come first.
    package static func < (one: ExactText, other: ExactText) -> Bool {
        one.text.utf8.lexicographicallyPrecedes(other.text.utf8)
    }

    package func hash(into hasher: inout Hasher) {
        let isHashed: Void? = text.utf8.withContiguousStorageIfAvailable {
            hasher.combine(bytes: UnsafeRawBufferPointer($0))
        }
        if isHashed == nil { for byte in text.utf8 { hasher.combine(byte) } }
    }
}
