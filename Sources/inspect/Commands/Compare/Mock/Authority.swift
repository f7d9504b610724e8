import Traffic

/// A host and port as a URL writes them.
enum Authority {
    /// The port is left out where it is the scheme's own.
    static func text(_ host: String, _ port: Int, _ scheme: Scheme?) -> String {
        port == scheme?.defaultPort ? Endpoint.bracketed(host) : "\(Endpoint(host: host, port: port))"
    }
}
