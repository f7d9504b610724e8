/// What people marked an exchange with: as a favourite, by tags, by a note.
///
/// Most exchanges have no mark.
package struct ExchangeMarks: Hashable, Sendable {
    package var isFavourite = false
    /// The tags, sorted, each as `Tag.name` makes it.
    package var tags: [String] = []
    /// The note; `nil` where there is none, never empty.
    package var note: String?

    package init(isFavourite: Bool = false, tags: [String] = [], note: String? = nil) {
        (self.isFavourite, self.tags, self.note) = (isFavourite, tags, note)
    }

    /// Whether there is no mark.
    package var isEmpty: Bool { self == ExchangeMarks() }

    /// Characters of a note.
    package static let noteLimit = 10_000
    /// Tags of one exchange.
    package static let tagLimit = 50
}
