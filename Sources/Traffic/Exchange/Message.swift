import NIOCore

/// One message of an exchange as bytes: the head that came, the head that went on, the trailers, and the measure of the body.
package struct Message: Hashable, Sendable {
    /// The head exactly as received, from the start line to the empty line inclusive; for a refused request, whatever came.
    package var head: ByteBuffer
    /// The head as sent on, where it differs from `head`; `nil` when the same bytes went on or nothing did.
    package var sentHead: ByteBuffer?
    /// The trailer section as received, field lines with their line ends; `nil` when there was none.
    package var trailers: ByteBuffer?
    /// The body's measure; its bytes are in the store.
    package var body: Body

    package init(head: ByteBuffer, sentHead: ByteBuffer? = nil, trailers: ByteBuffer? = nil, body: Body = Body()) {
        self.head = head
        self.sentHead = sentHead
        self.trailers = trailers
        self.body = body
    }

    /// The field lines of `head`, read leniently so that a refused message can be shown too.
    package var fields: HeaderList { HeaderList(head: head) }
}
