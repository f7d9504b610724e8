/// What a running proxy does when the page or the CLI asks.
package protocol ProxyControl: Sendable {
    /// Sends a request through the proxy's own upstream path, and returns the number of the new exchange once it is recorded.
    ///
    /// - Throws: `ReplayError` when it cannot be sent; an answer of the upstream, whatever it is, is not an error.
    func replay(_ request: ReplayRequest) async throws -> ExchangeID

    /// The hosts whose TLS passes through unread, in the order in which they came to be on the list.
    func passedThrough() -> [PassedHost]

    /// Passes a host, or a pattern of hosts, through from now on, until the proxy stops.
    ///
    /// - Throws: `PassThroughError` for what is no host.
    func passThrough(_ host: String) throws

    /// Reads a host of the list again, by connections made from now on; false when it is not on it as it is written.
    func readAgain(_ host: String) -> Bool
}

/// A recorded request with its body, ready to be sent again.
package struct ReplayRequest: Sendable {
    /// The recorded exchange, edited or not; its `request.sentHead ?? request.head` is what goes out, to its scheme, host and port.
    package var original: Exchange
    /// The body as it was sent, content coding applied; whole.
    package var body: [UInt8]
    /// What of the capture's credentials is not sent, because it goes elsewhere: `field Cookie`, `query item token`.
    package var heldBack: [String] = []
    /// What was mended so that the request can be read, one sentence each.
    package var notes: [String] = []

    package init(original: Exchange, body: [UInt8]) {
        self.original = original
        self.body = body
    }
}

/// Why a replay could not be sent, as a sentence for the user.
package struct ReplayError: Error, Sendable, CustomStringConvertible {
    package let description: String
    package init(_ description: String) { self.description = description }
}
