package import Foundation
package import Traffic

/// The answer that something of What's Open is from.
package struct CampusSource: Sendable, Equatable {
    package let exchange: ExchangeID
    /// The server that gave the answer, as a URL names it: `api.srct.gmu.edu`, `localhost:8081`.
    package let server: String
    /// When the server gave the answer, by its own clock.
    package let moment: Date

    init(_ capture: Capture) {
        let exchange = capture.exchange
        self.exchange = capture.id
        server = Endpoint(host: exchange.host, port: exchange.port).authority(of: exchange.scheme)
        moment = capture.moment
    }

    /// `exchange 12 of localhost:8081, last updated Mon 2026-09-14 07:00 EDT`.
    package func words(_ clock: CampusClock) -> String {
        "exchange \(exchange) of \(server), last updated \(clock.full(moment))"
    }

    /// Writes the members `exchange`, `server` and `captured`.
    func write(_ clock: CampusClock, to json: inout JSONWriter) {
        json.integer("exchange", exchange)
        json.string("server", server)
        json.string("captured", clock.timestamp(moment))
    }
}
