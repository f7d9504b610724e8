extension ProxyConfiguration {
    /// How long an exchange may wait, and for what.
    var exchangeDeadlines: ExchangeDeadlines {
        ExchangeDeadlines(
            hold: holdTimeout,
            lastWord: lastWordTimeout,
            firstByte: firstByteTimeout,
            idle: idleTimeout,
            openStream: tunnelIdleTimeout,
            rest: drainRestTime
        )
    }
}
