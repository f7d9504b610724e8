/// A request for a page of the proxy's own.
package struct LocalPageRequest: Sendable, Hashable {
    /// The path, without the query.
    package var path: String
    /// Whether it came through TLS that we decrypted, so that its client uses the proxy and trusts our root.
    package var isDecrypted: Bool
    /// The address at which its client reaches the listener, as far as the connection tells.
    package var proxy: Endpoint
    /// Whether it was sent through the proxy, by the reserved name, and not straight to the listener.
    package var isProxied: Bool

    package init(path: String, isDecrypted: Bool, proxy: Endpoint, isProxied: Bool) {
        self.path = path
        self.isDecrypted = isDecrypted
        self.proxy = proxy
        self.isProxied = isProxied
    }
}
