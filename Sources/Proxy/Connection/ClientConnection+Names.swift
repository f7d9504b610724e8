import Traffic

/// The guard of listeners that are servers to their clients: a request must name an address, this machine, or a name that was configured.
///
/// A web site can point its own name at this machine's address, and have a browser ask us as if we were the site (DNS rebinding). The name in the
/// request gives it away, since the site cannot choose it. An upstream could not check that name: it gets its own in its place.
extension ClientConnection {
    /// Refuses a request for a host that is no address, not `localhost`, and none of the configured names.
    ///
    /// No web site has a name without a dot, or one under `.internal`, `.local` (RFC 6762 §3) or `.home.arpa` (RFC 8375), which are for private use.
    ///
    /// - Parameters:
    ///   - host: the host that the request names; `nil` where it names none.
    ///   - upstream: a host whose name is taken too.
    /// - Throws: `MessageProblem` with code 421.
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

    /// A name without its final dot, if it has one.
    private static func undotted(_ name: String) -> String {
        name.utf8.last == UInt8(ascii: ".") ? String(name.dropLast()) : name
    }
}
