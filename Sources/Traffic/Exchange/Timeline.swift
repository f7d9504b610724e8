/// When an exchange began and how long each of its phases took.
///
/// `started` is wall-clock time; every other value is measured with a monotonic clock, in microseconds, and `nil` where the phase did not
/// happen (a reused connection has no `dns`, `connect` or `tls`). The phases follow one another, so their sum is the whole duration.
package struct Timeline: Hashable, Sendable {
    /// The first byte of the request arrived: microseconds since 1970-01-01T00:00:00Z.
    package var started: Int64
    /// Waiting for a free upstream connection.
    package var blocked: Int64?
    /// Resolving the upstream's name.
    package var dns: Int64?
    /// Opening the TCP connection, without TLS.
    package var connect: Int64?
    /// The TLS handshake with the upstream (HAR counts it inside `connect`; this does not).
    package var tls: Int64?
    /// From the upstream being ready to the end of the request.
    package var send: Int64?
    /// From the end of the request to the first byte of the response.
    package var wait: Int64?
    /// From the first byte of the response to its last.
    package var receive: Int64?
    /// From `started` to the end of the exchange; `nil` while it is open.
    package var duration: Int64?

    package init(started: Int64) { self.started = started }
}
