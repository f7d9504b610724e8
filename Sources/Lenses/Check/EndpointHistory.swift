import Traffic

/// The last good capture of each endpoint, for comparison with the next; holds numbers of exchanges, no bodies.
struct EndpointHistory {
    /// The most endpoints that are remembered; an endpoint past that is not compared.
    static let limit = 20_000
    /// The most bytes of their names, all together: a target may be as long as an archive wrote it.
    static let limitBytes = 32 << 20

    private var last: [String: (id: ExchangeID, digest: [UInt8])] = [:]
    private var bytes = 0

    /// Remembers a capture.
    ///
    /// - Returns: the endpoint's capture before this one, where its answer was different.
    mutating func previous(of capture: Capture) -> ExchangeID? {
        let exchange = capture.exchange
        guard exchange.outcome == .completed, exchange.code == 200, exchange.ownResponse == nil,
            let body = exchange.response?.body, body.length > 0, capture.response.problem == nil
        else { return nil }
        let key =
            "\(exchange.method) \(exchange.host):\(exchange.port)\(exchange.target) \(exchange.request.body.sha256)"
        let before = last[key]
        if before == nil {
            let more = bytes + key.utf8.count
            guard last.count < EndpointHistory.limit, more <= EndpointHistory.limitBytes else { return nil }
            bytes = more
        }
        last[key] = (exchange.id, body.sha256)
        guard let before, before.digest != body.sha256 || body.sha256.isEmpty else { return nil }
        return before.id
    }
}
