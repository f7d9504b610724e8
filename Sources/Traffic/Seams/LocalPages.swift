/// What the proxy answers at addresses of its own: from a path to a page, filled in where the parts meet, for the proxy knows no page.
///
/// Whoever reaches a listener may read these, without a login and before it trusts anything: a page tells nothing of what was captured, changes
/// nothing, and its path leads to nothing else.
package struct LocalPages: Sendable {
    /// The name that is reserved for them; no server can have it, since there is no such top-level domain.
    ///
    /// Requests for it end here at the ports of HTTP and HTTPS, whatever a resolver would say of it.
    package static let host = "inspect.proxy"

    /// Names of this machine, in lower case, under which a listener may be asked for a page.
    ///
    /// Any IP address is one too. Any other name is refused: it may be that of a web site whose resolver points here (DNS rebinding).
    package let names: Set<String>
    /// The page of a request, `nil` where there is none; called on any event loop, never blocks.
    package let page: @Sendable (LocalPageRequest) -> LocalPage?

    package init(names: Set<String>, page: @escaping @Sendable (LocalPageRequest) -> LocalPage?) {
        self.names = names
        self.page = page
    }
}

/// A request for a page of the proxy's own.
package struct LocalPageRequest: Sendable, Hashable {
    /// Without its query.
    package var path: String
    /// Whether it came by TLS that we ended: its client uses the proxy and trusts our root.
    package var isDecrypted: Bool
    /// Where its client reaches the listener, as far as the connection tells.
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

/// A page of the proxy's own.
package struct LocalPage: Sendable, Hashable {
    /// With its parameters.
    package var mediaType: String
    package var content: [UInt8]
    /// The name to keep it under, in ASCII without quotes; `nil` for what is shown.
    package var fileName: String?
    /// What the page may load, as a Content-Security-Policy has it.
    package var policy = "default-src 'none'; sandbox"

    package init(mediaType: String, content: some Sequence<UInt8>, fileName: String? = nil) {
        self.mediaType = mediaType
        self.content = Array(content)
        self.fileName = fileName
    }
}
