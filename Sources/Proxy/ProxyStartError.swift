/// Why the proxy cannot start, as one sentence for the user.
package struct ProxyStartError: Error, Sendable, CustomStringConvertible {
    package let description: String
    package init(_ description: String) { self.description = description }
}
