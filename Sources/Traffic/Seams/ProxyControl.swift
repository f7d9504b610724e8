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

    /// Takes a host off the list, so that connections made from now on are read again; false where the list does not have it as written.
    func readAgain(_ host: String) -> Bool
}
