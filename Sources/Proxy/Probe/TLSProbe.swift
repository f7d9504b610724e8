import NIOCore
import NIOPosix
package import Traffic

/// The outcome of a TLS handshake made to see how it goes: whom it reached, what was agreed on, and why it failed.
package struct TLSProbe: Sendable {
    /// The other end, with what TLS agreed on and the certificates as far as they were seen; `nil` where nothing was reached.
    package var peer: Peer?
    /// Microseconds that connecting took, and the handshake; `nil` where there was none.
    package var connect: Int64?
    package var handshake: Int64?
    /// Why it failed; `nil` where it succeeded.
    package var failure: ExchangeFailure?

    /// Shakes hands and closes the connection.
    ///
    /// - Parameters:
    ///   - endpoint: the server.
    ///   - shared: the configuration to connect by.
    ///   - loop: the loop to connect on.
    /// - Returns: the outcome; the future never fails.
    static func run(_ endpoint: Endpoint, _ shared: ProxyShared, on loop: any EventLoop) -> EventLoopFuture<TLSProbe> {
        let key = UpstreamKey(endpoint: endpoint, serverName: endpoint.host, offer: .both, reach: .anywhere)
        return loop.flatSubmit {
            let connector = UpstreamConnector(
                loop: loop,
                shared: shared,
                watch: LoopWatch(loop: loop, delay: shared.configuration.pendingDelay, clock: shared.clock)
            )
            let bound = NIOLoopBound(connector, eventLoop: loop)
            return connector.dial(endpoint, key.reach).flatMap { dialed in
                let began = shared.clock.now
                return bound.value.open(dialed, key: key).map { opened in
                    let handshake = (shared.clock.now - began).microseconds
                    return TLSProbe(peer: leave(opened), connect: dialed.connect, handshake: handshake, failure: nil)
                }
            }
        }.flatMapErrorThrowing { error in
            let refusal = UpstreamRefusal(error, otherwise: UpstreamConnector.failure(error, endpoint))
            return TLSProbe(peer: refusal.peer, connect: nil, handshake: nil, failure: refusal.failure)
        }
    }

    /// Closes a connection on which nothing is asked.
    private static func leave(_ opened: OpenConnection) -> Peer {
        switch opened {
        case .http1(let upstream):
            defer { upstream.value.close() }
            return upstream.value.peer
        case .http2(let upstream):
            defer { upstream.value.close() }
            return upstream.value.peer
        }
    }
}
