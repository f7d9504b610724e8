import NIOCore
import Traffic

/// The row of a connection to one destination in which no request could be read.
struct ConnectRow {
    let connection: ClientConnection
    /// The destination; `nil` where the client did not get as far as naming one.
    let endpoint: Endpoint?
    /// The head of the CONNECT, or the bytes that came in its place, as far as they may be kept.
    let request: ByteBuffer
    /// When it began, microseconds since 1970.
    let started: Int64
    let began: NIODeadline

    /// Records that the client left without a byte, unless this was a spare connection of a client whose other connections are read.
    func recordUnused() {
        let trusting = connection.loop.shared.trusting
        if let endpoint, trusting.contains(address: connection.peer.address, host: endpoint.host) { return }
        record { exchange in
            exchange.outcome = .tunnelled
            exchange.response = Message(head: ByteBuffer())
            exchange.warnings.append("The tunnel was closed before the client sent anything in it.")
        }
    }

    /// Records that the client left while its upstream was dialled or shook hands.
    func recordClientLeft() {
        let upstream = endpoint?.description ?? "the upstream"
        record { exchange in
            exchange.outcome = .cancelled
            exchange.failure = ExchangeFailure(
                side: .client,
                phase: .connect,
                cause: .closed,
                message: "The client closed the connection while one to \(upstream) was being made.",
                retry: true
            )
        }
    }

    /// The failure of an upstream that closed its connection between the dial and the first byte.
    static func lost(_ endpoint: Endpoint) -> ExchangeFailure {
        ExchangeFailure(
            side: .upstream,
            phase: .connect,
            cause: .closed,
            message: "\(endpoint) closed the connection before anything had passed.",
            retry: true
        )
    }

    /// The failure of a dial or a handshake that a stopping proxy gives up.
    static let stopped = ExchangeFailure(
        side: .proxy,
        phase: .connect,
        cause: .shutdown,
        message: "The proxy was stopped, and the upstream was not reached when it had waited long enough.",
        retry: true
    )

    /// Records that the upstream could not be connected to, and calls `then`, which tells the client, once the row is committed.
    func record(_ error: any Error, then: (() -> Void)? = nil) {
        record(then: then) { exchange in
            exchange.outcome = .failed
            exchange.failure =
                error as? ExchangeFailure
                ?? ExchangeFailure(
                    side: .upstream,
                    phase: .connect,
                    cause: .connect,
                    message: "Connecting to \(endpoint?.description ?? "the upstream") failed: \(error).",
                    retry: true
                )
        }
    }

    /// Records that a rule refused the connection, and calls `then`, which ends it, once the row is committed.
    func recordRefusal(_ failure: ExchangeFailure, by use: RuleUse, _ outcome: Outcome, then: (() -> Void)? = nil) {
        record(then: then) { exchange in
            exchange.outcome = outcome
            exchange.failure = failure
            exchange.rules = [use]
        }
    }

    private func record(then: (() -> Void)? = nil, _ end: (inout Exchange) -> Void) {
        var exchange = Exchange(
            timeline: Timeline(started: started),
            method: endpoint == nil ? "" : "CONNECT",
            scheme: nil,
            host: endpoint?.host ?? "",
            port: endpoint?.port ?? 0,
            target: endpoint?.description ?? "",
            request: Message(head: request),
            client: connection.peer
        )
        if endpoint != nil { exchange.version = .http11 }
        exchange.timeline.duration = (connection.loop.now - began).microseconds
        end(&exchange)
        connection.record(exchange, then: then)
    }
}
