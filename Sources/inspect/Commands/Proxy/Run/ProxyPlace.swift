import Traffic

/// Where a client on this machine reaches a proxy.
struct ProxyPlace: Sendable, Equatable {
    /// A name or an address, without brackets.
    let host: String
    let port: Int
    /// `user:password` where it asks for them, percent-encoded.
    var credentials: String?
    /// The directory of the root that it signs with; `nil` where that is the one of this command.
    var certificates: String?

    /// The address by which this machine reaches a listener: loopback, where the listener has every address.
    init(host: String, port: Int, credentials: String? = nil) {
        self.host = ["0.0.0.0": "127.0.0.1", "::": "::1"][host] ?? host
        self.port = port
        self.credentials = credentials
    }

    /// Reads `127.0.0.1:9090` or `[::1]:9090`; `nil` where there is no port.
    init?(address: String, credentials: String? = nil) {
        guard let colon = address.lastIndex(of: ":"), let port = Int(address[address.index(after: colon)...]) else {
            return nil
        }
        let host = address[..<colon]
        self.init(
            host: host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : String(host),
            port: port,
            credentials: credentials
        )
    }

    /// Where a running proxy is reached by a client that knows of proxies, with the login that it asks for.
    ///
    /// - Throws: `InputError` where it has no explicit listener.
    init(explicitOf running: InstanceFile) throws {
        let address = running.listeners.first { $0.mode == "explicit" }?.address
        guard let address, let place = ProxyPlace(address: address, credentials: running.login) else {
            throw InputError(
                "the proxy that runs on \(running.storePath) has no explicit listener; start it with --listen-mode explicit@9090 too"
            )
        }
        self = place
        certificates = running.certificates
    }

    /// The user and the password in the clear.
    var login: (user: String, password: String)? {
        guard let parts = credentials?.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false),
            parts.count == 2, let user = PercentCoding.wholeText(String(parts[0])),
            let password = PercentCoding.wholeText(String(parts[1]))
        else { return nil }
        return (user, password)
    }

    /// Host and port, an IPv6 address in brackets.
    var authority: String { "\(host.contains(":") ? "[\(host)]" : host):\(port)" }

    /// What a client is given as its proxy.
    var url: String { "http://\(credentials.map { $0 + "@" } ?? "")\(authority)" }
}
