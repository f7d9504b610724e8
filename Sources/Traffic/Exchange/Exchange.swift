package import NIOCore

/// One request and what became of it: the record, without the bytes of the bodies.
package struct Exchange: Sendable {
    /// The store's number; 0 before the store has given one.
    package var id: ExchangeID = 0
    /// When it happened and how long each phase took.
    package var timeline: Timeline
    /// The method as sent, case kept; empty when the request could not be read.
    package var method: String
    /// The scheme; `nil` for tunnels and for requests that could not be read.
    package var scheme: Scheme?
    /// The upstream's name or address as the client gave it, lower case, IPv6 without brackets; empty when unknown.
    package var host: String
    /// The upstream's port; 0 when unknown.
    package var port: Int
    /// The request target in origin-form, as sent upstream (`host:port` for a tunnel); bytes that are not UTF-8 show as U+FFFD here and are exact in
    /// `request`.
    package var target: String
    /// The version the client spoke.
    package var version: HTTPVersion?
    /// The version spoken with the upstream.
    package var upstreamVersion: HTTPVersion?
    /// The HTTP/2 stream that the client sent it on; `nil` in HTTP/1.
    package var stream: Int?
    /// The HTTP/2 stream it was sent upstream on; `nil` in HTTP/1.
    package var upstreamStream: Int?
    /// The final response's status code; `nil` when none came.
    package var code: Int?
    /// The response's media type without parameters, lower case; `nil` when it named none.
    package var mediaType: String?
    /// The request's bytes and measures.
    package var request: Message
    /// The final response's bytes and measures; `nil` when none came.
    package var response: Message?
    /// The heads of the interim (1xx) responses that were forwarded, in order, as received.
    package var interim: [ByteBuffer] = []
    /// The response the proxy itself gave in the upstream's place (a 502, 504, 508, 400 …), head and body; `nil` when the upstream's was delivered.
    package var ownResponse: ByteBuffer?
    /// The client's connection.
    package var client: Peer
    /// The upstream's connection; `nil` when none was reached.
    package var upstream: Peer?
    /// Pending, completed, failed, cancelled or tunnelled.
    package var outcome: Outcome
    /// Why it failed, or how its client went away; `nil` unless `outcome` is `.failed` or `.cancelled`.
    package var failure: ExchangeFailure?
    /// What was odd but not fatal, one sentence each (bytes after the end of a body, a Host that differs from the target …).
    package var warnings: [String] = []
    /// The exchange this one is a replay of.
    package var replayOf: ExchangeID?
    /// How many messages of a stream passed: WebSocket messages, events, gRPC messages; none in most exchanges.
    package var messages = MessageCounts()
    /// What rules did to it, in the order in which it was decided; none in most exchanges.
    package var rules: [RuleUse] = []

    package init(
        timeline: Timeline,
        method: String,
        scheme: Scheme?,
        host: String,
        port: Int,
        target: String,
        request: Message,
        client: Peer,
        outcome: Outcome = .pending
    ) {
        self.timeline = timeline
        self.method = method
        self.scheme = scheme
        self.host = host
        self.port = port
        self.target = target
        self.request = request
        self.client = client
        self.outcome = outcome
    }
}
