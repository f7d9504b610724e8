import NIOCore
package import Traffic

/// TLS handshakes with either side, made only to see how they go.
extension ProxyServer {
    /// Shakes hands with an upstream as for any exchange.
    ///
    /// - Throws: when the proxy has stopped.
    package func probe(_ endpoint: Endpoint) async throws -> TLSProbe {
        guard let loop = anyLoop?.eventLoop else { throw ProxyStartError.stopped }
        return try await TLSProbe.run(endpoint, shared, on: loop).get()
    }

    /// Shakes hands with this proxy in an upstream's name, as a client that trusts its root does.
    ///
    /// - Parameters:
    ///   - endpoint: the upstream.
    ///   - listener: an explicit listener of this proxy.
    ///   - rootPEM: what the client trusts.
    /// - Returns: how it went.
    /// - Throws: when the root is none, or the proxy has stopped.
    package func probeAsClient(
        _ endpoint: Endpoint,
        _ listener: BoundListener,
        rootPEM: String
    ) async throws -> TLSProbe {
        guard let loop = anyLoop?.eventLoop else { throw ProxyStartError.stopped }
        var configuration = ProxyConfiguration()
        configuration.upstreamProxy = UpstreamProxy(
            .http,
            Endpoint(host: listener.mode.host, port: listener.mode.port),
            credentials: shared.configuration.credentials
        )
        configuration.upstreamRootsPEM = rootPEM
        configuration.remedyWords = shared.configuration.remedyWords
        let client = ProxyShared(
            configuration: configuration,
            rootDER: shared.rootDER,
            interception: shared.interception,
            upstreamTLS: try UpstreamTLS(configuration: configuration, ownRootDER: [], keyLog: nil),
            // No port of ours is refused: this is a client of ours.
            listeners: OwnListeners(),
            logger: shared.logger
        )
        return try await TLSProbe.run(endpoint, client, on: loop).get()
    }
}
