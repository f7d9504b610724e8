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
    /// The same head with Content-Encoding as it came, where the rules that edit the body have it say other codings; `nil` where they do not.
    var kept: KeptCodings?
    /// Where the request goes; empty where no rule changed it.
    package var destination = RuleDestination()
    /// The last rule that changed where the request goes; `nil` where none did.
    package var sender: String?
    /// Whether the head differs from the one that came.
    package var isChanged = false

    /// A head whose rules change how the body is coded, without that change.
    struct KeptCodings {
        /// What one action of a rule changed of the head, as the record says it.
        struct Change {
            let rule: String
            let phase: RulePhase
            let action: String
            let with: String
            let without: String
        }

        var head = ByteBuffer()
        /// The actions that changed Content-Encoding.
        var changes: [Change] = []
    }

    /// A message that no rule has changed.
    package init(head: ByteBuffer) { self.head = head }

    /// Changes the head, also as it goes on where the body keeps its codings.
    package mutating func changeHead(_ change: (ByteBuffer) -> ByteBuffer) {
        head = change(head)
        if let before = kept?.head { kept?.head = change(before) }
    }

    /// Has the head say how the body is coded that came, where that was changed: a body that is not edited after all goes on as it came.
    ///
    /// - Parameter received: the head that came.
    /// - Returns: whether that was changed.
    @discardableResult
    package mutating func keepCodings(of received: ByteBuffer) -> Bool {
        guard let kept else { return false }
        head = kept.head
        isChanged = head != received
        return true
    }

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
        let isChunked = lines.start?.utf8.firstRange(of: "HTTP/1.1".utf8) != nil
        if isChunked { lines.frame(as: "Transfer-Encoding", "chunked") } else { lines.frame(as: nil, "") }
        return lines.joined
    }
}
