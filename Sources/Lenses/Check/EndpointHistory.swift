import Traffic

/// The last good capture of each endpoint, so that the next can be compared with it; it holds numbers, no bodies.
struct EndpointHistory {
    /// Endpoints that are remembered; those that come later are not compared.
    static let limit = 20_000

    private var last: [String: (id: ExchangeID, digest: [UInt8])] = [:]

    /// Remembers a capture.
    ///
    /// - Returns: the capture of the same endpoint before it, where its answer was another.
    mutating func previous(of capture: Capture) -> ExchangeID? {
        let exchange = capture.exchange
        guard exchange.outcome == .completed, exchange.code == 200, exchange.ownResponse == nil,
            let body = exchange.response?.body, body.length > 0, capture.response.problem == nil
        else { return nil }
        let key =
            "\(exchange.method) \(exchange.host):\(exchange.port)\(exchange.target) \(exchange.request.body.sha256)"
        let before = last[key]
        guard before != nil || last.count < EndpointHistory.limit else { return nil }
        last[key] = (exchange.id, body.sha256)
        guard let before, before.digest != body.sha256 || body.sha256.isEmpty else { return nil }
        return before.id
    }
}
