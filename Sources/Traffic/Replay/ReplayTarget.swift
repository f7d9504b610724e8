/// Where replays go in place of the recorded origin: a scheme, a host, a port, and a path before every target's.
package struct ReplayTarget: Hashable, Sendable {
    package let scheme: Scheme
    package let endpoint: Endpoint
    /// Without a slash at its end; empty for none.
    let prefix: String

    /// Reads a base URL: `http://127.0.0.1:8081`, `https://staging.example.test/v2`.
    ///
    /// - Throws: `ReplayError` saying what was expected.
    package init(_ text: String) throws(ReplayError) {
        let problem = ReplayError(
            "\(RuleProblem.quoted(text)) is no base URL; expected http:// or https://, a host, a port if it is another than usual, and a path if need be"
        )
        guard let colon = text.firstRange(of: "://"),
            let scheme = Scheme(rawValue: text[..<colon.lowerBound].lowercased()), scheme == .http || scheme == .https
        else { throw problem }
        let rest = text[colon.upperBound...]
        let authority = rest.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        guard !authority.contains("@") else {
            throw ReplayError("a base URL takes no user and password", wayOut: .authorization)
        }
        var path = rest.dropFirst(authority.count)
        guard let endpoint = Endpoint(authority: authority, defaultPort: scheme.defaultPort),
            path.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") })
        else { throw problem }
        while path.last == "/" { path.removeLast() }
        self.scheme = scheme
        self.endpoint = endpoint
        prefix = String(path)
    }

    /// The authority as the Host field has it.
    package var authority: String { endpoint.authority(of: scheme) }
}
