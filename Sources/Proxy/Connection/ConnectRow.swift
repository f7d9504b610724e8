import NIOCore
import Traffic

/// The row of a connection that was to go to one place, and in which no request could be read.
struct ConnectRow {
    let connection: ClientConnection
    /// Where it was to go; `nil` when the client did not come to say so.
    let endpoint: Endpoint?
    /// The head of the CONNECT, or what came in its place, as far as it may be kept.
    let request: ByteBuffer
    /// Microseconds since 1970.
    let started: Int64
    let began: NIODeadline

    /// Records that the client said nothing in it and left, unless it was a spare connection of a client whose others are read.
    func recordUnused() {
        let trusting = connection.loop.shared.trusting
        if let endpoint, trusting.contains(address: connection.peer.address, host: endpoint.host) { return }
        record { exchange in
            exchange.outcome = .tunnelled
            exchange.response = Message(head: ByteBuffer())
            exchange.warnings.append("The tunnel was closed before the client sent anything in it.")
        }
    }

    /// Records that the client left while its upstream was dialled, or shook hands.
    func recordClientLeft() {
        let upstream = endpoint?.description ?? "the upstream"
        record(
            ExchangeFailure(
                side: .client,
                phase: .connect,
                cause: .closed,
                message: "The client closed the connection while one to \(upstream) was being made.",
                retry: true
            )
        )
    }

    /// What became of an upstream that closed its connection between the dial and the first byte.
    static func lost(_ endpoint: Endpoint) -> ExchangeFailure {
        ExchangeFailure(
            side: .upstream,
            phase: .connect,
            cause: .closed,
            message: "\(endpoint) closed the connection before anything had passed.",
            retry: true
        )
    }

    /// Why a proxy that stops gives a dial or a handshake up.
    static let stopped = ExchangeFailure(
        side: .proxy,
        phase: .connect,
        cause: .shutdown,
        message: "The proxy was stopped, and the upstream was not reached when it had waited long enough.",
        retry: true
    )

    /// Records that no connection to the upstream could be had for it, and tells the client with `then` once that is committed.
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
