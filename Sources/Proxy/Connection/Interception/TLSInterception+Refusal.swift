import NIOCore
import Traffic
import Trust

/// The row of a client that would not speak with us in the host's name: what it did, what that means, and what mends it.
extension TLSInterception {
    /// Records that no request could be read because the client did not go through with the handshake.
    ///
    /// - Parameters:
    ///   - error: what the handshake ended with.
    ///   - then: ends the connection where the client has not done so, once that is committed.
    func recordRefusal(_ error: any Error, then: (() -> Void)? = nil) {
        let (clear, host, programs) = (alerts.alert, shownName, loop.shared.programs)
        record(then: then) { client in
            var failure = HandshakeFailure.client(error, clear: clear, host: host, who: client.title)
            if failure.cause.isDistrust, let process = client.process, programs.trusts(process, besides: host) {
                failure.cause = .pinned
            }
            return failure
        }
    }

    /// Records that there is no protocol that the client and we, or the client and its upstream, both speak.
    ///
    /// - Parameters:
    ///   - why: which it is.
    ///   - then: tells the client where it is still there, once that is committed.
    func recordNoProtocol(_ why: HandshakeFailure.NoProtocol, then: (() -> Void)? = nil) {
        let (offered, host) = (hello.applicationProtocols, shownName)
        record(then: then) { client in HandshakeFailure.protocols(offered, why, host: host, who: client.title) }
    }

    /// Records that no certificate can hold the name that the client asks for.
    ///
    /// - Parameters:
    ///   - problem: what is wrong with the name.
    ///   - then: tells the client where it is still there, once that is committed.
    func recordNoName(_ problem: TrustError, then: @escaping () -> Void) {
        // The row is of the host that was to be connected to: what the client asks for is the name of none.
        record(host: destination.endpoint.host, then: then) { HandshakeFailure.name(problem, who: $0.title) }
    }

    /// Records that the client went through with the handshake, which agreed on a protocol or on none, and left at once without a request.
    func recordLeaving(_ negotiated: String?) {
        // It says nothing of our certificate then.
        if hello.offersHTTP2Alone, negotiated == nil { return recordNoProtocol(.noHTTP2(upstream: nil)) }
        let (host, programs) = (shownName, loop.shared.programs)
        record { client in
            let isPinned = client.process.map { programs.trusts($0, besides: host) } ?? false
            return ExchangeFailure(
                side: .client,
                phase: .tls,
                cause: isPinned ? .pinned : .left,
                message: "\(client.title) went through with the TLS handshake for \(host) and left without a request.",
                retry: true
            )
        }
    }

    private func record(
        host: String? = nil,
        then: (() -> Void)? = nil,
        _ failure: @escaping (TLSRemedy.Client) -> ExchangeFailure
    ) {
        var exchange = Exchange(
            timeline: Timeline(started: started),
            method: "CONNECT",
            scheme: .https,
            host: host ?? shownName,
            port: destination.endpoint.port,
            target: destination.endpoint.description,
            request: Message(head: destination.request),
            client: connection.peer,
            outcome: .failed
        )
        exchange.version = .http11
        exchange.timeline.duration = ((ended ?? loop.now) - began).microseconds
        let words = loop.configuration.remedyWords
        let complete = { (exchange: inout Exchange) in
            let client = TLSRemedy.Client(of: exchange)
            var failure = failure(client)
            if let remedy = TLSRemedy(failure, host: exchange.host, port: exchange.port, client: client) {
                failure.message += " \(remedy.text(words))"
            }
            exchange.failure = failure
        }
        connection.record(exchange, complete: complete, then: then)
    }
}
