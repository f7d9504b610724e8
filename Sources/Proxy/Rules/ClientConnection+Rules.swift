import Traffic

/// What rules say of a connection before its requests are read.
extension ClientConnection {
    /// How a rule refuses a connection, and the record of that.
    typealias Refusal = (block: RuleBlock, use: RuleUse)

    /// Whether requests to an endpoint may be answered without the upstream, by us or by a rule: it is not dialled before they are known.
    func mayNeedNoUpstream(_ endpoint: Endpoint) -> Bool {
        if loop.shared.isAnsweredHere(endpoint) { return true }
        guard let rules = loop.rules else { return false }
        // What is looked at is in memory, so that nothing is thrown.
        return (try? rules.mayKeepFromUpstream(connecting(to: endpoint), lacksProcess: isAwaited)) == true
    }

    /// Judges a tunnel, or a connection whose bytes are no requests that rules could judge.
    ///
    /// The verdict comes at once unless it depends on the client's program, which is waited for a moment where it is about to be known.
    ///
    /// - Parameters:
    ///   - endpoint: where it goes.
    ///   - then: takes how a rule refuses it; `nil` where none does.
    func judgeTunnel(to endpoint: Endpoint, then: @escaping (Refusal?) -> Void) {
        guard let rules = loop.rules else { return then(nil) }
        let subject = connecting(to: endpoint)
        switch try? rules.judgeTunnel(subject, now: loop.timeOfDay, lacksProcess: isAwaited) {
        case .blocked(let block, let use): then((block, use))
        // It is not awaited any more when it is called back.
        case .waits: whenKnown { [self] in judgeTunnel(to: endpoint, then: then) }
        case .passes, nil: then(nil)
        }
    }

    /// How rules slow a connection whose bytes are no requests that rules could judge; `nil` where none does.
    func paceOfTunnel(to endpoint: Endpoint) -> TunnelPacing? {
        guard let rules = loop.rules else { return nil }
        let sharer = RulePacing.Sharer(host: endpoint.host, connection: String(peer.token))
        // What is looked at is in memory, so that nothing is thrown.
        return try? rules.paceOfTunnel(
            connecting(to: endpoint),
            sharer,
            now: loop.timeOfDay,
            lacksProcess: isAwaited
        )
    }

    private func connecting(to endpoint: Endpoint) -> LiveExchange {
        LiveExchange(connecting: endpoint, client: peer, started: loop.timeOfDay)
    }
}
