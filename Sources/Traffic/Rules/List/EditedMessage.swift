package import NIOCore

/// A message as the rules leave it.
package struct EditedMessage: Sendable {
    /// The head to send; where nothing changed, the bytes that came.
    package var head: ByteBuffer
    /// The edits for the trailers, once these come.
    package var trailerEdits: [TrailerEdit] = []
    /// Where the request goes; empty where no rule changed it.
    package var destination = RuleDestination()
    /// Whether the head differs from the one that came.
    package var isChanged = false

    /// A message that no rule has changed.
    package init(head: ByteBuffer) { self.head = head }
}
