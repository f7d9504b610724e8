import Foundation
import NIOCore
import Proxy
import Traffic
import Trust

/// Makes both handshakes of a host: through a proxy of its own that listens on a free port for as long as it takes.
struct TLSInspection {
    let upstreams: UpstreamOptions
    let authority: CAOptions
    /// How long each handshake may take.
    var handshakeTimeout = ProxyConfiguration().handshakeTimeout

    /// What the handshakes show.
    ///
    /// - Throws: when the root or a file of the options cannot be used.
    func report(on endpoint: Endpoint) async throws -> TLSReport {
        let root = try authority.openRoot()
        var configuration = try upstreams.configuration()
        configuration.port = 0
        configuration.keyLogFile = nil
        configuration.handshakeTimeout = handshakeTimeout
        configuration.drainTimeout = .milliseconds(100)
        let isPassed = configuration.passThrough.contains { $0.matches(endpoint.host) }
        return try await UnrecordedProxy.run(configuration, root: root) { proxy, listeners in
            let upstream = try await proxy.probe(endpoint)
            var client: TLSProbe?
            if let listener = listeners.first, upstream.failure.map({ $0.phase == .tls }) ?? true, !isPassed {
                client = try await proxy.probeAsClient(endpoint, listener, rootPEM: root.pem)
            }
            return TLSReport(endpoint: endpoint, upstream: upstream, client: client, isPassed: isPassed, now: .now)
        }
    }
}
