import NIOCore
import Testing
import Traffic

@testable import Store

extension TrafficStore {
    /// Records exchanges under the numbers that they have, which ascend, as an archive's in a store that is empty.
    ///
    /// So a store of a few hundred lies across the end of a block, and what is recorded next has the numbers behind.
    func record(numbered exchanges: [ImportedExchange]) async throws {
        let capture = try #require(writer)
        let archive = try capture.begin(importOf: "numbered.har", started: 1)
        let events = exchanges.map { ExchangeEvent.imported(archive, $0) }
        await record(events)
        _ = try capture.end(import: archive, as: .done)
    }

    /// Has the next exchange be the one of a number, by recording the one before it in a store that is empty.
    func begin(at number: ExchangeID) async throws {
        try await record(numbered: [ImportedExchange(.plain(), number: number - 1)])
    }
}

extension ImportedExchange {
    /// An exchange under a number, with the bytes of its response's body.
    init(_ exchange: Exchange, number: ExchangeID, responseBody: [UInt8] = []) {
        var exchange = responseBody.isEmpty ? exchange : exchange.with(responseBody: responseBody)
        exchange.id = number
        self.init(exchange)
        self.responseBody = ByteBuffer(bytes: responseBody)
    }
}
