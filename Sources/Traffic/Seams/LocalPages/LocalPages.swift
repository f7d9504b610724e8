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
