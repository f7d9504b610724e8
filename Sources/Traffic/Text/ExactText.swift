import Foundation

/// A text compared by its bytes: a `String` takes a letter followed by its accent for the same as the two in one scalar.
package struct ExactText: Hashable, Comparable, Sendable {
    package let text: String

    package init(_ text: String) { self.text = text }

    /// Copies a part of a text, whose own comparison takes several times as long.
    package init(_ text: Substring) { self.text = String(text) }

    package static func == (one: ExactText, other: ExactText) -> Bool {
        one.text.utf8.count == other.text.utf8.count && order(one, other) == 0
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

    @inline(__always)
    private func withBytes<Value>(_ body: (UnsafeRawBufferPointer) -> Value) -> Value {
        if let value = text.utf8.withContiguousStorageIfAvailable({ body(UnsafeRawBufferPointer($0)) }) { return value }
        return Array(text.utf8).withUnsafeBytes(body)
    }
}
