import Traffic

/// The authorities that the page answers to; a foreign name that points at loopback opens nothing (DNS rebinding).
struct HostRule: Sendable {
    private let names: Set<String>

    /// - Parameter names: hosts beside the loopback names, without port, IPv6 without brackets.
    init(names: [String]) {
        self.names = Set(["127.0.0.1", "::1", "localhost"] + names.map { $0.lowercased() })
    }

    /// Whether a request's authority is one of ours on the port of its connection; a request without an authority is refused.
    func accepts(_ authority: String?, port: Int?) -> Bool {
        guard let authority, let port, let endpoint = Endpoint(authority: authority, defaultPort: 80) else {
            return false
        }
        return endpoint.port == port && names.contains(endpoint.host)
    }
}
