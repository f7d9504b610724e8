import NIOCore
import Traffic

/// A client's connection that came to nothing before there was a request in it: a failed row.
struct LostConnection {
    let connection: ClientConnection
    /// Where it was to go; `nil` when that is not known.
    let endpoint: Endpoint?
    let began: NIODeadline
    /// Microseconds since 1970.
    let started: Int64

    /// Records it.
    ///
    /// - Parameters:
    ///   - request: the bytes that asked for it, as far as they may be kept.
    ///   - failure: why it came to nothing.
    func record(request: ByteBuffer, _ failure: ExchangeFailure) {
        let loop = connection.loop
        var exchange = Exchange(
            timeline: Timeline(started: started),
            method: endpoint == nil ? "" : "CONNECT",
            scheme: nil,
            host: endpoint?.host ?? "",
            port: endpoint?.port ?? 0,
            target: endpoint?.description ?? "",
            request: Message(head: request),
            client: connection.peer,
            outcome: .failed
        )
        exchange.failure = failure
        exchange.timeline.duration = (NIODeadline.now() - began).microseconds
        var tap = CaptureTap(exchange, token: loop.shared.nextToken(), bodyLimitBytes: 0)
        tap.end(loop.lane) { _ in }
    }
}
