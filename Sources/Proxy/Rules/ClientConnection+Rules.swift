import Traffic

/// What rules say of a connection before its requests are read.
extension ClientConnection {
    /// Whether requests to an endpoint may be answered without the upstream, by us or by a rule: it is not dialled before they are known.
    func mayNeedNoUpstream(_ endpoint: Endpoint) -> Bool {
        if loop.shared.isAnsweredHere(endpoint) { return true }
        guard let rules = loop.rules else { return false }
        if rules.asksOfProcess, isAwaited { return true }
        // What is looked at is in memory, so that nothing is thrown.
        return (try? rules.mayKeepFromUpstream(connecting(to: endpoint))) == true
    }

    /// How a rule refuses a tunnel to an endpoint, where that alone decides it, and the record of it; `nil` where none does.
    func blockOfTunnel(to endpoint: Endpoint) -> (block: RuleBlock, use: RuleUse)? {
        guard let rules = loop.rules else { return nil }
        // Where the program is not known yet, the requests inside decide.
        if rules.asksOfProcess, isAwaited { return nil }
        return try? rules.blockOfTunnel(connecting(to: endpoint), now: loop.timeOfDay)
    }

    /// Judges a connection whose bytes are no requests that rules could judge, once the client's program is known, where a rule asks for that.
    ///
    /// - Parameters:
    ///   - endpoint: where it goes.
    ///   - then: takes how a rule refuses it, and the record of that; `nil` where none does.
    func judgeTunnel(to endpoint: Endpoint, then: @escaping ((block: RuleBlock, use: RuleUse)?) -> Void) {
        guard loop.rules?.asksOfProcess == true else { return then(blockOfTunnel(to: endpoint)) }
        whenKnown { [self] in then(blockOfTunnel(to: endpoint)) }
    }

    private func connecting(to endpoint: Endpoint) -> LiveExchange {
        LiveExchange(connecting: endpoint, client: peer, started: loop.timeOfDay)
    }
}
