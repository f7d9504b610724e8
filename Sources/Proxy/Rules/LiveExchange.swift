import NIOCore
import Traffic

/// An exchange under way as the conditions of rules look at it: its messages as they came, and what is kept of the bodies.
struct LiveExchange: FilterSubject {
    let summary: ExchangeSummary
    private let messages: [MessageSide: Message]
    private let bodies: [MessageSide: ByteBuffer]
    /// What tests have decoded of the bodies: several tests look into one body.
    let decoded: DecodedBodies? = DecodedBodies()
    /// What tests have folded of the heads.
    let heads: SearchedHeads? = SearchedHeads()

    /// - Parameters:
    ///   - exchange: the record so far.
    ///   - bodies: what is kept of its bodies, coded as they came.
    init(_ exchange: Exchange, bodies: [MessageSide: ByteBuffer]) {
        summary = exchange.summary
        messages = [.request: exchange.request].merging(exchange.response.map { [.response: $0] } ?? [:]) { $1 }
        self.bodies = bodies
    }

    /// A connection to an endpoint, of which only that is known.
    ///
    /// - Parameters:
    ///   - endpoint: where its client wants to go.
    ///   - client: the client.
    ///   - started: microseconds since 1970.
    init(connecting endpoint: Endpoint, client: Peer, started: Int64) {
        var summary = ExchangeSummary(
            id: 0,
            started: started,
            duration: nil,
            method: "CONNECT",
            scheme: nil,
            host: endpoint.host,
            port: endpoint.port,
            target: endpoint.description,
            code: nil,
            mediaType: nil,
            requestBytes: 0,
            responseBytes: 0,
            version: nil,
            upstreamVersion: nil,
            outcome: .pending,
            failure: nil
        )
        summary.process = client.process?.name
        (self.summary, messages, bodies) = (summary, [:], [:])
    }

    func message(_ side: MessageSide) -> Message? {
        var message = messages[side]
        let length = Int64(bodies[side]?.readableBytes ?? 0)
        message?.body = Body(length: length, kept: length, sha256: [])
        return message
    }

    func body(_ side: MessageSide, offset: Int64, limitBytes: Int) -> [UInt8] {
        guard let body = bodies[side], offset < Int64(body.readableBytes) else { return [] }
        let start = body.readerIndex + Int(offset)
        return body.getBytes(at: start, length: min(limitBytes, body.writerIndex - start)) ?? []
    }

    func messages(after number: Int64) -> [StreamMessage] { [] }
}
