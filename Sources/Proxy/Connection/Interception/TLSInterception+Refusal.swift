import NIOCore
import Traffic
import Trust

/// The rows of clients that refuse to speak with us in the host's name: what the client did, what that means, and what helps.
extension TLSInterception {
    /// Records that no request could be read, because the client did not complete the handshake.
    ///
    /// - Parameters:
    ///   - error: the error that ended the handshake.
    ///   - then: ends the connection, unless the client has, once the row is committed.
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

    /// Records that the client and we, or the client and its upstream, have no protocol in common.
    ///
    /// - Parameters:
    ///   - why: which of the two.
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
        // The row names the host of the connection: what the client asks for is no host's name.
        record(host: destination.endpoint.host, then: then) { HandshakeFailure.name(problem, who: $0.title) }
    }

    /// Records that the client completed the handshake, with a protocol agreed on or without, and left at once without a request.
    func recordLeaving(_ negotiated: String?) {
        // The leave tells nothing of our certificate then.
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
