import NIOCore
import NIOPosix
import Traffic

/// One TLS handshake made to see how it goes: what was reached, what was settled, and why not.
package struct TLSProbe: Sendable {
    /// Who was reached, with what TLS settled and the certificates as far as they were seen; `nil` when nobody was.
    package var peer: Peer?
    /// Microseconds that the connection took, and the handshake; `nil` where there was none.
    package var connect: Int64?
    package var handshake: Int64?
    /// Why it failed; `nil` when it went well.
    package var failure: ExchangeFailure?

    /// Shakes hands and leaves.
    ///
    /// - Parameters:
    ///   - endpoint: with whom.
    ///   - shared: how.
    ///   - loop: on which loop.
    /// - Returns: how it went; never fails.
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

    /// Closes a connection that nothing is asked on.
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
