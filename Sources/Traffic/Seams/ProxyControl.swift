/// What a running proxy does when the page or the CLI asks.
package protocol ProxyControl: Sendable {
    /// Sends a recorded request again, byte for byte, through the proxy's own upstream path, and returns the number of the new exchange once it is recorded.
    ///
    /// - Throws: `ReplayError` when it cannot be sent; an answer of the upstream, whatever it is, is not an error.
    func replay(_ request: ReplayRequest) async throws -> ExchangeID
}

/// A recorded request with its body, ready to be sent again.
package struct ReplayRequest: Sendable {
    /// The recorded exchange; its `request.sentHead ?? request.head` is what goes out.
    package var original: Exchange
    /// The body as it was sent, content coding applied; whole.
    package var body: [UInt8]

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
