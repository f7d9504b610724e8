import Proxy

/// A proxy that runs in this process, as far as a demonstration needs to know it.
struct RunningInstance: Sendable {
    /// The ways in, with the ports that the system gave.
    let listeners: [ListenMode]
    /// The address of its page with what opens it; `nil` where none is served.
    let pageURL: String?
    /// The root certificate its clients must trust, PEM.
    let rootPEM: String
    /// The store it records into.
    let storePath: String
    /// What a person should know of the store.
    var warnings: [String] = []
    /// Returns once every event loop has had its turn.
    var beat: @Sendable () async throws -> Void = {}
    /// Follows other options as far as it can while it runs.
    var reload: @Sendable (StartOptions) async throws -> Void = { _ in }

    /// The port of the first explicit listener; 0 where there is none.
    var proxyPort: Int { listeners.first { $0.way == .explicit }?.port ?? 0 }

    /// Runs a proxy while a closure runs, and stops it after.
    ///
    /// The first argument are the certificates it trusts upstream besides the system's, PEM.
    typealias Runner =
        @Sendable (
            _ upstreamRootsPEM: String, _ body: @escaping @Sendable (RunningInstance) async throws -> Void
        ) async throws -> Void
}
