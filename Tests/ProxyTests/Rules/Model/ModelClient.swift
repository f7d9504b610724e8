import NIOCore
import Support
import Testing

@testable import Proxy
@testable import Traffic

/// A client of a proxy, on one connection for as long as that lasts, that keeps what becomes of what it asks.
struct ModelClient {
    let proxy: RunningProxy
    private var connection: RawClient?
    private var askedCount = 0

    /// A client that has yet to connect.
    init(_ proxy: RunningProxy) { self.proxy = proxy }

    /// Asks once.
    ///
    /// - Parameters:
    ///   - exchange: what is asked, and what the origin answers.
    ///   - origins: the origins.
    /// - Returns: what became of it, the record of the rules, and its record as rules look at it.
    /// - Throws: when nothing comes in time, and what the connection throws.
    mutating func ask(
        _ exchange: ModelExchange,
        _ origins: ModelOrigins
    ) async throws -> (outcome: ModelOutcome, uses: [RuleUse], record: LiveExchange) {
        origins.answer(exchange.response)
        var client = connection
        if client == nil { client = try await proxy.connect() }
        let open = try #require(client)
        connection = open
        askedCount += 1
        var outcome = ModelOutcome()
        try await open.send(exchange.request(to: origins.port))
        do {
            let response = try await open.response(to: exchange.method)
            outcome.head = response.head
            // Nothing may come behind it.
            outcome.content = response.text + response.trailers + String(decoding: open.soFar.unread, as: UTF8.self)
            let lines = ModelHead(response.head).lines
            if response.code == 403 {
                outcome.ending = .refused
                outcome.head = lines.first { ModelHead.isMeant(ModelHead.name($0), by: "Proxy-Status") } ?? ""
                outcome.content = ""
            }
            if lines.contains("Connection: close") { connection = nil }
        } catch let closed as RawClient.Closed {
            outcome.ending = closed.inbox.error?.contains("reset") == true ? .reset : .closed
            outcome.content = String(decoding: closed.inbox.unread, as: UTF8.self)
            connection = nil
        }
        let ended = try #require(try await proxy.sink.ended(askedCount).last)
        outcome.uses = ModelOutcome.words(ended.exchange.rules)
        outcome.sent = origins.take()
        if outcome.ending == .untouched {
            outcome.ending = outcome.sent.isEmpty ? .answered : outcome.uses.isEmpty ? .untouched : .changed
        }
        let bodies = [
            MessageSide.request: ByteBuffer(bytes: ended.requestBody), .response: ByteBuffer(bytes: ended.responseBody),
        ]
        return (outcome, ended.exchange.rules, LiveExchange(ended.exchange, bodies: bodies))
    }
}
