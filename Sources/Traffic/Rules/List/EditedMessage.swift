import NIOCore

/// A message as the rules leave it.
package struct EditedMessage: Sendable {
    /// The head to send; the bytes of the one that came when nothing changed.
    package var head: ByteBuffer
    /// What the trailers get when they come.
    package var trailerEdits: [TrailerEdit] = []
    /// Where a request goes; empty for where it was sent.
    package var destination = RuleDestination()
    /// Whether the head is another than the one that came.
    package var isChanged = false
}
