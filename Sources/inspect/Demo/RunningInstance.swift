/// A proxy that runs in this process, as far as a demonstration needs to know it.
struct RunningInstance: Sendable {
    /// The port it listens on, on 127.0.0.1.
    let proxyPort: Int
    /// The address of its page with what opens it; `nil` where none is served.
    let pageURL: String?
    /// The root certificate its clients must trust, PEM.
    let rootPEM: String
    /// The store it records into.
    let storePath: String

    /// Runs a proxy while a closure runs, and stops it after.
    ///
    /// The first argument are the certificates it trusts upstream besides the system's, PEM.
    typealias Runner =
        @Sendable (
            _ upstreamRootsPEM: String, _ body: @escaping @Sendable (RunningInstance) async throws -> Void
        ) async throws -> Void
}
