/// What people say of an exchange: that it is a favourite, tags, a note.
///
/// Most have none of it.
package struct ExchangeMarks: Hashable, Sendable {
    package var isFavourite = false
    /// Sorted, each as `Tag.name` makes it.
    package var tags: [String] = []
    /// A text; `nil` where there is none, never empty.
    package var note: String?

    package init(isFavourite: Bool = false, tags: [String] = [], note: String? = nil) {
        (self.isFavourite, self.tags, self.note) = (isFavourite, tags, note)
    }

    /// Whether nothing is said.
    package var isEmpty: Bool { self == ExchangeMarks() }

    /// Characters of a note.
    package static let noteLimit = 10_000
    /// Tags of one exchange.
    package static let tagLimit = 50
}
