/// How much a JSON text may hold; a writer counts from its beginning.
package struct JSONBounds: Hashable, Sendable {
    /// Bytes.
    package var length: Int64
    /// Bytes of one string, without the backslashes of its escapes.
    package var text: Int64
    /// Values, nested ones included.
    package var values: Int64

    package init(length: Int64, text: Int64, values: Int64) {
        (self.length, self.text, self.values) = (length, text, values)
    }
}
