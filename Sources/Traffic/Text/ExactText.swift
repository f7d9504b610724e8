import Foundation

/// A text compared by its bytes: a `String` takes a letter followed by its accent for the same as the two in one scalar.
package struct ExactText: Hashable, Comparable, Sendable {
    package let text: Substring

    package init(_ text: some StringProtocol) { self.text = Substring(text) }

    package static func == (one: ExactText, other: ExactText) -> Bool {
        guard one.text.utf8.count == other.text.utf8.count else { return false }
        // Most are short, and told apart at once.
        return one.text.utf8.count < 16 ? one.text.utf8.elementsEqual(other.text.utf8) : order(one, other) == 0
    }

    /// Whether the bytes of the first text sort before those of the other.
    package static func < (one: ExactText, other: ExactText) -> Bool { order(one, other) < 0 }

    /// Less than 0 where the bytes of one sort first, more where those of the other do; in one step, since names may be long and many.
    private static func order(_ one: ExactText, _ other: ExactText) -> Int {
        one.withBytes { one in
            other.withBytes { other in
                let count = min(one.count, other.count)
                guard count > 0, let first = one.baseAddress, let second = other.baseAddress else {
                    return one.count - other.count
                }
                let order = memcmp(first, second, count)
                return order == 0 ? one.count - other.count : Int(order)
            }
        }
    }

    package func hash(into hasher: inout Hasher) { withBytes { hasher.combine(bytes: $0) } }

    private func withBytes<Value>(_ body: (UnsafeRawBufferPointer) -> Value) -> Value {
        if let value = text.utf8.withContiguousStorageIfAvailable({ body(UnsafeRawBufferPointer($0)) }) { return value }
        return Array(text.utf8).withUnsafeBytes(body)
    }
}
