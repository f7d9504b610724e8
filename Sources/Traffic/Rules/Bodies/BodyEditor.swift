package import NIOCore

/// Does to the body of one message what the rules that apply say, on the message's event loop.
///
/// A body that is edited whole goes to `edit(whole:)` or, where it cannot be had, to `skip`; any other goes to `take`, piece by piece, and to `finish`.
/// An editor is used for one body and has one owner: it holds the state of coders, which copies of it would share.
package struct BodyEditor {
    /// What was done to the body by one action of one rule, or why nothing was.
    package struct Note: Hashable, Sendable {
        let rule: String
        let phase: RulePhase
        /// The word of the action: `request` or `response`.
        let action: String
        /// The changes on a line: `$.items[*].role ×20`; empty when nothing changed.
        package var what: String
        /// Why nothing changed, or what else is to be known: `skipped: body over 8 MiB`, `ETag kept`.
        package var note: String?
    }

    /// Whether the whole body is needed before anything of it can go on; otherwise each piece is edited as it comes.
    package let needsWhole: Bool
    /// What was done so far, in the order of the rules; whole once the body has ended or was skipped.
    package private(set) var notes: [Note]

    init(needsWhole: Bool, notes: [Note]) { (self.needsWhole, self.notes) = (needsWhole, notes) }

    /// Takes the next piece of the content, as it came, still coded.
    ///
    /// - Returns: what goes on now, coded alike; it can be empty.
    package mutating func take(_ piece: ByteBuffer) -> ByteBuffer { piece }

    /// Says that the content has ended.
    ///
    /// - Returns: what is still to be sent; it can be empty.
    package mutating func finish() -> ByteBuffer { ByteBuffer() }

    /// Edits a whole body.
    ///
    /// - Parameter body: the content as it came, still coded; empty for a message without any.
    /// - Returns: the content that goes on in its place, coded alike; `nil` where nothing changes, so that the bytes that came go on.
    package mutating func edit(whole body: ByteBuffer) -> ByteBuffer? { nil }

    /// Takes note that the body cannot be had whole, so that it goes on as it came.
    ///
    /// - Parameter why: the reason in words that follow `skipped:`, such as `body over 8 MiB`.
    package mutating func skip(_ why: String) {
        for index in notes.indices { notes[index].note = "skipped: \(why)" }
    }
}
