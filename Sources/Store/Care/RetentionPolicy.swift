/// The bounds past which a store deletes exchanges by itself, the oldest first.
///
/// Open exchanges stay. Exchanges with tags, a note or a favourite's star stay too, unless `includesMarked`.
package struct RetentionPolicy: Sendable, Equatable {
    /// How long an exchange is kept from its start, in microseconds.
    package var age: Int64?
    /// Exchanges that are kept.
    package var count: Int?
    /// Bytes of the file in use; freed bytes are used again before the file grows.
    package var bytes: Int64?
    /// Whether marked exchanges go too.
    package var includesMarked = false

    package init(age: Int64? = nil, count: Int? = nil, bytes: Int64? = nil, includesMarked: Bool = false) {
        (self.age, self.count, self.bytes, self.includesMarked) = (age, count, bytes, includesMarked)
    }

    /// Whether everything is kept.
    package var isEmpty: Bool { age == nil && count == nil && bytes == nil }
}
