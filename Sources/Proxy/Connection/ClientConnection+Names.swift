import Traffic

/// A listener that is a server to its clients takes no name of which nobody here has said that it is ours.
///
/// A web site can give its own name this machine's address, and then ask for it from a browser, here or wherever this machine is reached from, as from
/// itself (DNS rebinding).
/// What tells is the name in the request, which the site cannot choose; an upstream that looks at that never sees it, since it gets its own.
extension ClientConnection {
    /// Refuses a request that is for a host which is no address, not `localhost` and none of the names given.
    ///
    /// A name without a dot, as machines of one's own have, and one under `.internal`, `.local` (RFC 6762 §3) or `.home.arpa` (RFC 8375), which are kept
    /// for private use, is no web site's.
    ///
    /// - Parameters:
    ///   - host: what the request names; `nil` where it names nothing.
    ///   - upstream: whose name may be used too.
    /// - Throws: `MessageProblem` with what to do about it.
    func checkOwnName(_ host: String?, upstream: String? = nil) throws(MessageProblem) {
        guard let host, !host.isEmpty else { return }
        let name = Self.undotted(host)
        guard name != upstream.map(Self.undotted), name.contains("."),
            !Self.privateEnds.contains(where: name.hasSuffix),
            !Endpoint(host: name, port: 1).isAddress,
            !loop.configuration.ownNames.contains(name)
        else { return }
        throw MessageProblem(
            "This address answers for IP addresses, localhost and names that were given to it, so that no web site reaches it by a name of its own; whoever runs it can give it this one.",
            code: 421,
            cause: .host
        )
    }

    private static let privateEnds = [".localhost", ".internal", ".local", ".home.arpa"]

    /// A name without the dot that may end it.
    private static func undotted(_ name: String) -> String {
        name.utf8.last == UInt8(ascii: ".") ? String(name.dropLast()) : name
    }
}
