/// Says once, when an exchange ends, which app sent it and which lens reads it; the store keeps both as columns.
package protocol ExchangeClassifier: Sendable {
    /// Classifies an exchange that has ended.
    ///
    /// Called on the store's writing queue: microseconds, no I/O of its own.
    ///
    /// - Parameters:
    ///   - exchange: it, its bodies aside.
    ///   - bodyStart: the first kept bytes of a side's body as sent, at most `BodyStart.limitBytes`, empty where there is none; asked for only where the heads do not decide.
    /// - Returns: what it is; empty where nothing knows it.
    func classify(_ exchange: Exchange, bodyStart: (MessageSide) -> [UInt8]) -> ExchangeClass
}
