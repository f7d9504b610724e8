import NIOCore
import Traffic

/// Everything that a store keeps of an exchange, to be compared.
struct ExchangeFacts: Equatable {
    /// A connection's.
    struct Connection: Equatable {
        let token: UInt64
        let address: String
        let tls: Peer.TLS?
        let process: LocalProcess?
        let hello: String?
        let runtime: ClientRuntime?

        init(_ peer: Peer) {
            (token, address, tls) = (peer.token, peer.address, peer.tls)
            (process, hello, runtime) = (peer.process, peer.hello, peer.runtime)
        }
    }

    let id: ExchangeID
    let timeline: Timeline
    let method: String
    let scheme: Scheme?
    let host: String
    let port: Int
    let target: String
    let versions: [HTTPVersion?]
    let streams: [Int?]
    let code: Int?
    let mediaType: String?
    let request: Message
    let response: Message?
    let interim: [ByteBuffer]
    let ownResponse: ByteBuffer?
    let client: Connection
    let upstream: Connection?
    let outcome: Outcome
    let failure: ExchangeFailure?
    let warnings: [String]
    let replayOf: ExchangeID?
    let messages: MessageCounts
    let rules: [RuleUse]

    init(_ exchange: Exchange) {
        (id, timeline) = (exchange.id, exchange.timeline)
        (method, scheme) = (exchange.method, exchange.scheme)
        (host, port, target) = (exchange.host, exchange.port, exchange.target)
        versions = [exchange.version, exchange.upstreamVersion]
        streams = [exchange.stream, exchange.upstreamStream]
        (code, mediaType) = (exchange.code, exchange.mediaType)
        (request, response) = (exchange.request, exchange.response)
        (interim, ownResponse) = (exchange.interim, exchange.ownResponse)
        client = Connection(exchange.client)
        upstream = exchange.upstream.map(Connection.init)
        (outcome, failure) = (exchange.outcome, exchange.failure)
        (warnings, replayOf, messages) = (exchange.warnings, exchange.replayOf, exchange.messages)
        rules = exchange.rules
    }
}
