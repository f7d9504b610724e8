/// A recorded request with its body, ready to be sent again.
package struct ReplayRequest: Sendable {
    /// The recorded exchange, edited or not; its `request.sentHead ?? request.head` is what goes out, to its scheme, host and port.
    ///
    /// Of a request that a rule changed that is the client's.
    package var original: Exchange
    /// The body as it was sent, content coding applied; whole.
    package var body: [UInt8]
    /// What of the capture's credentials is not sent, because it goes elsewhere: `field Cookie`, `query item token`.
    package var heldBack: [String] = []
    /// What was mended so that the request can be read, one sentence each.
    package var notes: [String] = []

    package init(original: Exchange, body: [UInt8]) {
        self.original = original.withOwnHead
        self.body = body
    }
}
