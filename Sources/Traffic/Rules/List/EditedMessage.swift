package import NIOCore

/// A message as the rules leave it.
package struct EditedMessage {
    /// The head to send; where nothing changed, the bytes that came.
    package var head: ByteBuffer
    /// The edits for the trailers, once these come.
    package var trailerEdits: [TrailerEdit] = []
    /// What edits the body; `nil` where no rule does, or where the message has no body that can be edited, which the record says.
    ///
    /// The head says how long the body was. Once the body is changed, `head(withLength:)` or `headChunked` goes in its place.
    package var bodyEditor: BodyEditor?
    /// Where the request goes; empty where no rule changed it.
    package var destination = RuleDestination()
    /// Whether the head differs from the one that came.
    package var isChanged = false

    /// A message that no rule has changed.
    package init(head: ByteBuffer) { self.head = head }

    /// The head for a body of so many bytes: Content-Length stands where the first field stood that said where the body ends, or else at the end.
    package func head(withLength length: Int) -> ByteBuffer {
        var lines = HeadLines(head: head)
        lines.frame(as: "Content-Length", String(length))
        return lines.joined
    }

    /// The head for a body of unknown length: with Transfer-Encoding in HTTP/1.1, and else without a field that says where the body ends, which is
    /// then said by the stream, or by the connection's close.
    package func headChunked() -> ByteBuffer {
        var lines = HeadLines(head: head)
        let isChunked = lines.start?.contains("HTTP/1.1") == true
        if isChunked { lines.frame(as: "Transfer-Encoding", "chunked") } else { lines.frame(as: nil, "") }
        return lines.joined
    }
}
