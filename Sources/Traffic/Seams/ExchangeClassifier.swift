/// Says once, when an exchange ends, which app sent it and which lens reads it; the store keeps both as columns.
package protocol ExchangeClassifier: Sendable {
    /// Classifies an exchange that has ended.
    ///
    /// The store calls it on its writing queue, so it takes microseconds and does no I/O of its own.
    ///
    /// - Parameters:
    ///   - exchange: the exchange, without its bodies.
    ///   - bodyStart: gives the first kept bytes of a side's body as sent, at most `BodyStart.limitBytes`, empty where there is none; called only
    ///     where the heads do not decide.
    /// - Returns: the app and the lens, each `nil` where it is not known.
    func classify(_ exchange: Exchange, bodyStart: (MessageSide) -> [UInt8]) -> ExchangeClass
}
