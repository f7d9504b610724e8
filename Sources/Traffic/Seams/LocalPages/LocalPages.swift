/// The pages that the proxy serves at addresses of its own; the commands fill them in, because the proxy knows no page.
///
/// Anyone who reaches a listener may read them, without a login and before they trust our root. So a page shows nothing that was captured, changes
/// nothing, and its path leads nowhere else.
package struct LocalPages: Sendable {
    /// The name that is reserved for them; no server can have it, since there is no such top-level domain.
    ///
    /// Requests for it end here at the ports of HTTP and HTTPS, whatever a resolver would say of it.
    package static let host = "inspect.proxy"

    /// Names of this machine, in lower case, by which a client may ask a listener for a page.
    ///
    /// Every IP address counts as one. Every other name is refused, because it may belong to a web site whose resolver points here (DNS rebinding).
    package let names: Set<String>
    /// The page of a request, `nil` where there is none; called on any event loop, never blocks.
    package let page: @Sendable (LocalPageRequest) -> LocalPage?

    package init(names: Set<String>, page: @escaping @Sendable (LocalPageRequest) -> LocalPage?) {
        self.names = names
        self.page = page
    }
}
